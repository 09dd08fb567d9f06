// Package timezone finds the time zones of cities and countries, and of misspelled names.
package timezone

import (
	"context"
	"strings"
	"time"
	_ "time/tzdata" // for machines without time zones
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/text"
)

// areas begin the names of zones. The city follows.
var areas = []string{
	"Europe/", "Asia/", "America/", "Africa/", "Australia/", "Pacific/", "Atlantic/", "Indian/", "America/Argentina/",
	"America/Indiana/", "America/Kentucky/", "America/North_Dakota/", "Antarctica/", "Arctic/",
}

// Aliases maps large cities, countries and abbreviations to their zones, if no zone has their name.
// Its keys are as internal/text.FoldName writes them.
var Aliases = map[string]string{
	"beijing": "Asia/Shanghai", "shenzhen": "Asia/Shanghai", "guangzhou": "Asia/Shanghai", "china": "Asia/Shanghai", "北京": "Asia/Shanghai",
	"上海": "Asia/Shanghai", "深圳": "Asia/Shanghai", "香港": "Asia/Hong_Kong", "台北": "Asia/Taipei", "新加坡": "Asia/Singapore", "东京": "Asia/Tokyo",
	"osaka": "Asia/Tokyo", "jst": "Asia/Tokyo", "delhi": "Asia/Kolkata", "mumbai": "Asia/Kolkata", "bangalore": "Asia/Kolkata",
	"india": "Asia/Kolkata", "hanoi": "Asia/Ho_Chi_Minh", "abudhabi": "Asia/Dubai", "telaviv": "Asia/Jerusalem", "munich": "Europe/Berlin",
	"hamburg": "Europe/Berlin", "frankfurt": "Europe/Berlin", "germany": "Europe/Berlin", "柏林": "Europe/Berlin", "cest": "Europe/Berlin",
	"milan": "Europe/Rome", "italy": "Europe/Rome", "barcelona": "Europe/Madrid", "spain": "Europe/Madrid", "geneva": "Europe/Zurich",
	"france": "Europe/Paris", "巴黎": "Europe/Paris", "uk": "Europe/London", "伦敦": "Europe/London", "bst": "Europe/London", "lisboa": "Europe/Lisbon",
	"newyorkcity": "America/New_York", "纽约": "America/New_York", "washington": "America/New_York", "boston": "America/New_York",
	"miami": "America/New_York", "edt": "America/New_York", "cdt": "America/Chicago", "houston": "America/Chicago", "dallas": "America/Chicago",
	"mdt": "America/Denver", "pst": "America/Los_Angeles", "pdt": "America/Los_Angeles", "sanfrancisco": "America/Los_Angeles",
	"seattle": "America/Los_Angeles", "california": "America/Los_Angeles", "montreal": "America/Toronto", "rio": "America/Sao_Paulo",
	"riodejaneiro": "America/Sao_Paulo", "capetown": "Africa/Johannesburg", "canberra": "Australia/Sydney", "悉尼": "Australia/Sydney",
	"aest": "Australia/Sydney", "wellington": "Pacific/Auckland",
}

// OfCity returns the zone of a city or an alias, such as "new york", "Lisbon, Portugal" or "PST".
// It ignores an area, so "America/Lisbon" is Europe/Lisbon. The zone is "" if none is known. The
// error is that of the context, which is checked because each look-up reads files.
func OfCity(ctx context.Context, name string) (zone string, err error) {
	city := cityOf(name)
	if city == "" || strings.HasPrefix(city, ".") {
		return "", nil
	}
	for _, area := range areas {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		if _, err := time.LoadLocation(area + city); err == nil {
			return area + city, nil
		}
	}
	return Aliases[text.FoldName(city)], nil
}

// cityOf returns the city of a name, written as in the names of zones: New_York.
func cityOf(name string) string {
	city, _, _ := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ",")
	words := strings.FieldsFunc(strings.ToLower(city), func(r rune) bool { return r == ' ' || r == '_' })
	for i, word := range words {
		first, size := utf8.DecodeRuneInString(word)
		words[i] = string(unicode.ToUpper(first)) + word[size:]
	}
	return strings.Join(words, "_")
}
