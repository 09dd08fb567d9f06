package chinese

import "github.com/vcpgo/vcp/internal/message"

// Conversation has the texts that package cmd/vcp/internal/conversation shows to a person.
var Conversation = message.Catalog{
	"Talking with %v. Ctrl-C stops an answer; Ctrl-C twice or Ctrl-D quits; /help shows the commands.":                                               "正在与 %v 对话。Ctrl-C 停止回答；连按两次 Ctrl-C 或按 Ctrl-D 退出；/help 显示命令。",
	"no model server is named, so the demo model answers: a small rule-based planner, no language model (name a server with --base-url and --model)": "没有指定模型服务器，因此由演示模型回答：它是一个基于规则的小程序，不是语言模型（用 --base-url 和 --model 指定服务器）",
	"%s at %s":                 "%[2]s 上的 %[1]s",
	"(Ctrl-C once more quits)": "（再按一次 Ctrl-C 退出）",
	"the history of messages is not kept: %s":                       "不保留消息的历史记录：%s",
	"the last turn was interrupted; it is finished first":           "上一轮对话被中断；先把它完成",
	"older messages are not shown; vcp sessions show %s shows them": "没有显示较早的消息；用 vcp sessions show %s 查看",
	"the last message has no reply; /retry lets the model reply":    "最后一条消息没有回复；用 /retry 让模型回答",
	"%s; --save-files DIRECTORY saves it":                           "%s；用 --save-files DIRECTORY 保存",
	"%s could not be saved: %s":                                     "%s 无法保存：%s",
	"%s saved as %s":                                                "%s 已保存为 %s",

	// The commands.
	"show these commands":                      "显示这些命令",
	"show the methods that the model may call": "显示模型可以调用的方法",

	"show which model answers, or switch to the model NAME of the same server":             "显示由哪个模型回答，或切换到同一服务器的模型 NAME",
	"let the model continue after an answer that failed or was stopped":                    "在回答失败或被停止之后，让模型继续",
	"show your messages and the replies, with their numbers":                               "显示你的消息和回复，以及它们的编号",
	"send TEXT in place of your message N":                                                 "用 TEXT 代替你的编号为 N 的消息",
	"let the model write the last reply, or the reply N, again":                            "让模型重写最后一条回复，或编号为 N 的回复",
	"list the versions of the conversation that /edit and /again keep, with their numbers": "列出 /edit 和 /again 保留的各个对话版本及其编号",
	"continue with the version N, or after the message N":                                  "从版本 N 继续，或从消息 N 之后继续",
	"begin a new conversation":                                                             "开始新的对话",
	"quit, as /quit does":                                                                  "退出（/quit 也可以）",
	"send the message /TEXT":                                                               "发送消息 /TEXT",

	// Errors of the commands.
	"%q is not sent to the model; /exit quits":                                            "%q 没有发送给模型；/exit 退出",
	"%s takes no argument, and one was given: %s":                                         "%s 不接受参数，但给出了：%s",
	"there is no command %s; there are %s; a message that begins with / is typed with //": "没有命令 %s；现有命令：%s；以 / 开头的消息请用 // 开头输入",

	"the model may call no methods: %v":                                                                  "没有可用的方法：%v",
	"no answer has failed or was stopped, so there is nothing to retry":                                  "没有失败或被停止的回答，因此没有可以重试的内容",
	"nothing was said yet":                                                                               "还没有任何消息",
	"/edit needs the new text after the number of the message: /edit N TEXT":                             "/edit 需要在消息编号之后写出新的内容：/edit N TEXT",
	"%d is not a message of yours; /history shows them":                                                  "%d 不是你的消息；/history 显示它们",
	"there is no such reply; /history shows them":                                                        "没有这条回复；/history 显示它们",
	"the conversation cannot continue after %d; /branches shows the versions, and /history the messages": "不能从 %d 之后继续；/branches 显示各个版本，/history 显示消息",
	"a number is needed (got %q); /history and /branches show the numbers":                               "需要一个编号（得到的是 %q）；/history 和 /branches 显示编号",
	"the demo model is the only one here; quit, and name a server with --base-url":                       "这里只有演示模型；请退出，并用 --base-url 指定服务器",
	"cannot read from the terminal: %v":                                                                  "无法从终端读取：%v",
	"cannot read standard input: %v":                                                                     "无法读取标准输入：%v",
	"no turn was interrupted, so there is nothing to resume":                                             "没有哪一轮对话被中断，因此没有可以恢复的内容",

	// The statistics at the end.
	"tool calls":                        "工具调用",
	"in %d replies":                     "共 %d 条回复",
	"in one reply":                      "共 1 条回复",
	"success rate":                      "成功率",
	"%d of %d calls":                    "%[2]d 次调用中 %[1]d 次成功",
	"argument accuracy":                 "参数正确率",
	"%d of %d calls of a known method":  "方法已知的 %[2]d 次调用中 %[1]d 次正确",
	"unknown names":                     "未知名称",
	"%d of %d calls that could be read": "可读取的 %[2]d 次调用中 %[1]d 次",
	"invented arguments":                "编造的参数",
	"self-correction":                   "自我纠正",
	"%d of %d mistakes corrected in the next reply": "%[2]d 个错误中有 %[1]d 个在下一条回复中纠正",
	"latency": "延迟",
	"mean; half within %s, 95 %% within %s, at most %s": "平均；一半在 %s 以内，95 %% 在 %s 以内，最长 %s",
	"results":  "结果",
	"%d token": "%d 个 token",
	"estimated; %d of %d bytes, %d truncated, %d summarized": "估计值；%[2]d 字节中的 %[1]d 字节，%[3]d 个被截断，%[4]d 个为摘要",
	"repairs": "修复",
	"; %s":    "；%s",

	// Why there is no answer.
	"the model ended without an answer; ask again, or in other words":                      "模型没有给出答案就结束了；请重新提问，或换一种说法",
	"%v, so the model had to answer without tools":                                         "%v，因此模型只能不用工具回答",
	"%v, so the model had to answer without tools, and gave no answer; ask in other words": "%v，因此模型只能不用工具回答，但没有给出答案；请换一种说法提问",
	"a limit was reached (%v) before there was an answer; what was done is kept":           "在得到答案之前达到了上限（%v）；已完成的部分会保留",
	"the limit of tool calling was reached (%v)":                                           "达到了工具调用的上限（%v）",
	"%s is %s": "%s 为 %s",
	"nothing that the model requested could be run, several times in a row":                       "模型连续几次请求的内容都无法执行",
	"the model made the same tool calls three times, with the same results":                       "模型三次进行了相同的工具调用，结果也相同",
	"the model stopped before it was done (finish reason %q); ask for less, or let it write more": "模型没有写完就停止了（结束原因 %q）；请减少要求，或允许它写得更多",
	"nothing in it was run":                "其中没有执行任何内容",
	"the tool call in it was not run":      "其中的工具调用没有执行",
	"the %d tool calls in it were not run": "其中的 %d 个工具调用没有执行",
	"the reply was longer than the limit (%v), so it was truncated, and %v; ask for less, or raise the limit":            "回复超过了长度上限（%v），因此被截断，%v；请减少要求，或提高上限",
	"the model was stopped before it was done (finish reason %q), and %v; ask again, or in other words":                  "模型没有写完就被停止了（结束原因 %q），%v；请重新提问，或换一种说法",
	"the reply ended without a finish reason, or with two that differ, so it may have been truncated, and %v; ask again": "回复没有结束原因，或有两个不同的结束原因，可能被截断了，%v；请重新提问",
}
