package demomodel

import (
	"regexp"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // for machines without time zones
)

// areas are the first parts of the names of time zones. A city is looked up in each.
var areas = []string{"Europe", "Asia", "America", "Africa", "Australia", "Pacific", "Atlantic", "Indian", "America/Argentina", "America/Indiana"}

// otherCities are well-known cities that no time zone is named after, and Chinese names of cities.
var otherCities = map[string]string{
	"beijing": "Asia/Shanghai", "shenzhen": "Asia/Shanghai", "北京": "Asia/Shanghai", "上海": "Asia/Shanghai", "深圳": "Asia/Shanghai",
	"osaka": "Asia/Tokyo", "东京": "Asia/Tokyo", "mumbai": "Asia/Kolkata", "delhi": "Asia/Kolkata", "bangalore": "Asia/Kolkata",
	"香港": "Asia/Hong_Kong", "新加坡": "Asia/Singapore", "munich": "Europe/Berlin", "hamburg": "Europe/Berlin", "柏林": "Europe/Berlin",
	"milan": "Europe/Rome", "barcelona": "Europe/Madrid", "geneva": "Europe/Zurich", "伦敦": "Europe/London", "巴黎": "Europe/Paris",
	"boston": "America/New_York", "washington": "America/New_York", "纽约": "America/New_York", "houston": "America/Chicago",
	"san francisco": "America/Los_Angeles", "seattle": "America/Los_Angeles", "悉尼": "Australia/Sydney",
}

var offsetForm = regexp.MustCompile(`^(?i:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?$`)

// zoneOf returns the time zone that a text names: by its name, by an offset, or by a city; or "".
func zoneOf(text string) string {
	text = strings.TrimSpace(text)
	switch upper := strings.ToUpper(text); {
	case text == "" || len(text) > 40 || strings.HasPrefix(text, "."):
		return ""
	case upper == "UTC" || upper == "GMT":
		return upper
	case offsetForm.MatchString(text):
		return text
	case otherCities[strings.ToLower(text)] != "":
		return otherCities[strings.ToLower(text)]
	case !isASCII(text):
		return ""
	}
	name := strings.ReplaceAll(text, " ", "_")
	zones := []string{name}
	for _, area := range areas {
		zones = append(zones, area+"/"+name)
	}
	for _, zone := range zones {
		if _, err := time.LoadLocation(zone); err == nil && strings.Contains(zone, "/") {
			return zone
		}
	}
	return ""
}

// maxZoneWords limits in how many words zones are looked for, since each costs a look-up in every area.
const maxZoneWords = 100

// findZones returns what names a time zone in a text. It tries three words before two and one.
func findZones(text string, chunks []value) []value {
	var found []value
	chunks = chunks[:min(len(chunks), maxZoneWords)]
	for i := 0; i < len(chunks); i++ {
		for j := min(i+2, len(chunks)-1); j >= i && !stopWords[strings.ToLower(chunks[i].text)]; j-- {
			s := span{chunks[i].start, chunks[j].end}
			if zone := zoneOf(capitalized(text[s.start:s.end])); zone != "" {
				found = append(found, value{s, kindZone, zone})
				i = j
				break
			}
		}
	}
	for city, zone := range otherCities {
		if i := strings.Index(text, city); i >= 0 && hasHan(city) {
			found = append(found, value{span{i, i + len(city)}, kindZone, zone})
		}
	}
	slices.SortFunc(found, func(a, b value) int { return a.start - b.start })
	return found
}

// capitalized writes each word in small letters with a capital, as the names of zones are written.
func capitalized(text string) string {
	words := strings.Fields(text)
	for i, w := range words {
		if w == strings.ToLower(w) {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, " ")
}
