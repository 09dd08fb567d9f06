package chinese

import "github.com/vcpgo/vcp/internal/message"

// MCP has the texts of results and errors of package tool/mcp.
var MCP = message.Catalog{
	"The MCP server %s cannot be reached now, so nothing was done: %v.":                                      "MCP 服务器 %s 现在无法连接，因此什么都没有做：%v。",
	"The MCP server %s did not take the call, so nothing was done: %s. Send it again if it is still needed.": "MCP 服务器 %s 没有接受这次调用，因此什么都没有做：%s。如果仍然需要，请再次发送。",
	"The MCP server %s answered with the error %d: %s":                                                       "MCP 服务器 %s 返回了错误 %d：%s",
	"The MCP server %s gave no usable answer: %v. The call may have been carried out.":                       "MCP 服务器 %s 没有给出可用的回答：%v。这次调用可能已经执行。",
	"The connection to the MCP server %s was lost while the call was under way: %s. It may or may not have been carried out, and was not sent again. Find out what happened before you repeat it.": "调用进行时，与 MCP 服务器 %s 的连接中断了：%s。这次调用可能已经执行，也可能没有，并且没有重新发送。请先弄清发生了什么，再决定是否重复。",

	"the source was removed":                                      "该来源已被移除",
	"the connection was lost and is not back yet":                 "连接已中断，尚未恢复",
	"the call ended while the connection was being made":          "调用在建立连接时就结束了",
	"it asks for input from a person, which is not offered to it": "它要求用户输入，而这里不提供",

	"image": "图像", "audio": "音频",
	"[%s %s, %s, %d bytes; the user sees it, you do not]":                "[%s %s，%s，%d 字节；用户能看到，你看不到]",
	"[resource %s, file %s, %s, %d bytes; the user sees it, you do not]": "[资源 %s，文件 %s，%s，%d 字节；用户能看到，你看不到]",
	"[resource %s]": "[资源 %s]",
	"[content of the type %T, which is not shown]": "[类型为 %T 的内容，不予显示]",
	"The server has no resources.":                 "该服务器没有资源。",

	"Returns a prepared text. ": "返回一段准备好的文本。",
}

// MCPDefinitions has the descriptions of the methods that package tool/mcp adds to those of a
// server.
var MCPDefinitions = map[string]string{
	"Lists the resources of the server: their addresses, and what they are.":                                                                                 "列出该服务器的资源：它们的地址和内容。",
	"Reads a resource of the server by its address, as the list of resources shows it. In an address that is a template, replace the parts in braces first.": "按资源列表中显示的地址读取该服务器的一个资源。如果地址是模板，请先替换花括号中的部分。",
	"the address of the resource": "资源的地址",
}
