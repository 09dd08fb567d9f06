package chinese

import "github.com/vcpgo/vcp/internal/message"

// VCPPlugin has the texts of results and errors of package tool/vcpplugin.
var VCPPlugin = message.Catalog{
	"the plug-in cannot run: %v":                                            "该插件无法运行：%v",
	"the plug-in failed without a message":                                  "插件失败，没有给出信息",
	`the plug-in printed no JSON object with "status" (%s)`:                 `插件没有输出含有 "status" 的 JSON 对象（%s）`,
	`the plug-in printed no JSON object with "status" (%s): %s`:             `插件没有输出含有 "status" 的 JSON 对象（%s）：%s`,
	"the program printed more than %d bytes and was ended; ask it for less": "程序的输出超过了 %d 字节，已被终止；请让它少输出一些",
	"[file at %s]": "[位于 %s 的文件]",
	"[a file was dropped, since a result may have at most %d files]": "[一个文件被丢弃，因为一个结果最多有 %d 个文件]",
	"[a file was dropped: %v]":                                       "[一个文件被丢弃：%v]",
	"[the user sees the file %s, %d bytes]":                          "[用户能看到文件 %s，%d 字节]",
	"it is not a data URL in base64":                                 "它不是 base64 的 data URL",
}
