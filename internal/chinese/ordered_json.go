package chinese

import "github.com/vcpgo/vcp/internal/message"

// OrderedJSON has the errors of package internal/orderedjson.
var OrderedJSON = message.Catalog{
	"it is empty":                                    "内容为空",
	"it ends too early":                              "过早结束",
	"%q at byte %d is out of place":                  "第 %[2]d 字节的 %[1]q 不应出现",
	"more follows after the first value, at byte %d": "第一个值之后还有内容，在第 %d 字节",
	"it is nested more than %d deep":                 "嵌套超过 %d 层",
	"the member %q is given twice":                   "成员 %q 重复出现",
	"half a surrogate pair before byte %d":           "第 %d 字节之前有不完整的代理对",
	"not JSON":                                       "不是 JSON",
	"not a JSON object":                              "不是 JSON 对象",
}
