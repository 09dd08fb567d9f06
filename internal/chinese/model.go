package chinese

import "github.com/vcpgo/vcp/internal/message"

// Model has the texts of the errors of package model.
var Model = message.Catalog{
	"%v: %s": "%v：%s",
	"%v; %v": "%v；%v",

	// The server, whose URL comes before the text, cannot be reached or is too slow.
	"cannot be reached: %v": "无法连接：%v",
	"connection refused; is the server running? Start it, or give another base URL":                                        "连接被拒绝；服务器在运行吗？请启动它，或给出另一个 base URL",
	"there is no host %s; is the base URL right, and the network up?":                                                      "没有主机 %s；base URL 是否正确，网络是否可用？",
	"the server does not speak TLS; write http:// instead of https://":                                                     "服务器不支持 TLS；请写 http://，不要写 https://",
	"its certificate is not trusted: %v":                                                                                   "它的证书不受信任：%v",
	"no response in time":                                                                                                  "没有及时响应",
	"the connection was closed without a response; is this the port of a model server?":                                    "连接已关闭，没有响应；这是模型服务器的端口吗？",
	"the server redirects %v":                                                                                              "服务器重定向%v",
	"with status %d to %s, which drops the content of the request; if that is the right address, give its base URL":        "（状态码 %d）到 %s，这会丢失请求的内容；如果该地址正确，请给出它的 base URL",
	"to %s, and a key is not sent to another host; if it is the right one, give its base URL":                              "到 %s，而密钥不会发送到其他主机；如果该主机正确，请给出它的 base URL",
	"from https to %s, and others on the way could read a key; fix the redirect there, or give a base URL that needs none": "：从 https 到 %s，途中他人可能读到密钥；请在那里修正重定向，或给出一个不需要重定向的 base URL",
	"without end":                                  "，没有尽头",
	"is too slow: %v":                              "太慢：%v",
	"it sent nothing for %v":                       "%v 内没有发送任何内容",
	"it was not done after %v":                     "%v 后仍未完成",
	"did not finish: %v":                           "没有完成：%v",
	"broke off in the middle of its response (%v)": "响应中途断开（%v）",
	"cannot be sent the request: %v":               "无法向它发送请求：%v",
	"%v (the server asks for a pause of %v)":       "%v（服务器要求等待 %v）",
	"%v (%d attempts)":                             "%v（尝试了 %d 次）",

	// The server refuses the request.
	"%v (%d %s)":          "%v（%d %s）",
	"refuses the request": "拒绝了请求",
	"refuses access":      "拒绝访问",
	"no API key was sent": "没有发送 API 密钥",
	"check the API key":   "请检查 API 密钥",
	"has no such path":    "没有这个路径",
	"is the base URL right? It usually ends in /v1":              "base URL 是否正确？它通常以 /v1 结尾",
	"refuses the request because the quota is used up":           "因额度用完而拒绝了请求",
	"look at the account's plan and billing there":               "请在那里查看账户的套餐和账单",
	"takes no more requests for now":                             "暂时不再接受请求",
	"try again later":                                            "请稍后再试",
	"failed":                                                     "出错",
	"its log may say why":                                        "它的日志可能有原因",
	"reports an error: %s":                                       "报告了错误：%s",
	"reports an error: no reason given":                          "报告了错误，没有说明原因",
	"reports an error in the middle of the reply, and no reason": "在回复中途报告了错误，没有说明原因",

	// The response is not a reply of a model.
	"answered the request for its models with something else: %s; %s":                                  "对查询模型的请求返回了其他内容：%s；%s",
	"answered with a web page, which is not a reply of a model; %s":                                    "返回了网页，而不是模型的回复；%s",
	"answered with something that is not an event stream: %s; %s":                                      "返回的内容不是事件流：%s；%s",
	"answered with broken JSON: %s":                                                                    "返回了损坏的 JSON：%s",
	"sent an empty response; its log may say why":                                                      "返回了空的响应；它的日志可能有原因",
	"sent a response without a reply":                                                                  "返回的响应中没有回复",
	"sent a piece that is not part of a reply: %s":                                                     "发送的片段不属于回复：%s",
	"sent more than %d bytes in one piece, which is not a reply of a model":                            "一个片段超过了 %d 字节，这不是模型的回复",
	"sent more than %d bytes without a piece of a reply":                                               "发送了超过 %d 字节，其中没有回复的片段",
	"makes more than %d native calls in one reply":                                                     "一次回复中有超过 %d 个原生调用",
	"makes native calls of more than %d bytes in one reply":                                            "一次回复中的原生调用超过了 %d 字节",
	"makes a native call with more than %d bytes of arguments":                                         "一个原生调用的参数超过了 %d 字节",
	"made a native call of %q, but was offered no tools; tools are called in the text of a reply here": "对 %q 进行了原生调用，但没有为它提供工具；这里在回复的文本中调用工具",

	// The model is not there.
	"offers %d models, name one of them: %v":                                                                          "提供 %d 个模型，请指定其中一个：%v",
	"offers no model; load one there, or name the model":                                                              "没有提供模型；请在那里加载一个，或指定模型",
	"%s offers one model, and its id is over %d bytes long or has control characters or a secret: %q; name the model": "%s 只提供一个模型，但其 id 超过 %d 字节，或含有控制字符或机密：%q；请指定模型",
	"has no model %q, and offers none; load it there":                                                                 "没有模型 %q，也没有提供其他模型；请在那里加载它",
	"has no model %q, name one of those it has: %v":                                                                   "没有模型 %q，请指定它有的模型之一：%v",
	"%s, and %d more": "%s，以及另外 %d 个",

	// Options that cannot be used.
	"Options.Calls is %v": "Options.Calls 的值是 %v",
	"the base URL %q is not valid; write it like http://127.0.0.1:11434/v1":         "base URL %q 无效；请写成 http://127.0.0.1:11434/v1 这样的形式",
	"the base URL %s has a query or a fragment; remove the ? or # and what follows": "base URL %s 含有查询或片段；请去掉 ? 或 # 及其后的内容",
	"preset: %s": "预设：%s",
}
