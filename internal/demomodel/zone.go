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
var otherCities = citiesByZone(map[string]string{
	"Asia/Shanghai": "beijing,shenzhen,guangzhou,北京,上海,深圳,广州", "Asia/Tokyo": "osaka,kyoto,东京", "Asia/Kolkata": "mumbai,delhi,new delhi,bangalore",
	"Asia/Ho_Chi_Minh": "hanoi", "Asia/Hong_Kong": "香港", "Asia/Taipei": "台北", "Asia/Seoul": "首尔", "Asia/Singapore": "新加坡", "Asia/Dubai": "迪拜",
	"Europe/Berlin": "munich,hamburg,frankfurt,柏林", "Europe/Rome": "milan,罗马", "Europe/Madrid": "barcelona", "Europe/Zurich": "geneva",
	"Europe/London": "edinburgh,伦敦", "Europe/Moscow": "saint petersburg,莫斯科", "Europe/Paris": "巴黎",
	"America/Los_Angeles": "san francisco,seattle,洛杉矶,旧金山", "America/New_York": "boston,washington,miami,纽约",
	"America/Chicago": "houston,dallas,芝加哥", "America/Toronto": "montreal", "America/Sao_Paulo": "rio de janeiro",
	"Australia/Sydney": "canberra,悉尼", "Pacific/Auckland": "wellington", "Africa/Johannesburg": "cape town",
})

func citiesByZone(zones map[string]string) map[string]string {
	cities := make(map[string]string)
	for zone, list := range zones {
		for city := range strings.SplitSeq(list, ",") {
			cities[city] = zone
		}
	}
	return cities
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
	for _, zone := range append([]string{name}, zonesIn(name)...) {
		if _, err := time.LoadLocation(zone); err == nil && strings.Contains(zone, "/") {
			return zone
		}
	}
	return ""
}

// zonesIn returns the names that the zone of a city may have.
func zonesIn(city string) (zones []string) {
	if strings.Contains(city, "/") {
		return nil
	}
	for _, area := range areas {
		zones = append(zones, area+"/"+city)
	}
	return zones
}

// maxZoneWords limits in how many words zones are looked for, since each costs a look-up in every area.
const maxZoneWords = 100

// findZones returns what names a time zone in a text, in order. It tries three words before two and one.
func findZones(text string, chunks []value, tokens []token) []value {
	var found []value
	add := func(s span, zone string) bool {
		if zone == "" || overlapsAny(found, s) {
			return false
		}
		found = append(found, value{span: s, kind: kindZone, text: zone})
		return true
	}
	for _, c := range chunks[:min(len(chunks), maxZoneWords)] {
		if strings.ContainsAny(c.text, "/+-") || strings.ToUpper(c.text) == c.text {
			add(c.span, zoneOf(c.text))
		}
	}
	for city, zone := range otherCities {
		if i := strings.Index(text, city); i >= 0 && hasHan(city) {
			add(span{i, i + len(city)}, zone)
		}
	}
	tokens = tokens[:min(len(tokens), maxZoneWords)]
	for i := range tokens {
		for j := min(i+2, len(tokens)-1); j >= i && tokens[i].content(); j-- {
			s := span{tokens[i].start, tokens[j].end}
			if add(s, zoneOf(capitalized(text[s.start:s.end]))) {
				break
			}
		}
	}
	slices.SortFunc(found, func(a, b value) int { return a.start - b.start })
	return found
}

// capitalized writes each word with a capital, as the names of zones are written.
func capitalized(text string) string {
	words := strings.Fields(text)
	for i, w := range words {
		if isASCII(w) && w != strings.ToUpper(w) {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, " ")
}
