package vcp

import (
	"regexp"
	"strings"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// openedField is a field up to the opener of its value.
var openedField = regexp.MustCompile(`([\pL\pN_.-]{1,64})[ \t]*[:：]?[ \t]*「始」`)

// escapedField is a field up to the escaped opener of its value. Results show the openers of
// foreign text like this.
var escapedField = regexp.MustCompile(`([\pL\pN_.-]{1,64})[ \t]*[:：]?[ \t]*「始_ESCAPE」`)

// Diagnose says which value of a request lacks its closer, or has an escaped opener.
func (Protocol) Diagnose(code scan.ErrorCode, text string, o protocol.PromptOptions) string {
	switch code {
	case scan.CodeAmbiguousValue, scan.CodeUnclosedValue, scan.CodeUnclosedBlock:
	case scan.CodeStrayCloser:
		return diagnoseEscaped(text, o)
	default:
		return ""
	}
	if strings.Contains(text, escape) {
		return "" // a value of the form 「始ESCAPE」 may contain 「始」 and 「末」 as text
	}
	name := scan.Unclosed(text, openedField, "「末」")
	if name == "" {
		return ""
	}
	return o.Choose("The value of "+name+" has no end mark.", "参数 "+name+" 的值没有结束标记。")
}

// diagnoseEscaped names the first field with an escaped opener. If any field has a plain opener, it
// returns "", because the escaped opener may be text of that field's value.
func diagnoseEscaped(text string, o protocol.PromptOptions) string {
	field := escapedField.FindStringSubmatch(text)
	if field == nil || openedField.MatchString(text) {
		return ""
	}
	return o.Choose(
		"The value of "+field[1]+" begins with the escaped mark 始_ESCAPE: write only 始 in the brackets before it, and 末 in those after it.",
		"参数 "+field[1]+" 的值前面是转义后的标记 始_ESCAPE；请在括号里只写 始，值后面的括号里写 末。",
	)
}
