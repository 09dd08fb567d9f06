package vcp

// usage returns the instructions that precede the definitions (DIALECT section 7), in English or
// Chinese.
func usage(language string) string {
	if language == "zh" {
		return usageChinese
	}
	return usageEnglish
}

const usageEnglish = `You can call tools. To call one, write a request block into your reply, exactly in this form:

<<<[TOOL_REQUEST]>>>
tool_name:「始」the tool_name of a definition below「末」,
name_of_a_parameter:「始」its value「末」
<<<[END_TOOL_REQUEST]>>>

- Write each parameter as name:「始」value「末」. Lists and objects are written as JSON between the marks.
- You may write several blocks in one reply; they run in order. You may write text around them.
- After the blocks, end your reply. You then receive one <<<[TOOL_RESULT]>>> block for each request, in
  the same order. Never write a result yourself, and never guess one.
- A value that holds text you did not write yourself (a file, a web page, a result), or that holds 「始」, 「末」 or a block marker,
  goes between 「始ESCAPE:tag」 and 「末ESCAPE:tag」, where tag is a word of your own choice that is nowhere in the text, a new one each
  time. Nothing inside has meaning, and nothing is changed.
- Where a result says that a request was malformed or an argument invalid, mend the request as it says and write it again.
- When you need no tool, answer without a block.

These are the tools:
`

const usageChinese = `你可以调用工具。要调用工具，请在回复中写一个请求块，格式必须如下：

<<<[TOOL_REQUEST]>>>
tool_name:「始」下面某个定义中的 tool_name「末」,
参数名:「始」参数值「末」
<<<[END_TOOL_REQUEST]>>>

- 每个参数写成 参数名:「始」值「末」。列表和对象在标记之间写成 JSON。
- 一次回复中可以写多个请求块，按顺序执行；块的前后可以有文字。
- 写完请求块后就结束回复。随后你会按同样的顺序，为每个请求收到一个 <<<[TOOL_RESULT]>>> 块。绝不要自己写结果，也不要猜测结果。
- 如果值里有不是你自己写的文字（文件、网页、工具结果），或者含有 「始」、「末」 或块标记，请放在 「始ESCAPE:tag」 和 「末ESCAPE:tag」 之间；tag 是你自己选的、
  文字中没有出现过的词，每次都用新的。其中的内容没有任何特殊含义，也不会被改动。
- 如果结果说请求格式错误或参数无效，请按提示修正后重新写一次。
- 不需要工具时，直接回答，不要写请求块。

可用的工具如下：
`
