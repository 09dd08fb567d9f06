package chinese

import "github.com/vcpgo/vcp/internal/message"

// Script has the texts of results and errors of package tool/script. Errors of JavaScript itself
// are English.
var Script = message.Catalog{
	"The script ended without printing or returning anything. To see a value, print it or return it.": "脚本结束了，没有输出或返回任何内容。要查看一个值，请输出或返回它。",
	"%s\nBefore that it printed:\n%s":                                           "%s\n在此之前它输出了：\n%s",
	"there is no method %q":                                                     "没有方法 %q",
	"scripts cannot run: %q does not start: %v":                                 "脚本无法运行：%q 无法启动：%v",
	"the script was stopped: %s":                                                "脚本被停止：%s",
	"the script was stopped (%v, %v); it may have used too much memory or time": "脚本被停止（%v，%v）；它可能用了太多内存或时间",
	"the script was stopped: it passed more than %d bytes to a method at once, or threw as much; use less data": "脚本被停止：它一次向方法传递的数据（或抛出的错误）超过 %d 字节；请使用更少的数据",
	"the script called more than %d methods and was stopped; the calls before that ran; do less in one script":  "脚本调用了超过 %d 个方法，被停止；之前的调用已经执行；请在一个脚本中少做一些",

	// Errors of the process that runs a script.
	"the script waits for a promise that nothing will settle; there are no timers, so only calls of methods are worth waiting for": "脚本在等待一个不会有结果的 promise；这里没有定时器，只有方法调用值得等待",
	"the script printed more than is allowed (%d bytes); print less, such as a summary":                                            "脚本的输出超过了允许的量（%d 字节）；请少输出一些，例如只输出摘要",
	"%s (line %d: %s)": "%s（第 %d 行：%s）",
	"%s; the script computed for more than %v without waiting for a method; look for an endless loop": "%s；脚本计算了超过 %v 而没有等待任何方法；请检查是否有死循环",
	"%s; if the code does not throw null, it used more than %d MiB; keep less data at once":           "%s；如果代码没有抛出 null，就是用了超过 %d MiB；请同时保留较少的数据",
	"%s; a script may use %d MiB; keep less data at once":                                             "%s；脚本最多可用 %d MiB；请同时保留较少的数据",
	"%s; functions call each other too deeply; use a loop":                                            "%s；函数相互调用过深；请用循环",
	"%s; only JavaScript itself, print, call and the methods exist here":                              "%s；这里只有 JavaScript 本身、print、call 和各个方法",
	"%s; the code is the body of an async function in JavaScript, without types and imports":          "%s；代码是 JavaScript 中 async 函数的函数体，没有类型和 import",

	// Errors that prelude.js throws in a script.
	"there is no method %s": "没有方法 %s",
	`%s takes one object with the arguments, such as {path: "a.txt"}`:                                                  `%s 接受一个含有各参数的对象，例如 {path: "a.txt"}`,
	"%s makes code from a text, which a script cannot do; write all code in the script, and read data with JSON.parse": "%s 由文本生成代码，脚本不能这样做；请把所有代码写在脚本里，并用 JSON.parse 读取数据",
	"the script threw %s": "脚本抛出了 %s",
}

// ScriptDefinitions has the descriptions of the method of package tool/script and of its parameter.
var ScriptDefinitions = map[string]string{
	`Runs JavaScript that calls methods. Use it for loops, for many calls at once, and to compute with results. Each method is an async function of its own name: it takes one object with the arguments and returns the text of the result, as in const text = await files_read({path: "a.txt"}). Call a method whose name is not an identifier with call, as in await call("github/list_issues", {repo: "x"}). You read only what print(…) writes and what the script returns. There are no files, no network and no timers.`: `运行调用方法的 JavaScript。用它做循环、同时进行许多调用，以及用结果计算。每个方法是一个与其同名的 async 函数：它接受一个含有各参数的对象，返回结果的文本，例如 const text = await files_read({path: "a.txt"})。名称不是标识符的方法用 call 调用，例如 await call("github/list_issues", {repo: "x"})。你只能读到 print(…) 写出的内容和脚本返回的内容。没有文件、没有网络，也没有定时器。`,
	"the body of an async function": "async 函数的函数体",
}
