package chinese

import "github.com/vcpgo/vcp/internal/message"

// Terminal has the texts that package cmd/vcp/internal/terminal shows to a person.
var Terminal = message.Catalog{
	// The starts of lines.
	"[tool] ":      "[工具] ",
	"[note] ":      "[提示] ",
	"[error] ":     "[错误] ",
	"[reasoning] ": "[思考] ",
	"[approval] ":  "[批准] ",

	// Notes on a reply.
	"the text above was reasoning":                                  "以上文字是思考内容",
	"omitted a tool result that the model fabricated":               "已略去模型编造的工具结果",
	"the reply could not be read, and nothing in it runs: %s":       "回复无法读取，其中的内容都不会执行：%s",
	"what looks like a request could not be read":                   "有一处内容像是请求，但无法读取",
	"a request in code, in a quotation or in reasoning was not run": "写在代码、引用或思考内容中的请求没有执行",
	"a request in another form was not run":                         "以其他格式书写的请求没有执行",
	"requests past a limit were not read":                           "超出上限的请求没有读取",

	// The line of a call.
	"ok":                               "成功",
	", %s":                             "，%s",
	": %s":                             "：%s",
	": %s (%s; %s)":                    "：%s（%s；%s）",
	"the model reads an excerpt of it": "模型读到其中的节选",
	"the model reads a summary of it":  "模型读到它的摘要",
	"%s (and %v)":                      "%s（另有 %v）",
	"%d more line":                     "%d 行",
	"%d byte":                          "%d 字节",
	"[file] %s (%s, %s)":               "[文件] %s（%s，%s）",
	"(unnamed)":                        "（无名称）",
	" ... not run: the mode is manual": " ... 未执行：当前为 manual 模式",

	// The question whether a call may run, and the reactions to answers.
	"Allow %s (%s)? [no] ": "允许 %s (%s)吗？[no] ",
	"read":                 "只读",
	"write":                "写入",
	"dangerous":            "危险",
	"(no arguments)":       "（无参数）",
	"and %d more argument": "以及另外 %d 个参数",
	"and %d more line":     "以及另外 %d 行",
	"%d characters of this call are not shown.":                   "此次调用有 %d 个字符没有显示。",
	"Answer show, or no and why; help explains.":                  "请回答 show，或 no 加理由；help 有说明。",
	"Answer y, always, edit, or no and why; help explains.":       "请回答 y、always、edit，或 no 加理由；help 有说明。",
	"The arguments were not accepted: %s":                         "参数未被接受：%s",
	"Write y or always without other words. Nothing was allowed.": "y 或 always 之后不要写其他内容。没有允许任何调用。",
	"Nothing was allowed. show displays what is missing here.":    "没有允许任何调用。show 显示这里缺少的部分。",
	"From now on this runs without asking: %s.":                   "今后不再询问即可执行：%s。",
	"all calls of %s":                      "%s 的所有调用",
	"all calls of %s with these arguments": "%s 使用这些参数的所有调用",
	"[edit] Enter keeps the value in brackets. Write lists and objects as JSON.": "[修改] 按回车键保留方括号中的值。列表和对象请写成 JSON。",
	"not set": "未设置",
	`  y         allows this call
  always    also allows %s until the conversation ends
  edit      changes its arguments one by one
  edit {…}  replaces all of its arguments
  show      displays the whole call
  no        denies it; the model gets the words after no as the reason
Lines with ! say what changed in the method, and which words came from a tool, a file, an import or another person.
`: `  y         允许此次调用
  always    在对话结束之前还允许：%s
  edit      逐个修改参数
  edit {…}  替换全部参数
  show      显示完整的调用
  no        拒绝；no 之后的文字作为理由告诉模型
带 ! 的行说明方法有什么变化，以及哪些文字来自工具、文件、导入的内容或其他人。
`,

	// Why nobody can be asked.
	"standard input is not a terminal":                               "标准输入不是终端",
	"standard input is not the controlling terminal of this process": "标准输入不是此进程的控制终端",
	"approval on a terminal is not supported on this system":         "此系统不支持在终端上批准",

	// The warnings in a question.
	"This method changed: %s":                                  "此方法有变化：%s",
	"This request occurs in %s. Allow it only if you want it.": "此请求出现在%s中。只有确实需要时才允许。",
	"%s: this %s came from %s: %s":                             "%s：这个%s来自%s：%s",
	"path":                                                     "路径",
	"address":                                                  "地址",
	"command":                                                  "命令",
	"foreign text":                                             "外部文本",
	"foreign text %s":                                          "外部文本 %s ",
	"the result of a tool":                                     "某个工具的结果",
	"the result of %s":                                         " %s 的结果",
	"an imported message":                                      "导入的消息",
	"an imported message %s":                                   "导入的消息 %s ",
	"a file":                                                   "某个文件",
	"the file %s":                                              "文件 %s ",
	"a message of another person":                              "他人的消息",
	"a message of %s":                                          " %s 的消息",
}
