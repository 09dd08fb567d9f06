package demomodel

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // the names of zones are there on a machine that has none installed
)

// areas are the first parts of the names of time zones: a city is looked for in each.
var areas = []string{"Europe", "Asia", "America", "Africa", "Australia", "Pacific", "Atlantic", "Indian", "America/Argentina", "America/Indiana"}

// otherCities are well-known cities that no time zone is named after, and Chinese names of some that are.
var otherCities = map[string]string{
	"beijing": "Asia/Shanghai", "shenzhen": "Asia/Shanghai", "guangzhou": "Asia/Shanghai", "osaka": "Asia/Tokyo", "kyoto": "Asia/Tokyo",
	"mumbai": "Asia/Kolkata", "delhi": "Asia/Kolkata", "new delhi": "Asia/Kolkata", "bangalore": "Asia/Kolkata", "hanoi": "Asia/Ho_Chi_Minh",
	"munich": "Europe/Berlin", "hamburg": "Europe/Berlin", "frankfurt": "Europe/Berlin", "milan": "Europe/Rome", "barcelona": "Europe/Madrid",
	"geneva": "Europe/Zurich", "edinburgh": "Europe/London", "saint petersburg": "Europe/Moscow",
	"san francisco": "America/Los_Angeles", "seattle": "America/Los_Angeles", "boston": "America/New_York", "washington": "America/New_York",
	"miami": "America/New_York", "houston": "America/Chicago", "dallas": "America/Chicago", "montreal": "America/Toronto", "rio de janeiro": "America/Sao_Paulo",
	"canberra": "Australia/Sydney", "wellington": "Pacific/Auckland", "cape town": "Africa/Johannesburg",
	"北京": "Asia/Shanghai", "上海": "Asia/Shanghai", "深圳": "Asia/Shanghai", "广州": "Asia/Shanghai", "香港": "Asia/Hong_Kong", "台北": "Asia/Taipei",
	"东京": "Asia/Tokyo", "首尔": "Asia/Seoul", "新加坡": "Asia/Singapore", "迪拜": "Asia/Dubai", "莫斯科": "Europe/Moscow", "伦敦": "Europe/London",
	"巴黎": "Europe/Paris", "柏林": "Europe/Berlin", "罗马": "Europe/Rome", "纽约": "America/New_York", "洛杉矶": "America/Los_Angeles",
	"旧金山": "America/Los_Angeles", "芝加哥": "America/Chicago", "悉尼": "Australia/Sydney",
}

var offsetForm = regexp.MustCompile(`^(?i:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?$`)

// zoneOf returns the time zone that a text names: by its own name, by an offset, or by a city.
func zoneOf(text string) (string, bool) {
	text = strings.TrimSpace(text)
	upper := strings.ToUpper(text)
	switch {
	case text == "" || len(text) > 40 || strings.HasPrefix(text, "."):
		return "", false
	case upper == "UTC" || upper == "GMT":
		return upper, true
	case offsetForm.MatchString(text):
		return text, true
	case otherCities[strings.ToLower(text)] != "":
		return otherCities[strings.ToLower(text)], true
	}
	if !isASCII(text) {
		return "", false
	}
	name := strings.ReplaceAll(text, " ", "_")
	if strings.Contains(name, "/") {
		_, err := time.LoadLocation(name)
		return name, err == nil
	}
	zone := cities.zone(name)
	return zone, zone != ""
}

// cities remembers what was looked up: a look-up reads files, and a question is read many times over.
var cities = cityCache{zones: make(map[string]string)}

type cityCache struct {
	mu    sync.Mutex
	zones map[string]string
}

// zone returns the time zone named after a city; "" where there is none.
func (c *cityCache) zone(city string) string {
	const most = 4096
	c.mu.Lock()
	defer c.mu.Unlock()
	zone, ok := c.zones[city]
	if ok {
		return zone
	}
	for _, area := range areas {
		if _, err := time.LoadLocation(area + "/" + city); err == nil {
			zone = area + "/" + city
			break
		}
	}
	if len(c.zones) >= most {
		clear(c.zones)
	}
	c.zones[city] = zone
	return zone
}

// maxZoneWords bounds how far zones are looked for: each word costs a look-up in every area.
const maxZoneWords = 100

// zones returns what in a text names a time zone, in order. It reads up to three words at a time, the longest first.
func (v *values) zones() []value {
	var found []value
	for _, c := range v.chunks {
		own := strings.ContainsAny(c.text, "/+-") || strings.ToUpper(c.text) == c.text
		if zone, ok := zoneOf(c.text); ok && own && len(found) < maxZoneWords {
			found = append(found, value{c.span, zone})
		}
	}
	for i := 0; i < min(len(v.tokens), maxZoneWords); i++ {
		if v.tokens[i].stem == "" {
			found = append(found, chineseZones(v.tokens[i])...)
			continue
		}
		for j := min(i+2, len(v.tokens)-1); j >= i && !v.tokens[i].stop; j-- {
			s := span{v.tokens[i].start, v.tokens[j].end}
			if zone, ok := zoneOf(titled(v.text[s.start:s.end])); ok && !overlapAny(found, s) {
				found = append(found, value{s, zone})
				i = j
				break
			}
		}
	}
	slices.SortStableFunc(found, func(a, b value) int { return a.start - b.start })
	return found
}

func chineseZones(t token) []value {
	var found []value
	for city, zone := range otherCities {
		if i := strings.Index(t.text, city); i >= 0 && hasHan(city) {
			found = append(found, value{span{t.start + i, t.start + i + len(city)}, zone})
		}
	}
	return found
}

func overlapAny(list []value, s span) bool {
	return slices.ContainsFunc(list, func(v value) bool { return v.overlaps(s) })
}

// titled writes each word with a capital, as names of zones are; people do not always.
func titled(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if isASCII(w) && w != strings.ToUpper(w) {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, " ")
}
