package qwencoder

import (
	"regexp"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// ErrorMessage tells a model how to correct a request with an error of that code.
func (Protocol) ErrorMessage(code scan.ErrorCode, o protocol.PromptOptions) string {
	return o.Choose(english.For(code), chinese.For(code))
}

var openedParameter = regexp.MustCompile(`<parameter=([\pL\pN_.-]{1,64})>`)

// Diagnose says which parameter of a call lacks its closing tag.
func (Protocol) Diagnose(code scan.ErrorCode, text string, o protocol.PromptOptions) string {
	unclosed := code == scan.CodeAmbiguousValue || code == scan.CodeUnclosedValue || code == scan.CodeUnclosedBlock
	name := scan.Unclosed(text, openedParameter, "</parameter>")
	if !unclosed || name == "" || len(name) > scan.MaxKeyBytes {
		return ""
	}
	return o.Choose("The parameter "+name+" has no closing tag.", "参数 "+name+" 没有结束标签。")
}

var english = scan.Messages{
	"":                       "the call cannot be read; write it exactly as the instructions say",
	scan.CodeLimitExceeded:   "the call exceeds a limit of size or number; write fewer or smaller calls",
	scan.CodeAfterAmbiguous:  "an earlier call in the same reply cannot be read, so it is unclear where that call ends; correct that one and write both again",
	scan.CodeAmbiguousValue:  "it is unclear where the values of the call end; write the call again with all of its tags, each value between the tag of its parameter and the closing tag, and nothing else between the tags; for the < of such a tag inside a value write &lt;",
	scan.CodeUnclosedValue:   "the last value is never closed; write the call again, with the closing tag of the parameter after each value, then those of the function and of the call",
	scan.CodeUnclosedBlock:   "the call is not complete; write it again as a whole: the tag tool_call, the function with its parameters, and at the end the tag /tool_call",
	scan.CodeStrayCloser:     "a closing tag comes after the call, so it is unclear where a value ends; write the call again, and for the < of such a tag inside a value write &lt;",
	scan.CodeBadKey:          "a parameter has no name; write it into the tag of the parameter",
	scan.CodeDuplicateKey:    "a parameter is written twice with different values; write it once",
	scan.CodeMissingToolName: "the call does not say which function it is for; write the name into the tag of the function",
}

var chinese = scan.Messages{
	"":                       "调用无法读取；请完全按照说明重新书写。",
	scan.CodeLimitExceeded:   "调用超出了大小或数量的上限；请写得更少或更短。",
	scan.CodeAfterAmbiguous:  "同一回复中前面的一个调用无法读取，不能确定它在哪里结束；请改正那个调用，并把两个都重新写一次。",
	scan.CodeAmbiguousValue:  "无法确定调用中的值在哪里结束；请带上全部标签重新写这个调用，每个值写在参数标签和结束标签之间，标签之间不写别的内容；值里的这类标签，其 < 写成 &lt;。",
	scan.CodeUnclosedValue:   "最后一个值没有闭合；请重新写这个调用，每个值后面写上参数的结束标签，最后写上函数和调用的结束标签。",
	scan.CodeUnclosedBlock:   "调用不完整；请完整地重新写一次：先写 tool_call 标签，再写函数及其参数，最后写 /tool_call 标签。",
	scan.CodeStrayCloser:     "调用之后出现了一个结束标签，无法确定值在哪里结束；请重新写这个调用，值里的这类标签，其 < 写成 &lt;。",
	scan.CodeBadKey:          "有一个参数没有名称；请把名称写进参数标签。",
	scan.CodeDuplicateKey:    "有一个参数写了两次，值却不同；每个参数只写一次。",
	scan.CodeMissingToolName: "调用没有说明要调用哪个函数；请把函数名写进函数标签。",
}
