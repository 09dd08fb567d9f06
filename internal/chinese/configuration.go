package chinese

import "github.com/vcpgo/vcp/internal/message"

// Configuration has the texts of errors about configurations, from package engine and from package
// cmd/vcp/internal/configuration.
var Configuration = message.Catalog{
	"configuration: %v is not allowed; allowed is %v":      "配置：不允许 %v；允许的值：%v",
	"configuration: %v%s is %v; allowed is %v":             "配置：%v%s 为 %v；允许的值：%v",
	"configuration: %vthere is no field %q%v (fields: %s)": "配置：%v没有字段 %q%v（现有字段：%s）",
	"line %d: ":          "第 %d 行：",
	"; did you mean %s?": "；是否指 %s？",

	// Values that are not allowed.
	"empty":     "空",
	"a list":    "列表",
	"a mapping": "映射",

	// What is allowed.
	"true or false":                                                             "true 或 false",
	`"auto" or "manual"`:                                                        `"auto" 或 "manual"`,
	`"allow", "ask" or "deny"`:                                                  `"allow"、"ask" 或 "deny"`,
	`"read", "write" or "dangerous"`:                                            `"read"、"write" 或 "dangerous"`,
	`"ask", "never", "read", "write" or "all"`:                                  `"ask"、"never"、"read"、"write" 或 "all"`,
	"vcp, hermes, qwencoder or auto":                                            "vcp、hermes、qwencoder 或 auto",
	"the id of a protocol":                                                      "协议的 ID",
	"a whole number from 1 to 1000":                                             "1 到 1000 的整数",
	"a whole number from 1000 to 1000000000":                                    "1000 到 1000000000 的整数",
	"a whole number from 1 to 100000, or 0":                                     "1 到 100000 的整数，或 0",
	"a whole number from 200 to 1000000, or 0":                                  "200 到 1000000 的整数，或 0",
	"a whole number from 1000 to 1000000000, or 0":                              "1000 到 1000000000 的整数，或 0",
	`a duration with a unit, such as "30s" or "500ms"`:                          `带单位的时长，例如 "30s" 或 "500ms"`,
	`a duration with a unit, such as "30s" or "500ms", at most 24h, or 0`:       `带单位的时长，例如 "30s" 或 "500ms"，不超过 24h，或 0`,
	`a duration with a unit, such as "30s" or "500ms", above 0 and at most 24h`: `带单位的时长，例如 "30s" 或 "500ms"，大于 0 且不超过 24h`,
	"a text":                 "文本",
	"a path":                 "路径",
	"a list of rules":        "规则的列表",
	"a list of sources":      "来源的列表",
	"a mapping of arguments": "参数的映射",
	"tool ids or full method names, each with true or false":                                                                 "工具 ID 或方法全名，每个都带 true 或 false",
	"tool ids or full method names, each with a mapping":                                                                     "工具 ID 或方法全名，每个都带一个映射",
	"one of them; write another entry for the other":                                                                         "其中之一；另一个请另写一项",
	"a mapping with commands or plugins or mcp or mcpServers":                                                                "含有 commands、plugins、mcp 或 mcpServers 的映射",
	`decision: "allow", "ask" or "deny", with any of tool: an id, method: a full name, risk: "read", "write" or "dangerous"`: `decision: "allow"、"ask" 或 "deny"，可以加上 tool: ID、method: 全名、risk: "read"、"write" 或 "dangerous"`,
}
