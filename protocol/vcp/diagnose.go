package vcp

import (
	"regexp"
	"strings"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// openedField is a field up to the opener of its value.
var openedField = regexp.MustCompile(`([\pL\pN_.-]{1,64})[ \t]*[:：]?[ \t]*「始」`)

// Diagnose says which value of a request lacks its closer.
func (Protocol) Diagnose(code scan.ErrorCode, text string, o protocol.PromptOptions) string {
	switch code {
	case scan.CodeAmbiguousValue, scan.CodeUnclosedValue, scan.CodeUnclosedBlock:
	default:
		return ""
	}
	if strings.Contains(text, escape) {
		return "" // a value may contain marks
	}
	fields := openedField.FindAllStringSubmatchIndex(text, -1)
	for i, at := range fields {
		end := len(text)
		if i+1 < len(fields) {
			end = fields[i+1][0]
		}
		if strings.Contains(text[at[1]:end], "「末」") {
			continue
		}
		name := text[at[2]:at[3]]
		if o.Language == "zh" {
			return name + " 的值没有结束标记。"
		}
		return "The value of " + name + " has no end mark."
	}
	return ""
}
