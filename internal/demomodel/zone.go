package demomodel

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/timezone"
)

// maxZone limits the names of zones and cities, in bytes. Each look-up reads files.
const maxZone = 40

var offsetForm = regexp.MustCompile(`^(?i:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?$`)

// zoneOf returns the time zone that a text names: by its name, by an offset, or by a city; or "".
func zoneOf(text string) string {
	if upper := strings.ToUpper(text); upper == "UTC" || upper == "GMT" || offsetForm.MatchString(text) {
		return upper
	}
	if len(text) > maxZone || strings.Contains(text, ",") {
		return ""
	}
	zone, _ := timezone.OfCity(context.Background(), text) // no error without a deadline
	if strings.Contains(text, "/") && !strings.EqualFold(zone, text) {
		return "" // a path that ends in the name of a city
	}
	return zone
}

// findZones finds names of time zones. It tries three words before two and one, and only the first
// 100 words of a question.
func (v *values) findZones() {
	for i := 0; i < min(len(v.chunks), 100); i++ {
		for j := min(i+2, len(v.chunks)-1); j >= i && !stopWords[strings.ToLower(v.chunks[i].text)]; j-- {
			s := span{v.chunks[i].start, v.chunks[j].end}
			if zone := zoneOf(v.text[s.start:s.end]); zone != "" {
				v.all, i = append(v.all, value{span: s, kind: kindZone, text: zone}), j
				break
			}
		}
	}
	for city, zone := range timezone.Aliases {
		if i := strings.Index(v.text, city); i >= 0 && hasHan(city) {
			v.all = append(v.all, value{span: span{i, i + len(city)}, kind: kindZone, text: zone})
		}
	}
	slices.SortStableFunc(v.all, func(a, b value) int { return a.start - b.start })
}
