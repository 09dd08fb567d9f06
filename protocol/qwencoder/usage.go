package qwencoder

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
To call a function, write exactly this, with nothing between the tags but the values:

<tool_call>
<function=name_of_the_function>
<parameter=name_of_a_parameter>
its value
</parameter>
</function>
</tool_call>

- A value is plain text, without quotation marks around it and without escapes. Lists and objects are JSON.
- If a value contains one of these tags, write &lt; for its <.
- Do not put a call into a code fence. To show one without running it, use a code fence.
- You may make several calls in one reply, each in its own <tool_call>. Then end your reply. You receive a result for each call, in the same
  order. Never write or guess a result yourself.
- If a result says that a call was wrong, correct the call and write it again.
- If no function fits, answer without a call.
`

const beforeChinese = `# 工具

你可以调用以下函数：

`

const afterChinese = `
调用函数时，严格按下面的格式写，标签之间除参数值外不写任何内容：

<tool_call>
<function=函数名>
<parameter=参数名>
参数值
</parameter>
</function>
</tool_call>

- 参数值是纯文本，不加引号，不转义。列表和对象写成 JSON。
- 如果参数值里含有上面的某个标签，把该标签的 < 写成 &lt;。
- 不要把调用放进代码块。只想展示而不执行时，才放进代码块。
- 一次回复中可以多次调用，每次用自己的 <tool_call>。写完就结束回复，随后你会按同样的顺序收到每次调用的结果。绝不要自己写结果，也不要猜测。
- 如果结果说调用有误，请修正后重新写一次。
- 没有合适的函数时，直接回答，不要调用。
`
