package chinese

import "github.com/vcpgo/vcp/internal/message"

// Command has the texts of results and errors of package tool/command.
var Command = message.Catalog{
	"the program failed (%s): %s":                                                                     "程序失败（%s）：%s",
	"the program failed without a message: %s":                                                        "程序失败，没有给出信息：%s",
	"the program printed more than %d bytes; ask it for less, or let it write to a file":              "程序的输出超过了 %d 字节；请让它少输出一些，或写入文件",
	`the program must print one JSON object with "output" and, optionally, "details" and "files": %v`: `程序必须输出一个 JSON 对象，其中有 "output"，也可以有 "details" 和 "files"：%v`,
	"there is more after the object":                                                                  "对象之后还有其他内容",
	`"output" is missing`:                                                                             `缺少 "output"`,
	"the program returned %d files; %d are allowed":                                                   "程序返回了 %d 个文件；最多允许 %d 个",
	"the program returned the file %q, which cannot be read: %v":                                      "程序返回的文件 %q 无法读取：%v",
	"the program returned a file without a name":                                                      "程序返回了一个没有名称的文件",
	"it is not a regular file":                                                                        "它不是普通文件",
	"it has %d bytes; %d are allowed":                                                                 "它有 %d 字节；最多允许 %d 字节",
	"a text without the character NUL":                                                                "不含 NUL 字符的文本",
	`a text that does not begin with "-", since the program would read that as an option`:             `不以 "-" 开头的文本，因为程序会把它当作选项`,
	`a text that is not empty, since the program would read what follows as an option`:                `非空的文本，因为程序会把其后的内容当作选项`,
}
