package qwencoder

import (
	_ "embed"
	"strings"
)

// The instructions, with a word for the definitions.
var (
	//go:embed usage_en.txt
	usageEnglish string
	//go:embed usage_zh.txt
	usageChinese string
)

// usage returns the instructions before and after the definitions, in English or Chinese.
func usage(language string) (before, after string) {
	text := usageEnglish
	if language == "zh" {
		text = usageChinese
	}
	before, after, _ = strings.Cut(text, "DEFINITIONS")
	return before, after
}
