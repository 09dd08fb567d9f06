package vcp

import (
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// ErrorMessage tells a model how to correct a request with an error of that code.
func (Protocol) ErrorMessage(code scan.ErrorCode, o protocol.PromptOptions) string {
	return o.Choose(english.For(code), chinese.For(code))
}

var english = scan.Messages{
	"":                       "the request cannot be read; write it exactly as the instructions say",
	scan.CodeLimitExceeded:   "the request passes a limit of size or number; write fewer or smaller requests",
	scan.CodeAfterAmbiguous:  "an earlier request in the same reply has a value that can be read in two ways; correct that one and write both again",
	scan.CodeAmbiguousValue:  "a value holds what looks like another field, so it is unclear where it ends; write the request again and close each value; a value that holds such marks goes into an ESCAPE pair with a tag that is not in it",
	scan.CodeUnclosedValue:   "the last value is never closed; write the request again and close every value",
	scan.CodeBadTag:          "the tag of an ESCAPE value may hold only ASCII letters, digits, '_' and '-', at most 32 of them",
	scan.CodeUnclosedBlock:   "the request has no end marker; write it again with its end marker",
	scan.CodeStrayCloser:     "the end of a value is in a place where no value is open, so it is unclear what the values are; write the request again with a mark before and one after each value; only a value that holds such marks itself goes into an ESCAPE pair, with a tag that is not in it",
	scan.CodeNoFields:        "the block holds no field; write each parameter as its name, a colon and its value between the marks for values",
	scan.CodeBadKey:          "a value has no name before it; write the name and a colon before each value",
	scan.CodeBareValue:       "a parameter is written without marks around its value; write each value between the marks for values",
	scan.CodeDuplicateKey:    "a field is written twice with different values; write it once",
	scan.CodeMissingToolName: "the block has no " + keyToolName + "; write that field first, with the name of the tool as its value",
}

var chinese = scan.Messages{
	"":                       "请求无法读取；请完全按照说明重新书写。",
	scan.CodeLimitExceeded:   "请求超出了大小或数量的上限；请写得更少或更短。",
	scan.CodeAfterAmbiguous:  "同一回复中前面的一个请求有一个值可以有两种读法；请改正那个请求，并把两个都重新写一次。",
	scan.CodeAmbiguousValue:  "有一个值含有类似另一个参数的内容，无法确定它在哪里结束；请重新写这个请求，并闭合每个值；含有这类标记的值要放进一对 ESCAPE 标记，其中的标签不能出现在值里。",
	scan.CodeUnclosedValue:   "最后一个值没有闭合；请重新写这个请求，并闭合每个值。",
	scan.CodeBadTag:          "ESCAPE 的标签只能含有 ASCII 字母、数字、'_' 和 '-'，最多 32 个。",
	scan.CodeUnclosedBlock:   "请求没有结束标记；请带上结束标记重新写一次。",
	scan.CodeStrayCloser:     "一个值的结束标记出现在没有值打开的地方，无法确定各个值的内容；请重新写这个请求，在每个值的前后各写一个标记；只有本身含有这类标记的值才放进一对 ESCAPE 标记，其中的标签不能出现在值里。",
	scan.CodeNoFields:        "请求里没有任何参数；请把每个参数写成参数名、冒号，以及放在值标记之间的参数值。",
	scan.CodeBadKey:          "有一个值前面没有参数名；请在每个值前写上参数名和冒号。",
	scan.CodeBareValue:       "有一个参数值没有放在值标记之间；请把每个值写在值标记之间。",
	scan.CodeDuplicateKey:    "有一个参数写了两次，值却不同；每个参数只写一次。",
	scan.CodeMissingToolName: "请求里没有 tool_name；请把它写在最前面，值是工具名。",
}
