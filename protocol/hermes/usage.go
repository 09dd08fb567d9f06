package hermes

// usage returns the instructions before and after the definitions, in English or Chinese.
func usage(language string) (before, after string) {
	if language == "zh" {
		return beforeChinese, afterChinese
	}
	return beforeEnglish, afterEnglish
}

const beforeEnglish = `# Tools

You may call these functions:
`

const afterEnglish = `
To call one, write:
<tool_call>
{"name": "name of the function", "arguments": {"name of a parameter": "its value"}}
</tool_call>

- Write valid JSON: in a string, \" for a quotation mark, \\ for a backslash, \n for a line break.
- Several calls in one reply run in order, each in tags of its own. To use a result, wait for it first.
- Then end your reply: results follow. Never write one yourself.
- Never fence a call, except to show one that must not run.
- If no function fits, say what you cannot do. If you need none, just answer.
`

const beforeChinese = `# 工具

你可以调用这些函数：
`

const afterChinese = `
调用时写：
<tool_call>
{"name": "函数名", "arguments": {"参数名": "参数值"}}
</tool_call>

- 必须是合法的 JSON：字符串中引号写成 \"，反斜杠写成 \\，换行写成 \n。
- 可多次调用，按顺序执行，各用自己的标签。要用结果，先等待结果。
- 写完就结束回复，绝不自己写结果。
- 调用不放进代码块，除非只作展示。
- 没有合适的函数就说做不到；不需要就直接回答。
`
