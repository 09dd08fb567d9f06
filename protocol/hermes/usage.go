package hermes

// usage returns the instructions before and after the definitions, in English or Chinese.
func usage(language string) (before, after string) {
	if language == "zh" {
		return beforeChinese, afterChinese
	}
	return beforeEnglish, afterEnglish
}

const beforeEnglish = `# Tools

You may call functions to help with what the user asks. Their signatures:
`

const afterEnglish = `
For each call, write a JSON object between these tags:
<tool_call>
{"name": "name of the function", "arguments": {"name of a parameter": "its value"}}
</tool_call>

- Write valid JSON: in a string, \" for a quotation mark, \\ for a backslash, \n for a line break.
- Several calls in one reply run in order, each in tags of its own. To use a result in a call, wait for it first.
- Then end your reply: you get a result for each. Never write one yourself.
- Never put a call in a code fence, unless it is only an example that must not run.
- If no function fits, say what you cannot do. If you need none, just answer.
`

const beforeChinese = `# 工具

你可以调用函数来完成用户的请求。函数签名：
`

const afterChinese = `
每次调用时，在这两个标签之间写一个 JSON 对象：
<tool_call>
{"name": "函数名", "arguments": {"参数名": "参数值"}}
</tool_call>

- 必须是合法的 JSON：字符串中引号写成 \"，反斜杠写成 \\，换行写成 \n。
- 一次可多次调用，按顺序执行，每次用自己的标签。要用到结果时，先等待结果。
- 写完就结束回复，随后会收到结果。绝不要自己写结果。
- 调用不要放进代码块；只作示例、不执行的才放。
- 没有合适的函数就说明做不到；不需要函数就直接回答。
`
