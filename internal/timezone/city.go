// Package timezone finds the time zones of cities and countries, and of misspelled names.
package timezone

import (
	"context"
	"strings"
	"time"
	_ "time/tzdata" // for machines without a time zone database
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/text"
)

// areas are beginnings of the names of zones. The name of a city follows them.
var areas = []string{
	"Europe/", "Asia/", "America/", "Africa/", "Australia/", "Pacific/", "Atlantic/", "Indian/", "America/Argentina/",
	"America/Indiana/", "America/Kentucky/", "America/North_Dakota/", "Antarctica/", "Arctic/",
}

// Aliases maps large cities, countries and abbreviations to their zones. A city is among them if no
// zone is named for it, or only an outdated one. The keys have the form that internal/text.FoldName
// returns.
var Aliases = func() map[string]string {
	zones := map[string]string{}
	for zone, aliases := range aliasesOf {
		for _, alias := range strings.Fields(aliases) {
			zones[alias] = zone
		}
	}
	return zones
}()

// aliasesOf are the aliases of each zone, separated by spaces.
var aliasesOf = map[string]string{
	"Asia/Shanghai":       "beijing shenzhen guangzhou china 北京 上海 深圳 广州 天津 重庆 成都 杭州 南京 武汉 西安 苏州 中国",
	"Asia/Hong_Kong":      "香港",
	"Asia/Taipei":         "台北",
	"Asia/Singapore":      "新加坡",
	"Asia/Tokyo":          "东京 osaka jst 大阪",
	"Asia/Kolkata":        "delhi mumbai bangalore india 新德里 孟买",
	"Asia/Ho_Chi_Minh":    "hanoi 河内",
	"Asia/Dubai":          "abudhabi 迪拜",
	"Asia/Jerusalem":      "telaviv",
	"Europe/Berlin":       "munich hamburg frankfurt germany 柏林 cest 慕尼黑 法兰克福",
	"Europe/Rome":         "milan italy 罗马 米兰",
	"Europe/Madrid":       "barcelona spain 马德里 巴塞罗那",
	"Europe/Zurich":       "geneva 苏黎世 日内瓦",
	"Europe/Paris":        "france 巴黎",
	"Europe/London":       "uk 伦敦 bst",
	"Europe/Lisbon":       "lisboa 里斯本",
	"America/New_York":    "newyorkcity 纽约 washington boston miami edt 华盛顿 波士顿",
	"America/Chicago":     "cdt houston dallas 芝加哥",
	"America/Denver":      "mdt",
	"America/Los_Angeles": "pst pdt sanfrancisco seattle california 洛杉矶 旧金山 西雅图",
	"America/Toronto":     "montreal 多伦多",
	"America/Sao_Paulo":   "rio riodejaneiro 圣保罗",
	"Africa/Johannesburg": "capetown",
	"Australia/Sydney":    "canberra 悉尼 aest",
	"Pacific/Auckland":    "wellington 奥克兰",
	"Asia/Urumqi":         "乌鲁木齐",
	"Asia/Macau":          "澳门",
	"Asia/Seoul":          "首尔",
	"Asia/Bangkok":        "曼谷",
	"Asia/Kuala_Lumpur":   "吉隆坡",
	"Asia/Jakarta":        "雅加达",
	"Asia/Manila":         "马尼拉",
	"Europe/Istanbul":     "伊斯坦布尔",
	"Europe/Moscow":       "莫斯科",
	"Europe/Vienna":       "维也纳",
	"Europe/Amsterdam":    "阿姆斯特丹",
	"Africa/Cairo":        "开罗",
	"America/Vancouver":   "温哥华",
	"Australia/Melbourne": "墨尔本",
}

// OfCity returns the zone of a city or an alias, such as "new york", "Lisbon, Portugal" or "PST".
// It ignores an area in the name, so it returns Europe/Lisbon for "America/Lisbon". zone is "" if
// none is known. The error is that of the context, which OfCity checks because each look-up reads
// files.
func OfCity(ctx context.Context, name string) (zone string, err error) {
	city := cityOf(name)
	if city == "" || strings.HasPrefix(city, ".") { // LoadLocation would look for a hidden file
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

// cityOf returns the city in a name, as the names of zones write it: New_York.
func cityOf(name string) string {
	city, _, _ := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ",")
	words := strings.FieldsFunc(strings.ToLower(city), func(r rune) bool { return r == ' ' || r == '_' })
	for i, word := range words {
		first, size := utf8.DecodeRuneInString(word)
		words[i] = string(unicode.ToUpper(first)) + word[size:]
	}
	return strings.Join(words, "_")
}
