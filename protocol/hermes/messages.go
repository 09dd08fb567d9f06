package hermes

import (
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// ErrorMessage tells a model how to correct a request with an error of that code.
func (Protocol) ErrorMessage(code scan.ErrorCode, o protocol.PromptOptions) string {
	return o.Choose(english.For(code), chinese.For(code))
}

var english = scan.Messages{
	"":                       "the call cannot be read; write it exactly as the instructions say",
	scan.CodeLimitExceeded:   "the call exceeds a limit of size, number or depth; write fewer or smaller calls",
	scan.CodeAfterAmbiguous:  "an earlier call in the same reply is not a valid JSON object, so it is unclear where that call ends; correct that one and write both again",
	scan.CodeAmbiguousValue:  `the call is not a valid JSON object; write it again as {"name": …, "arguments": {…}}, with every brace closed, strings in double quotes, and \" for a quotation mark, \\ for a backslash and \n for a line break inside a string`,
	scan.CodeUnclosedValue:   "the last value is never closed; write the call again, with its closing quotation mark, its braces and its end tag",
	scan.CodeUnclosedBlock:   "the call is not closed; write it again, with all its braces and its end tag",
	scan.CodeStrayCloser:     `an end tag follows the call, though no call is open, so it is unclear where the call ends; write \" for a quotation mark inside a string`,
	scan.CodeBadKey:          `a call holds "name" and "arguments" and nothing else, and no name of an argument is empty; write each argument inside "arguments"`,
	scan.CodeBareValue:       `"arguments" is not a JSON object; write "arguments": {"name of a parameter": its value}`,
	scan.CodeDuplicateKey:    "a key occurs twice in the call; write it once",
	scan.CodeMissingToolName: `the call does not say which tool it is for; write "name": "name of the tool"`,
}

var chinese = scan.Messages{
	"":                       "调用无法读取；请完全按照说明重新书写。",
	scan.CodeLimitExceeded:   "调用超出了大小、数量或嵌套深度的上限；请写得更少或更短。",
	scan.CodeAfterAmbiguous:  "同一回复中前面的一个调用不是合法的 JSON 对象，无法确定它在哪里结束；请改正那个调用，并把两个都重新写一次。",
	scan.CodeAmbiguousValue:  `调用不是合法的 JSON 对象；请重新写成 {"name": …, "arguments": {…}}，闭合每个括号，字符串用双引号，其中引号写成 \"，反斜杠写成 \\，换行写成 \n。`,
	scan.CodeUnclosedValue:   "最后一个值没有闭合；请重新写这个调用，写上结束的引号、括号和结束标签。",
	scan.CodeUnclosedBlock:   "调用没有闭合；请带上全部括号和结束标签重新写一次。",
	scan.CodeStrayCloser:     `调用之后出现了一个结束标签，而那里没有打开的调用，无法确定调用在哪里结束；字符串中的引号要写成 \"。`,
	scan.CodeBadKey:          `调用只能含有 "name" 和 "arguments"，参数名不能为空；请把每个参数写在 "arguments" 里。`,
	scan.CodeBareValue:       `"arguments" 不是 JSON 对象；请写成 "arguments": {"参数名": 参数值}。`,
	scan.CodeDuplicateKey:    "调用中有一个键写了两次；每个键只写一次。",
	scan.CodeMissingToolName: `调用没有说明要调用哪个函数；请写上 "name": "函数名"。`,
}
