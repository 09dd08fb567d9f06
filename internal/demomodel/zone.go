package demomodel

import (
	"regexp"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // for machines without time zones
)

// areas are the first parts of the names of time zones. A city is looked up in each.
var areas = strings.Split(",Europe/,Asia/,America/,Africa/,Australia/,Pacific/,Atlantic/,Indian/,America/Argentina/,America/Indiana/", ",")

// otherCities are well-known cities without a time zone of their name, and Chinese names of cities.
var otherCities = map[string]string{
	"beijing": "Asia/Shanghai", "shenzhen": "Asia/Shanghai", "北京": "Asia/Shanghai", "上海": "Asia/Shanghai", "深圳": "Asia/Shanghai",
	"osaka": "Asia/Tokyo", "东京": "Asia/Tokyo", "mumbai": "Asia/Kolkata", "delhi": "Asia/Kolkata", "san francisco": "America/Los_Angeles",
	"香港": "Asia/Hong_Kong", "新加坡": "Asia/Singapore", "munich": "Europe/Berlin", "hamburg": "Europe/Berlin", "柏林": "Europe/Berlin",
	"milan": "Europe/Rome", "barcelona": "Europe/Madrid", "geneva": "Europe/Zurich", "伦敦": "Europe/London", "巴黎": "Europe/Paris",
	"boston": "America/New_York", "washington": "America/New_York", "纽约": "America/New_York", "悉尼": "Australia/Sydney",
}

var (
	zoneForm   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_/+ -]*$`)
	offsetForm = regexp.MustCompile(`^(?i:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?$`)
	smallStart = regexp.MustCompile(`\b[a-z]`)
)

// zoneOf returns the time zone that a text names: by its name, by an offset, or by a city; or "".
func zoneOf(text string) string {
	switch upper := strings.ToUpper(text); {
	case upper == "UTC" || upper == "GMT" || offsetForm.MatchString(text):
		return upper
	case otherCities[strings.ToLower(text)] != "":
		return otherCities[strings.ToLower(text)]
	case len(text) > 40 || !zoneForm.MatchString(text):
		return "" // each look-up below reads files
	}
	for _, area := range areas {
		zone := area + strings.ReplaceAll(text, " ", "_")
		if _, err := time.LoadLocation(zone); err == nil && strings.Contains(zone, "/") {
			return zone
		}
	}
	return ""
}

// findZones finds names of time zones. It tries three words before two and one. Each look-up reads
// files, so only the first 100 words are tried.
func (v *values) findZones() {
	for i := 0; i < min(len(v.chunks), 100); i++ {
		for j := min(i+2, len(v.chunks)-1); j >= i && !stopWords[strings.ToLower(v.chunks[i].text)]; j-- {
			s := span{v.chunks[i].start, v.chunks[j].end}
			if zone := zoneOf(smallStart.ReplaceAllStringFunc(v.text[s.start:s.end], strings.ToUpper)); zone != "" {
				v.all, i = append(v.all, value{span: s, kind: kindZone, text: zone}), j
				break
			}
		}
	}
	for city, zone := range otherCities {
		if i := strings.Index(v.text, city); i >= 0 && hasHan(city) {
			v.all = append(v.all, value{span: span{i, i + len(city)}, kind: kindZone, text: zone})
		}
	}
	slices.SortStableFunc(v.all, func(a, b value) int { return a.start - b.start })
}
