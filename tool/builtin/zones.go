package builtin

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/text"
)

// zoneAreas are the areas of the names of zones; some have a country, too.
var zoneAreas = []string{
	"Europe/", "Asia/", "America/", "Africa/", "Australia/", "Pacific/", "Atlantic/", "Indian/", "America/Argentina/",
	"America/Indiana/", "America/Kentucky/", "America/North_Dakota/", "Antarctica/", "Arctic/",
}

// zoneOf maps large cities, countries and abbreviations to their zones, if no zone has their name.
var zoneOf = map[string]string{
	"beijing": "Asia/Shanghai", "shenzhen": "Asia/Shanghai", "guangzhou": "Asia/Shanghai", "china": "Asia/Shanghai", "北京": "Asia/Shanghai",
	"上海": "Asia/Shanghai", "香港": "Asia/Hong_Kong", "台北": "Asia/Taipei", "东京": "Asia/Tokyo", "delhi": "Asia/Kolkata", "mumbai": "Asia/Kolkata",
	"bangalore": "Asia/Kolkata", "india": "Asia/Kolkata", "osaka": "Asia/Tokyo", "jst": "Asia/Tokyo", "hanoi": "Asia/Ho_Chi_Minh",
	"abudhabi": "Asia/Dubai", "telaviv": "Asia/Jerusalem", "munich": "Europe/Berlin", "hamburg": "Europe/Berlin", "frankfurt": "Europe/Berlin",
	"germany": "Europe/Berlin", "cest": "Europe/Berlin", "milan": "Europe/Rome", "barcelona": "Europe/Madrid", "geneva": "Europe/Zurich",
	"france": "Europe/Paris", "spain": "Europe/Madrid", "italy": "Europe/Rome", "uk": "Europe/London", "bst": "Europe/London", "lisboa": "Europe/Lisbon",
	"newyorkcity": "America/New_York", "washington": "America/New_York", "boston": "America/New_York", "miami": "America/New_York",
	"edt": "America/New_York", "cdt": "America/Chicago", "houston": "America/Chicago", "dallas": "America/Chicago", "mdt": "America/Denver",
	"pst": "America/Los_Angeles", "pdt": "America/Los_Angeles", "sanfrancisco": "America/Los_Angeles", "seattle": "America/Los_Angeles",
	"california": "America/Los_Angeles", "montreal": "America/Toronto", "rio": "America/Sao_Paulo", "riodejaneiro": "America/Sao_Paulo",
	"capetown": "Africa/Johannesburg", "canberra": "Australia/Sydney", "aest": "Australia/Sydney", "wellington": "Pacific/Auckland",
}

// nearestZone suggests a zone: the one of a city that stands alone or in another area, or of a name
// that is spelled almost the same. The suggestion is "" if no zone comes close.
func nearestZone(ctx context.Context, name string) (string, error) {
	city, _, _ := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ",")
	words := strings.FieldsFunc(strings.ToLower(city), func(r rune) bool { return r == ' ' || r == '_' })
	for i, word := range words {
		first, size := utf8.DecodeRuneInString(word)
		words[i] = string(unicode.ToUpper(first)) + word[size:]
	}
	if city = strings.Join(words, "_"); city == "" || strings.HasPrefix(city, ".") {
		return "", nil
	}
	for _, area := range zoneAreas {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		if _, err := time.LoadLocation(area + city); err == nil {
			return area + city, nil
		}
	}
	if zone := zoneOf[text.FoldName(city)]; zone != "" {
		return zone, nil
	}
	zones := map[string]string{}
	for alias, zone := range zoneOf {
		zones[alias] = zone
		zones[zone[strings.LastIndexByte(zone, '/')+1:]] = zone
	}
	for _, zone := range strings.Fields(zoneCities) {
		zones[zone[strings.LastIndexByte(zone, '/')+1:]] = zone
	}
	if near := text.Nearest(city, slices.Sorted(maps.Keys(zones))); len(near) > 0 {
		return zones[near[0]], nil
	}
	return "", nil
}

// zoneCities are further zones whose misspelled names are known.
const zoneCities = `Europe/Amsterdam Europe/Athens Europe/Brussels Europe/Bucharest Europe/Budapest Europe/Copenhagen Europe/Dublin
	Europe/Helsinki Europe/Istanbul Europe/Kyiv Europe/Moscow Europe/Oslo Europe/Prague Europe/Sofia Europe/Stockholm Europe/Vienna
	Europe/Warsaw Asia/Baghdad Asia/Bangkok Asia/Dhaka Asia/Jakarta Asia/Karachi Asia/Kathmandu Asia/Kolkata Asia/Manila Asia/Riyadh
	Asia/Seoul Asia/Singapore Asia/Tehran Africa/Cairo Africa/Casablanca Africa/Lagos Africa/Nairobi America/Bogota
	America/Argentina/Buenos_Aires America/Caracas America/Halifax America/Lima America/Mexico_City America/Phoenix America/Santiago
	America/Vancouver Australia/Brisbane Australia/Melbourne Australia/Perth Pacific/Honolulu`
