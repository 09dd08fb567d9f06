package timezone

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/text"
)

// Nearest suggests a zone for a name that is not the name of a zone: the zone that OfCity returns,
// or a zone whose name is spelled almost the same. The suggestion is "" if no zone comes close. The
// error is that of the context.
func Nearest(ctx context.Context, name string) (zone string, err error) {
	if zone, err = OfCity(ctx, name); zone != "" || err != nil {
		return zone, err
	}
	zones := map[string]string{}
	for alias, zone := range Aliases {
		zones[alias] = zone
		zones[cityOf(zone)] = zone
	}
	for _, zone := range strings.Fields(misspellable) {
		zones[cityOf(zone)] = zone
	}
	if near := text.Nearest(cityOf(name), slices.Sorted(maps.Keys(zones))); len(near) > 0 {
		return zones[near[0]], nil
	}
	return "", nil
}

// misspellable lists zones that Nearest finds by a misspelled name, in addition to the zones in
// Aliases.
const misspellable = `Europe/Athens Europe/Brussels Europe/Bucharest Europe/Budapest Europe/Copenhagen Europe/Dublin
	Europe/Helsinki Europe/Kyiv Europe/Oslo Europe/Prague Europe/Sofia Europe/Stockholm Europe/Warsaw Asia/Baghdad
	Asia/Dhaka Asia/Karachi Asia/Kathmandu Asia/Riyadh Asia/Tehran Africa/Casablanca Africa/Lagos Africa/Nairobi
	America/Bogota America/Argentina/Buenos_Aires America/Caracas America/Halifax America/Lima America/Mexico_City
	America/Phoenix America/Santiago Australia/Brisbane Australia/Perth Pacific/Honolulu`
