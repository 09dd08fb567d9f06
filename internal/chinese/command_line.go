package chinese

import "github.com/vcpgo/vcp/internal/message"

// CommandLine has the texts of command vcp and of the packages below it that have no catalog of
// their own.
var CommandLine = message.Catalog{
	// Arguments and flags.
	" (see %s --help)":                            "（见 %s --help）",
	"name a command: %s":                          "请指定命令：%s",
	"there is no flag -%s":                        "没有标志 -%s",
	"there is no flag --%s; did you mean %v?":     "没有标志 --%s；是否指 %v？",
	"there is no flag --%s":                       "没有标志 --%s",
	"--%s needs a value":                          "--%s 需要一个值",
	"%s is missing":                               "缺少 %s",
	"there is no command %q; the commands are %s": "没有命令 %q；现有命令：%s",
	"there is no command %q; did you mean %s? the commands are %s": "没有命令 %q；是否指 %s？现有命令：%s",
	"there is no command %q; did you mean %s %s?":                  "没有命令 %q；是否指 %s %s？",
	"one %s is allowed, and a second was given: %s":                "只允许一个 %s，但给出了第二个：%s",
	"no arguments are allowed, and one was given: %s":              "不接受参数，但给出了：%s",
	"%q is not joined to --%s; write --%s=%s":                      "%q 没有与 --%s 连写；请写成 --%s=%s",
	"--%s is %q; allowed is %s":                                    "--%s 为 %q；允许的值：%s",
	"is %q; allowed is %s":                                         "为 %q；允许的值：%s",
	"is empty; name a %s, or omit the flag":                        "为空；请指定 %s，或省略此标志",
	"is %q, a directory; a file is needed":                         "为 %q，这是目录；需要的是文件",
	"%s or %s":                                                     "%s 或 %s",
	"%v, or several with commas between them":                      "%v，或用逗号分隔的几个",
	"a whole number":                                               "整数",
	`a duration with a unit, such as "30s" or "720h"`:              `带单位的时长，例如 "30s" 或 "720h"`,
	"a whole number from %d":                                       "不小于 %d 的整数",
	"a %s":                                                         "%s 类型的值",
	"is %q: %s":                                                    "为 %q，无效：%s",
	"cannot read the file: %v":                                     "无法读取文件：%v",
	"cannot read %s: %v":                                           "无法读取 %s：%v",
	"%s cannot be opened: %v":                                      "%s 无法打开：%v",
	"%s is %q, which is not a directory":                           "%s 为 %q，这不是目录",
	"--%s cannot be opened: %v":                                    "--%s 无法打开：%v",
	"--%s: %v":                                                     "--%s 无效：%v",
	"; did you mean %s?":                                           "；是否指 %s？",
	"stopped by Ctrl-C":                                            "已被 Ctrl-C 停止",

	// vcp chat.
	"one MESSAGE is allowed, and a second was given: %q; put the message in quotation marks": "只允许一个 MESSAGE，但给出了第二个：%q；请把消息放在引号中",
	"MESSAGE is empty; omit it to be asked for messages":                                     "MESSAGE 为空；省略它就会等待输入消息",

	"cannot write the output: %v": "无法写出输出：%v",

	// Conversations.
	"nothing found": "没有找到",
	"no conversations yet; vcp chat begins one":        "还没有对话；用 vcp chat 开始一个",
	"no conversations of the owner %q":                 "没有所有者 %q 的对话",
	"no conversations with the tag %q":                 "没有带标签 %q 的对话",
	"no conversations of the owner %q with the tag %q": "没有所有者 %q 的、带标签 %q 的对话",
	"there are more; --limit shows more":               "还有更多；用 --limit 显示更多",
	"older messages are not shown; --limit shows more": "没有显示更早的消息；用 --limit 显示更多",
	"the reply is incomplete":                          "回复不完整",

	"--session and --owner must not be empty; omit the flag, or give it a name":                                 "--session 和 --owner 需要非空的名称；没有名称时请省略该参数",
	"%s is a YAML file, but replies are JSON, one on each line; a suite of tasks needs --live %s":               "%s 是 YAML 文件，但回复应为 JSON，每行一个；任务集需要 --live %s",
	"%s: %s is not a TrueType or OpenType font: %v":                                                             "%s：%s 不是 TrueType 或 OpenType 字体：%v",
	"--no-store keeps nothing, so --store, --owner, --session, --continue and --resume are not allowed with it": "--no-store 不保留任何内容，因此不能与 --store、--owner、--session、--continue 和 --resume 一起使用",
	"--session %q and --continue cannot be used together; omit one of them":                                     "--session %q 和 --continue 不能同时使用；请去掉一个",
	"--resume only finishes a turn, and a message was given: %q; send it with --continue":                       "--resume 只完成一轮对话，但给出了消息：%q；请用 --continue 发送它",

	"the conversation is not kept: %v":                                             "不保留这次对话：%v",
	"there is no conversation yet; begin one without --continue and --resume":      "还没有任何对话；请去掉 --continue 和 --resume，开始新的对话",
	"conversation %q has no owner; omit --owner to continue it":                    "对话 %q 没有所有者；去掉 --owner 就能继续它",
	"conversation %q belongs to %q; name the owner with --owner to continue it":    "对话 %q 属于 %q；请用 --owner 指定所有者，以继续它",
	"there is no directory for conversations: %v; name a file with --store":        "没有存放对话的目录：%v；请用 --store 指定文件",
	"the directory for conversations cannot be made: %v; name a file with --store": "无法创建存放对话的目录：%v；请用 --store 指定文件",
	"there is no action %q; the actions are %s":                                    "没有操作 %q；现有操作：%s",
	"name an action: %s":                                                                     "请指定操作：%s",
	"%v; vcp sessions list shows all conversations":                                          "%v；vcp sessions list 显示所有对话",
	"%v; --session gives it another name":                                                    "%v；--session 给它另一个名称",
	"--older-than and --keep-bytes must not be negative":                                     "--older-than 和 --keep-bytes 不能为负数",
	"name conversations, or select them with --older-than or --keep-bytes":                   "请指定对话的名称，或用 --older-than 或 --keep-bytes 选择对话",
	"names cannot be used together with --older-than or --keep-bytes, and one was given: %q": "名称不能与 --older-than 和 --keep-bytes 一起使用，但给出了：%q",

	// The configuration and the sources.
	"--no-config and --config %s cannot be used together": "--no-config 和 --config %s 不能同时使用",
	"configuration: protocol %v":                          "配置：protocol %v",
	"preset %s: protocol %v":                              "预设 %s：protocol %v",

	"there is no directory for the definitions of MCP tools: %v; set XDG_DATA_HOME": "没有存放 MCP 工具定义的目录：%v；请设置 XDG_DATA_HOME",
	"%s is named twice; name each source once":                                      "%s 指定了两次；每个来源只能指定一次",
	"%s: %d tool providers do not work as they should; vcp tools says why":          "%s：有 %d 个工具提供方不能正常工作；vcp tools 说明原因",
	"%s: %s is %s: %s": "%s：%s 的状态为 %s：%s",
	"toolOverrides.%s names no tool and no method here%v": "toolOverrides.%s 在这里不是任何工具或方法的名称%v",
	"--audit cannot be opened: %v":                        "--audit 无法打开：%v",

	// The model.
	"--retries is %d; allowed is a whole number from 0":                                                                      "--retries 为 %d；允许的值：不小于 0 的整数",
	"%s is %q, and no server is named: give --base-url URL or set %s; to use %s, set %s":                                     "%s 为 %q，但没有指定服务器：请给出 --base-url URL，或设置 %s；若要使用 %s，请设置 %s",
	"--api-key-env is %q, and no environment variable of that name holds a key; set it, or give --api-key-env= to send none": "--api-key-env 为 %q，但没有这个名称的环境变量存放密钥；请设置它，或用 --api-key-env= 表示不发送密钥",
	"%v: limit what the model is shown with --history-tokens, or raise the server's limit":                                   "%v：请用 --history-tokens 限制模型看到的内容，或提高服务器的上限",
	"%s: %v; a file holds no key: put it in the environment variable %s":                                                     "%s：%v；文件中不存放密钥：请放入环境变量 %s",
	"%v: set %s, or name another variable with --api-key-env":                                                                "%v：请设置 %s，或用 --api-key-env 指定另一个变量",
	"the demo model does not answer: %v":                                                                                     "演示模型没有回答：%v",

	// Tools and approval.
	"tool calling is switched off (enabled is false)":                                                                                                            "工具调用已关闭（enabled 为 false）",
	"every method is switched off (toolToggles and defaultToolEnabled)":                                                                                          "所有方法都已关闭（toolToggles 和 defaultToolEnabled）",
	"--tool-toggles names %q, and there is no such tool or method%v (vcp tools lists them)":                                                                      "--tool-toggles 指定了 %q，但没有这样的工具或方法%v（vcp tools 列出它们）",
	"approveRules[%d] (%s) matches no method here, so it restricts nothing%v":                                                                                    "approveRules[%d]（%s）在这里不适用于任何方法，因此没有限制作用%v",
	"nobody can be asked, since %v, so the model does not see methods whose calls need approval (%d), such as %s; to show it, %v":                                "无法询问任何人（%v），因此模型看不到需要批准才能调用的方法（%d 个），例如 %s；要让它可见，请%v",
	"allow its calls in the configuration, by approveRules: [{tool: %s, decision: allow}]":                                                                       "在配置中允许它的调用：approveRules: [{tool: %s, decision: allow}]",
	"say with --approve what may run without asking":                                                                                                             "用 --approve 说明哪些调用不经询问即可执行",
	"calls of %s need approval once, because %s; nobody can be asked: %v; run vcp in a terminal and approve a call":                                              "%s 的调用需要批准一次，因为 %s；无法询问任何人：%v；请在终端中运行 vcp 并批准一次调用",
	"calls of %s need approval by %s in %s, and nobody can be asked: %v; rules win over --approve, so remove this rule, or change its decision to allow or deny": "%s 的调用需要批准（依据 %s，见 %s），但无法询问任何人：%v；规则优先于 --approve，因此请去掉这条规则，或把它的 decision 改为 allow 或 deny",
	"calls of %s need approval whatever --approve says, and nobody can be asked: %v; %v":                                                                         "无论 --approve 如何设置，%s 的调用都需要批准，但无法询问任何人：%v；请%v",
	"calls of %s need approval, and nobody can be asked: %v; %v, or deny all calls with --approve never":                                                         "%s 的调用需要批准，但无法询问任何人：%v；请%v，或用 --approve never 拒绝所有调用",

	// Files of definitions and of command tools.
	"--tools cannot be opened: %v":                                 "--tools 无法打开：%v",
	"%s is longer than %d MiB, the limit of a file of definitions": "%s 超过 %d MiB，即定义文件的最大长度",
	"name a FILE of command tools; vcp tools new writes one":       "请指定一个定义命令工具的 FILE；vcp tools new 会写出一个",
	"name one tool, such as: vcp tools new notes":                  "请指定一个工具，例如：vcp tools new notes",

	// vcp call.
	"name a method to call; vcp tools lists them":                             "请指定要调用的方法；vcp tools 列出它们",
	"reads the rest of a long result in a chat; here there is no chat":        "读取对话中较长结果的其余部分；这里没有对话",
	"%s %v; the result of vcp call is whole, unless --result-tokens is given": "%s %v；vcp call 的结果是完整的，除非给出 --result-tokens",
	"the argument %q is not written NAME=VALUE":                               "参数 %q 没有写成 NAME=VALUE",
	"the argument %s is given twice":                                          "参数 %s 给出了两次",
	"the argument %s cannot be read from its file: %v":                        "无法从文件读取参数 %s：%v",

	// vcp parse and vcp eval.
	"--disable is %q; allowed is %s":                                                                             "--disable 为 %q；允许的值：%s",
	"--live takes its tasks from %s, and an argument was given: %q":                                              "--live 从 %s 读取任务，但给出了参数：%q",
	"name a FILE with replies, \"-\" for standard input, or a suite with --live":                                 "请指定存放回复的 FILE、表示标准输入的 \"-\"，或用 --live 指定任务集",
	"--%s has no effect with --live":                                                                             "--%s 与 --live 一起使用时不起作用",
	"--%s has an effect only with --live":                                                                        "--%s 只有与 --live 一起使用才起作用",
	"--live needs a model: give --base-url URL and --model NAME, or set %s and %s; vcp demo-model is one to try": "--live 需要模型：请给出 --base-url URL 和 --model NAME，或设置 %s 和 %s；vcp demo-model 可用来试用",
}
