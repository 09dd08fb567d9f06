package chinese

import "github.com/vcpgo/vcp/internal/message"

// MCP has the texts of results and errors of package tool/mcp.
var MCP = message.Catalog{
	"The MCP server %s cannot be reached now, so nothing was done: %v.":                                      "MCP 服务器 %s 现在无法连接，因此什么都没有做：%v。",
	"The MCP server %s did not take the call, so nothing was done: %v. Send it again if it is still needed.": "MCP 服务器 %s 没有接受这次调用，因此什么都没有做：%v。如果仍然需要，请再次发送。",
	"The MCP server %s answered with the error %d: %s":                                                       "MCP 服务器 %s 返回了错误 %d：%s",
	"The MCP server %s gave no usable answer: %v. The call may have been carried out.":                       "MCP 服务器 %s 没有给出可用的回答：%v。这次调用可能已经执行。",
	"The connection to the MCP server %s was lost while the call was under way: %v. The call may or may not have been carried out, and was not sent again. Find out what happened before you repeat it.": "调用进行时，与 MCP 服务器 %s 的连接中断了：%v。这次调用可能已经执行，也可能没有，并且没有重新发送。请先弄清发生了什么，再决定是否重复。",

	"the source was removed":                                               "该来源已被移除",
	"the connection was lost and is not back yet":                          "连接已中断，尚未恢复",
	"the call ended while the connection was being made":                   "调用在建立连接时就结束了",
	"it asks for input from a person, which this program does not support": "它要求用户输入，而本程序不支持",

	"; ":                               "；",
	"the server cannot be started: %v": "无法启动该服务器：%v",
	"the server did not answer the %v within %v": "该服务器没有在规定时间内回应%v（%v）",
	"handshake":                           "握手请求",
	"request for its tools":               "对其工具列表的请求",
	"the server exited (%s)":              "该服务器已退出（%s）",
	"the end of its standard error is %q": "其标准错误输出的结尾是 %q",
	"its standard output contains text that is not a message, first %q":                 "其标准输出中有不属于消息的文本，最先出现的是 %q",
	"the server wrote more than %d MiB to its standard output that are not messages":    "该服务器向标准输出写入了超过 %d MiB 的非消息内容",
	"the server sends requests and does not read the responses":                         "该服务器发送请求却不读取响应",
	"the server closed its standard output":                                             "该服务器关闭了标准输出",
	"the server does not read its standard input: %v":                                   "该服务器不读取标准输入：%v",
	"the server closed the connection":                                                  "该服务器关闭了连接",
	"the connection was closed":                                                         "连接已关闭",
	"the server sent a message of more than %d MiB":                                     "该服务器发送了超过 %d MiB 的消息",
	"the server offers more than %d methods or %d MiB of definitions":                   "该服务器提供的方法超过 %d 个，或其定义超过 %d MiB",
	"the server redirects more than %d times":                                           "该服务器重定向超过 %d 次",
	"the server redirects to another origin, %s; configure that url if it is right":     "该服务器重定向到另一个来源 %s；如果它是正确的，请在配置中使用该 url",
	"the server answers %s":                                                             "该服务器返回 %s",
	"the server answers %s; configure the headers that it needs, such as Authorization": "该服务器返回 %s；请配置它需要的请求头，例如 Authorization",
	"the server answers %s: it has no such address, or no longer knows the session":     "该服务器返回 %s：它没有这个地址，或者已不认识该会话",
	"the arguments of a prompt must be texts: %v":                                       "提示的参数必须是文本：%v",
	"the address of a resource must be a text: %v":                                      "资源的地址必须是文本：%v",

	"image": "图像", "audio": "音频",
	"[%s %s, %s, %d bytes; the user sees it, you do not]":                "[%s %s，%s，%d 字节；用户能看到，你看不到]",
	"[resource %s, file %s, %s, %d bytes; the user sees it, you do not]": "[资源 %s，文件 %s，%s，%d 字节；用户能看到，你看不到]",
	"[resource %s]": "[资源 %s]",
	"[content of the type %T, which is not shown]":        "[类型为 %T 的内容，不予显示]",
	"[%d files were dropped, since a result may have %d]": "[有 %d 个文件被丢弃，因为一个结果最多有 %d 个文件]",
	"The server has no resources.":                        "该服务器没有资源。",

	"Returns a prepared text. ": "返回一段准备好的文本。",
}

// MCPDefinitions has the descriptions of the methods that package tool/mcp adds to those of a
// server.
var MCPDefinitions = map[string]string{
	"Lists the resources of the server: their addresses, and what they are.":                                                                                 "列出该服务器的资源：它们的地址和内容。",
	"Reads a resource of the server by its address, as the list of resources shows it. In an address that is a template, replace the parts in braces first.": "按资源列表中显示的地址读取该服务器的一个资源。如果地址是模板，请先替换花括号中的部分。",
	"the address of the resource": "资源的地址",
}
