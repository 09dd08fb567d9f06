package hermes

// usage returns the instructions before and after the definitions, in English or Chinese.
func usage(language string) (before, after string) {
	if language == "zh" {
		return beforeChinese, afterChinese
	}
	return beforeEnglish, afterEnglish
}

const beforeEnglish = `# Tools

You may call one or more functions to help with what the user asks.

The signatures of the functions stand here, between the XML tags for tools:
`

const afterEnglish = `
For each function call, write a JSON object with the function's name and its arguments between the XML tags for a call:
<tool_call>
{"name": "name of the function", "arguments": {"name of a parameter": "its value"}}
</tool_call>

- Write valid JSON: strings in double quotes, with \" for a quotation mark, \\ for a backslash and \n for a line break inside of them. This
  holds above all for text that you did not write yourself, such as a file, a web page or a result.
- You may make several calls in one reply, each between tags of its own; they run in order. You may write text around them.
- After the calls, end your reply. You then receive a result for each call, in the same order. Never write a result yourself, and never
  guess one.
- Where a result says that a call was malformed or an argument invalid, mend the call as it says and write it again.
- When you need no function, answer without a call.
`

const beforeChinese = `# 工具

你可以调用一个或多个函数来帮助完成用户的请求。

函数签名位于下面的 XML 标签之间：
`

const afterChinese = `
每次调用函数时，在调用标签之间写一个 JSON 对象，其中包含函数名和参数：
<tool_call>
{"name": "函数名", "arguments": {"参数名": "参数值"}}
</tool_call>

- 必须写合法的 JSON：字符串用双引号；字符串中的引号写成 \"，反斜杠写成 \\，换行写成 \n。引用不是你自己写的文字（文件、网页、结果）时尤其如此。
- 一次回复中可以多次调用，每次调用用自己的标签，按顺序执行；调用的前后可以有文字。
- 写完调用后就结束回复。随后你会按同样的顺序收到每次调用的结果。绝不要自己写结果，也不要猜测结果。
- 如果结果说调用格式错误或参数无效，请按提示修正后重新写一次。
- 不需要函数时，直接回答，不要写调用。
`
