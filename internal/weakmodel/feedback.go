package weakmodel

import "strings"

// isExplained reports whether the feedback says in words how to correct the slip.
func (m *Model) isExplained(feedback string) bool {
	says := func(groups ...string) bool { return contains(feedback, groups...) }
	names := func(name string) bool { return name != "" && strings.Contains(feedback, name) }
	const again = "again|once more|再|重新|重写"
	switch m.slip {
	case Fenced:
		return says("fence|code block|代码块|围栏", again+"|without|outside")
	case InReasoning:
		return says("reasoning|think|思考|推理", again+"|outside|after")
	case Quoted:
		return says("quot|引用", again+"|without|outside")
	case OtherForm, BareJSON, FencedJSON, JSONBody, ColonBody, WrongMark, Escaped, EscapedBody, CopiesExample:
		return m.form.shownIn(feedback)
	case EmptyReply:
		return says("no answer|empty|没有答案|没有回答|为空", "request|请求")
	case Announces:
		return says("no request|without a request|没有请求", "write|写")
	case MissingEnd:
		return names(m.form.end) || says("end mark|closing tag|结束标记|结束标签", again)
	case MissingCloser, WrongCloser:
		return says("close|closing|brace|bracket|闭合|关闭|结束", again) || m.form.shownIn(feedback)
	case UnknownTool:
		if m.current().Invented {
			return says("cannot|can not|unable|no tool fits|none fits|无法|没有合适|做不到")
		}
		return names(m.current().Call)
	case CloseName:
		return names(m.current().Call)
	case ArgumentName:
		return names(m.argument)
	case ExtraArgument:
		return names(m.argument) && says("unknown|no such|does not|takes|drop|omit|leave out|without|未知|没有|不存在|不接受|多余|去掉|删除")
	case MissingArgument:
		return names(m.argument) && says("required|missing|nothing|必填|必需|必须|缺")
	case GroupedNumber:
		return names(m.argument) && says("integer|number|整数|数字|数值")
	case WrongZone:
		return says("asia/|europe/|utc")
	case WrongPath: // it ends with the right path, so the wrong path is removed first
		return strings.Contains(strings.ReplaceAll(feedback, "archive/"+m.argument, ""), m.argument)
	case WrongType:
		return names(m.argument) && says("integer|number|boolean|true or false|整数|数字|数值|布尔")
	case Truncated:
		return says(again + "|continue|继续")
	case FabricatedResult:
		return says("result|结果", "stop|停", "request|请求")
	case Repeats:
		return says("same|相同|重复", "answer|回答")
	case None, Placeholder, ClaimsSuccess, ThreeMistakes:
	}
	return false
}

// toolsAreGone reports whether the feedback says that the model must answer without tools.
func toolsAreGone(feedback string) bool {
	return contains(feedback, "no longer available|not available any more|工具已不可用|工具不再可用|不能再使用工具")
}

// saysToWait reports whether the prompt says to wait for a result before it is used.
func saysToWait(prompt string) bool {
	return contains(prompt, "wait for|wait until|before you use|等待|等到|等收到|先等", "result|结果")
}

// contains reports whether text contains at least one word of each group, in any letter case. The
// words of a group are separated by bars, as in "again|once more".
func contains(text string, groups ...string) bool {
	text = strings.ToLower(text)
	for _, group := range groups {
		found := false
		for word := range strings.SplitSeq(group, "|") {
			found = found || strings.Contains(text, word)
		}
		if !found {
			return false
		}
	}
	return true
}
