package vcp

// usage returns the instructions that precede the definitions (DIALECT section 7), in English or
// Chinese.
func usage(language string) string {
	if language == "zh" {
		return usageChinese
	}
	return usageEnglish
}

const usageEnglish = `You can call tools. To call one, write this into your reply:

<<<[TOOL_REQUEST]>>>
tool_name:「始」the tool_name of a definition below「末」,
name_of_a_parameter:「始」its value「末」
<<<[END_TOOL_REQUEST]>>>

- Lists and objects are written as JSON between 「始」 and 「末」.
- Several requests in one reply run in order. To use a result in a request, wait for it first.
- Then end your reply: you get a result for each. Never write one yourself.
- Never put a request in a code fence, unless it is only an example that must not run.
- Only a value that holds 「始」, 「末」 or block markers goes between 「始ESCAPE:x1」 and 「末ESCAPE:x1」; x1 is any word that is not in it.
- If no tool fits, say what you cannot do. If you need none, just answer.

The tools:
`

const usageChinese = `你可以调用工具。要调用工具，请在回复中写：

<<<[TOOL_REQUEST]>>>
tool_name:「始」下面某个工具的名称「末」,
参数名:「始」参数值「末」
<<<[END_TOOL_REQUEST]>>>

- 列表和对象在标记之间写成 JSON。
- 一次可写多个请求，按顺序执行。要用到结果时，先等待结果。
- 写完就结束回复，随后会收到结果。绝不要自己写结果。
- 请求不要放进代码块；只作示例、不执行的才放。
- 只有含 「始」、「末」 或块标记的值才放在 「始ESCAPE:x1」 和 「末ESCAPE:x1」 之间，x1 是值中没有的词。
- 没有合适的工具就说明做不到；不需要工具就直接回答。

工具：
`
