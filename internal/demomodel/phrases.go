package demomodel

// ModelID is the id of the demo model.
const ModelID = "vcp-demo-planner"

// phrases are the planner's sentences in one language. They name no tool.
type phrases struct {
	calling, unused, partly, retry, lacking, noMatch, noQuestion, noTools, noMore, gives, nothing, failed, left string
}

func phrasesFor(question string) phrases {
	if hasHan(question) {
		return chinese
	}
	return english
}

const realModelCommand = "`vcp chat --base-url http://127.0.0.1:11434/v1 --model NAME`"

var english = phrases{
	calling:    "I will use %s.",
	unused:     " I found no use for %s.",
	partly:     " That is more than I plan at once; ask for the rest again.",
	retry:      "That did not work as I asked for it; I try %s once more, as the result suggests.",
	lacking:    "I would use `%s` for that, but I find no value for its parameter `%s` in your message (%s). Please say which.",
	noMatch:    "I am " + ModelID + ", a small rule-based planner and no language model: I match the words of a message with the tools that I am given, and nothing in yours fits one of them. For other answers, point vcp at a real model: " + realModelCommand + ". The tools are:",
	noQuestion: "I am " + ModelID + ", a small rule-based planner. Ask me something that one of the tools can answer. For anything else point vcp at a real model: " + realModelCommand + ".",
	noTools:    "I am " + ModelID + ", a small rule-based planner: I can only call tools and tell what they say, and no tools are available in this turn. I find no definitions in the form of the protocol %s, the only one that I read here (`vcp demo-model --protocol` names another). For answers without tools point vcp at a real model: " + realModelCommand + ".",
	noMore:     "No tools are available any more in this turn, so this answer rests on the results so far.",
	gives:      "%s gives:",
	nothing:    "%s returned no text.",
	failed:     "%s did not work: %s",
	left:       "… and %d more lines.",
}

var chinese = phrases{
	calling:    "我来使用 %s。",
	unused:     "没有用上 %s。",
	partly:     "一次规划不了这么多，其余的请再问一次。",
	retry:      "刚才的调用没有成功，我按照结果的提示再试一次 %s。",
	lacking:    "我想用 `%s` 来回答，但在你的话里没有找到参数 `%s` 的值（%s）。请补充说明。",
	noMatch:    "我是 " + ModelID + "，一个很小的基于规则的规划器（rule-based planner），不是语言模型：我只把你的话和我得到的工具相匹配，这次没有匹配到。需要其他回答时，请让 vcp 连接一个真正的模型：" + realModelCommand + "。可用的工具有：",
	noQuestion: "我是 " + ModelID + "，一个很小的基于规则的规划器（rule-based planner）。请提一个工具能回答的问题。其他问题请让 vcp 连接一个真正的模型：" + realModelCommand + "。",
	noTools:    "我是 " + ModelID + "，一个很小的基于规则的规划器（rule-based planner）：我只会调用工具并转述结果，而这一轮没有可用的工具。没有找到协议 %s 格式的工具定义，我在这里只读这一种（`vcp demo-model --protocol` 可以换一种）。不用工具的回答请让 vcp 连接一个真正的模型：" + realModelCommand + "。",
	noMore:     "这一轮已经没有可用的工具，以下回答只依据目前的结果。",
	gives:      "%s 的结果：",
	nothing:    "%s 没有返回文字。",
	failed:     "%s 没有成功：%s",
	left:       "……另有 %d 行。",
}
