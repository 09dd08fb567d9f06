package engine

import "fmt"

// A phrase is a sentence of the engine for the model, in the languages that
// protocol.PromptOptions.Language can name.
type phrase struct{ en, zh string }

// in returns the sentence in a language, with values in place of its formatting verbs: "zh" is
// Chinese, any other is English.
func (p phrase) in(language string, values ...any) string {
	text := p.en
	if language == "zh" {
		text = p.zh
	}
	if len(values) == 0 {
		return text
	}
	return fmt.Sprintf(text, values...)
}

var (
	phraseReplies = phrase{
		"For each message of the user, at most %d of your replies may use tools.", "对用户的每条消息，你最多有 %d 次回复可以使用工具。",
	}
	phraseTwoReplies = phrase{
		"Two more of your replies may use tools. Then you must answer from what you have.",
		"你还有两次回复可以使用工具，之后必须根据已有的结果回答。",
	}
	phraseOneReply = phrase{
		"Only your next reply may still use tools. Then you must answer from what you have.",
		"只有下一次回复还可以使用工具，之后必须根据已有的结果回答。",
	}
	phraseNoTools = phrase{
		"Tools are no longer available: the requests that one answer may make are used up.",
		"工具已不可用：本次回答可用的工具调用次数已经用完。",
	}
	phraseNoProgress = phrase{
		"Tools are no longer available: your last requests could not be run, or repeated earlier ones.",
		"工具已不可用：你最近的请求无法执行，或者只是重复了之前的请求。",
	}
	phraseAnswerNow = phrase{
		"Write no more tool requests; they would not be run. Answer the user now from the results that you have, and say what is missing.",
		"不要再写工具请求，写了也不会执行。请根据已有的结果直接回答用户，并说明还缺什么。",
	}
	phraseNotRun = phrase{
		"Your last reply requested a tool again. It was not run.", "你的上一次回复又请求了工具，没有执行。",
	}
	phraseContinue = phrase{
		"Your reply was truncated in a tool request, and what you had begun after the last whole field is lost. Continue exactly where your " +
			"reply ends above: write the next field from its beginning, then the rest of the request with its end. Repeat nothing, explain nothing.",
		"你的回复在一个工具请求中被截断，最后一个完整字段之后的内容已丢失。请严格从上面回复的结尾处继续：从头写出下一个字段，再写完请求的其余部分及其结束标记。不要重复，不要解释。",
	}
	phraseFabricated = phrase{
		"You wrote the result of a tool yourself. Only tools return results, so everything from there on was dropped, and nothing was run. " +
			"If you need a tool, write the request and stop there; else answer without its result.",
		"你自己编写了工具结果。结果只能由工具给出，因此从那里开始的内容已被丢弃，也没有执行任何工具。如果需要工具，请写出请求后停止；否则请直接回答。",
	}
	phraseEmpty = phrase{
		"Your reply contained no answer. Answer the user now. If you need a tool, write a request.",
		"你的回复中没有答案。请现在回答用户；如果需要工具，请写出请求。",
	}
	phraseAnnounced = phrase{
		"You said what you will do, but your reply contained no request, so nothing was run. If you need a tool, write the request now. " +
			"Else answer the user now.",
		"你说了要做什么，但回复中没有请求，因此没有执行任何操作。如果需要工具，请现在写出请求；否则请直接回答用户。",
	}
	phraseQuoted = phrase{
		"The request for %s stood in a code fence, a quotation or a definition, so it was not run. If you want it run, write it again " +
			"without ``` and without > at the beginning of its lines. If it was an example, finish your answer.",
		"对 %s 的请求写在代码块、引用或工具定义中，因此没有执行。如果需要执行，请去掉 ``` 和行首的 > 重新写一次；如果只是示例，请完成你的回答。",
	}
	phraseInReasoning = phrase{
		"The request for %s stood in your reasoning, so it was not run. If you want it run, write it again after your reasoning, outside of it. " +
			"Else finish your answer.",
		"对 %s 的请求写在思考内容中，因此没有执行。如果需要执行，请在思考结束之后重新写一次；否则请完成你的回答。",
	}
	phraseOtherForm = phrase{
		"The request for %s was not written in the form of the instructions, so it was not run. If you want it run, write it again in that " +
			"form, outside of any fence. If it was an example, finish your answer.",
		"对 %s 的请求没有按说明中的格式书写，因此没有执行。如果需要执行，请按该格式在代码块之外重新写一次；如果只是示例，请完成你的回答。",
	}
	phraseUnknownForm = phrase{
		"Your reply names %s, but contains no request in the form of the instructions, so nothing was run. If you want it run, write the " +
			"request in that form, outside of any fence. If it was an example, finish your answer.",
		"你的回复提到了 %s，但没有按说明中的格式书写请求，因此没有执行任何操作。如果需要执行，请按该格式在代码块之外写出请求；如果只是示例，请完成你的回答。",
	}
	phraseEscaped = phrase{
		"The request for %s was written with escaped marks, as results show the marks of other texts, so it was not run. If you want it run, " +
			"write it again with the marks of the instructions. If it was an example, finish your answer.",
		"对 %s 的请求用了转义后的标记（结果中展示其他文本的标记时才这样写），因此没有执行。如果需要执行，请用说明中的标记重新写一次；如果只是示例，请完成你的回答。",
	}
	phraseRepeated = phrase{
		"You made the same calls as before and got the same results. Making them again will change nothing and ends this answer: do something " +
			"else, or answer from what you have.",
		"你重复了与上次相同的调用，得到了相同的结果。再次重复不会有任何变化，并会结束本次回答：请换一种做法，或根据已有的结果回答。",
	}
	phraseCorrectForm = phrase{
		"The correct form of a request:", "请求的正确写法：",
	}
	phraseMoreForms = phrase{
		"The first %d requests are shown below in the correct form. Write the other %d in the same form:",
		"下面是前 %d 个请求的正确写法。其余 %d 个请用同样的写法：",
	}
	phraseSomeTool = phrase{"a tool", "某个工具"}
	phraseOmitted  = phrase{
		"[%d earlier messages of this conversation are omitted.]", "[本对话较早的 %d 条消息已省略。]",
	}
	phraseOutsideBlock = phrase{
		"it is not between the marks of a request; write it again with its opening and its end mark",
		"它不在请求的标记之内；请带上开头和结尾的标记重新写一次。",
	}
	phraseReplyEnded = phrase{
		"The reply ended within the request.", "回复在请求中间结束了。",
	}
	phraseTruncated = phrase{
		"The reply was truncated and was not completed.", "回复被截断，没有补完。",
	}
	phraseBadArguments = phrase{
		`the arguments are not a JSON object; write them as one JSON object, such as {"name of a parameter": "its value"}`,
		`参数不是 JSON 对象；请写成一个 JSON 对象，例如 {"参数名": "参数值"}。`,
	}
	phraseFirstOnly = phrase{
		"Only the first %d requests of one reply are run.", "一次回复中只执行前 %d 个请求。",
	}
	phraseUsedUp = phrase{
		"All %d requests that one answer may make are used up.", "一次回答最多可以使用的 %d 个请求已经用完。",
	}
	phraseUnread = phrase{
		"The requests after these are past a limit and were not read; write them in later replies, up to %d in each.",
		"后面的请求超出了上限，没有读取；请在之后的回复中书写，每次最多 %d 个。",
	}
	phraseOldResult = phrase{
		"[The rest of this old result, %d characters, is omitted. Call the method again if you need it.]",
		"[这个较早的结果的其余 %d 个字符已省略。如果需要，请再次调用该方法。]",
	}

	// Sentences of the engine's tool with the id "results".
	phraseNoSuchPage = phrase{
		"the result %[1]q has no page %[2]d; its pages are 1 to %[3]d", "结果 %[1]q 没有第 %[2]d 页；它有第 1 到 %[3]d 页",
	}
	phraseNoneKept     = phrase{"no result can be read further", "没有可以继续读取的结果"}
	phraseKept         = phrase{"the results that can be read further are %s", "可以继续读取的结果有 %s"}
	phraseNoLongerKept = phrase{
		"the result %q is no longer kept, because later ones took its place; %s; call its method again if you need it",
		"结果 %q 已被之后的结果替换，不再保留；%s；如果需要，请再次调用原来的方法",
	}
	phraseNotKept = phrase{"there is no excerpted result %q; %s", "没有 id 为 %q 的节选结果；%s"}

	// Sentences of the engine's tool with the id "tools".
	phraseNoneFound = phrase{
		"None of the %d methods has a word of %q. Search with other words. The tools are: %s.",
		"%d 个方法中没有一个含有 %q 中的词。请换用其他词搜索。工具有：%s。",
	}
	phraseFound        = phrase{"%d of %d methods, the best first:", "以下是 %[2]d 个方法中的 %[1]d 个，最相关的在前："}
	phraseAndMoreTools = phrase{"%s, and %d more", "%s，以及另外 %d 个"}
	phraseRequired     = phrase{", required", "，必填"}
	phraseOneOf        = phrase{" One of: %s.", " 可选值：%s。"}
	phraseDefault      = phrase{" Default: %s.", " 默认值：%s。"}
)

// joinSentences joins two texts as sentences of a language. For joinSentences, joinParagraphs and
// joinLines, either text may be "".
func joinSentences(language, a, b string) string {
	if language == "zh" {
		return a + b
	}
	return join(a, " ", b)
}

func joinParagraphs(a, b string) string { return join(a, "\n\n", b) }

func joinLines(a, b string) string { return join(a, "\n", b) }

// join joins two texts, with a separator unless one of them is "".
func join(a, separator, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + separator + b
}
