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
tool_name:「始」the name of a tool below「末」,
name_of_a_parameter:「始」its value「末」
<<<[END_TOOL_REQUEST]>>>

- Lists and objects are JSON.
- Several requests in one reply run in order. To use a result, wait for it first.
- Then end your reply: results follow. Never write one yourself.
- Never fence a request, except to show one that must not run.
- Only a value with such marks in it goes between 「始ESCAPE:x」 and 「末ESCAPE:x」.
- If no tool fits, say what you cannot do. If you need none, just answer.

The tools:
`

const usageChinese = `调用工具时，在回复中写：

<<<[TOOL_REQUEST]>>>
tool_name:「始」下面的工具名「末」,
参数名:「始」参数值「末」
<<<[END_TOOL_REQUEST]>>>

- 列表和对象写成 JSON。
- 可写多个请求，按顺序执行。要用结果，先等待结果。
- 写完就结束回复，绝不自己写结果。
- 请求不放进代码块，除非只作展示。
- 值里含这类标记时，才用 「始ESCAPE:x」 和 「末ESCAPE:x」。
- 没有合适的工具就说做不到；不需要就直接回答。

工具：
`
