package chinese

import "github.com/vcpgo/vcp/internal/message"

// Tool has the texts of package tool.
var Tool = message.Catalog{
	"a value that can be read":   "可以读取的值",
	"arguments that can be read": "可以读取的参数",
	"a value that fits %s":       "%s 类型的值",
	" (%s)":                      "（%s）",
}
