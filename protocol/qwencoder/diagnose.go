package qwencoder

import (
	"regexp"
	"strings"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

var openedParameter = regexp.MustCompile(`<parameter=([\pL\pN_.-]{1,64})>`)

// Diagnose says which parameter of a call lacks its closing tag.
func (Protocol) Diagnose(code scan.ErrorCode, text string, o protocol.PromptOptions) string {
	switch code {
	case scan.CodeAmbiguousValue, scan.CodeUnclosedValue, scan.CodeUnclosedBlock:
	default:
		return ""
	}
	parameters := openedParameter.FindAllStringSubmatchIndex(text, -1)
	for i, at := range parameters {
		end := len(text)
		if i+1 < len(parameters) {
			end = parameters[i+1][0]
		}
		if strings.Contains(text[at[1]:end], "</parameter>") {
			continue
		}
		name := text[at[2]:at[3]]
		return o.Choose("The parameter "+name+" has no closing tag.", "参数 "+name+" 没有结束标签。")
	}
	return ""
}
