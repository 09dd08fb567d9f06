package chinese

import "github.com/vcpgo/vcp/internal/message"

// DemoModel has the sentences of package internal/demomodel.
var DemoModel = message.Catalog{
	"I will use %s.":               "我来使用 %s。",
	" I can do nothing with `%s`.": "`%s` 我没有办法处理。",
	" That is more than I plan at once; ask for the rest again.":                                                    "一次规划不了这么多，其余的请再问一次。",
	"That did not work; I try %s once more, as the result suggests.":                                                "刚才的调用没有成功，我按照结果的提示再试一次 %s。",
	"I would use `%s` for that, but I find no value for its parameter `%s` in your message (%s). Please say which.": "我想用 `%s` 来回答，但在你的话里没有找到参数 `%s` 的值（%s）。请补充说明。",
	"I am vcp-demo-planner, a small rule-based planner, not a language model. ":                                     "我是 vcp-demo-planner，一个很小的基于规则的规划器（rule-based planner），不是语言模型。",
	"For other answers, point vcp at a real model: `vcp chat --base-url http://127.0.0.1:11434/v1 --model NAME`.":   "需要其他回答时，请让 vcp 连接一个真正的模型：`vcp chat --base-url http://127.0.0.1:11434/v1 --model NAME`。",
	"Ask me something that one of the tools can answer. ":                                                           "请提一个工具能回答的问题。",
	"I can only call tools and tell what they say, and no tools are available in this turn. I find no definitions in the form of the protocol %s, the only one that I read here (`vcp demo-model --protocol` names another). ": "我只会调用工具并转述结果，而这一轮没有可用的工具。没有找到协议 %s 格式的工具定义，我在这里只读这一种（`vcp demo-model --protocol` 可以换一种）。",
	"I match the words of a message with the tools that I am given, and nothing in yours fits one of them. ":                                                                                                                   "我只把你的话和我得到的工具相匹配，这次没有匹配到。",
	"The tools are:": "可用的工具有：",
	"No tools are available any more in this turn, so this answer rests on the results so far.": "这一轮已经没有可用的工具，以下回答只依据目前的结果。",
	"%s gives:":            "%s 的结果：",
	"%s returned no text.": "%s 没有返回文字。",
	"%s did not work: %s":  "%s 没有成功：%s",
	"… and %d more lines.": "……另有 %d 行。",
}
