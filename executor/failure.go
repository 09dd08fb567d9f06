package executor

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/tool"
)

// The error types of a result.
const (
	// ErrorToolNotFound is a name that no visible tool has, or a method that was removed or
	// replaced before it could run.
	ErrorToolNotFound = tool.ToolNotFound
	// ErrorMethodNotFound is a name of a method that a visible tool does not have.
	ErrorMethodNotFound = tool.MethodNotFound
	// ErrorNotCallable is a method that is not marked agent-callable.
	ErrorNotCallable = "not_callable"
	// ErrorToolDisabled is a method that the configuration switches off or a filter hides.
	ErrorToolDisabled = "tool_disabled"
	// ErrorMalformedRequest is a request that could not be read.
	ErrorMalformedRequest = "malformed_request"
	// ErrorInvalidArguments are arguments that the method's schema refuses.
	ErrorInvalidArguments = "invalid_arguments"
	// ErrorPermissionDenied is a call that was denied, or that nobody could approve.
	ErrorPermissionDenied = "permission_denied"
	// ErrorTimeout is a tool that did not finish in time.
	ErrorTimeout = "timeout"
	// ErrorExecutionFailed is a call that failed, for example because its tool returned an error or
	// panicked.
	ErrorExecutionFailed = "execution_failed"
	// ErrorLimitExceeded is a request beyond a limit on one reply, or a call that cannot run now
	// because earlier calls timed out and still run.
	ErrorLimitExceeded = "limit_exceeded"
	// ErrorCanceled is a request that was canceled before it ran or while it ran. It is also a
	// request that was stored without its secrets, and so cannot run.
	ErrorCanceled = "canceled"
	// ErrorUnknown is a call that had started when the program was interrupted. It may or may not
	// have happened.
	ErrorUnknown = "unknown"
)

// ArgumentsDetails are the Details of a result with ErrorInvalidArguments.
type ArgumentsDetails struct {
	// Received is what the model wrote: a JSON object with plain text as strings and values of
	// secret parameters masked.
	Received json.RawMessage `json:"received"`
	// Expected is the method's JSON Schema.
	Expected json.RawMessage `json:"expected"`
}

// A failure is the outcome of a request that did not succeed, in words for the model.
type failure struct {
	kind       string
	message    words
	suggestion words
	details    any // for people
}

// What the model can do after a failure.
var (
	askForLess        = sentence("Ask for less at a time.", "请一次少请求一些。")
	useAnother        = sentence("Use another tool, or answer without it.", "请使用其他工具，或者不用它直接回答。")
	notAgain          = sentence("Do not send it again.", "不要再次发送。")
	tellUser          = sentence("Go on without it, or tell the user what it was needed for.", "请不用它继续，或者告诉用户为什么需要它。")
	continueOrAnother = sentence("Do not send it again now. Go on without it, or use another tool.",
		"现在不要再次发送。请不用它继续，或者使用其他工具。")
)

// malformed is the failure of a request with Request.Err.
func malformed(err *scan.RequestError) *failure {
	why := text.Sentence(err.Message)
	f := &failure{
		kind: ErrorMalformedRequest, message: sentence("The request was not run. %s", "请求没有执行。%s", why),
	}
	switch err.Code {
	case scan.CodeLimitExceeded:
		f.kind, f.suggestion = ErrorLimitExceeded, askForLess
	case scan.CodeTruncated:
		f.suggestion = sentence("Write the whole request again, in a reply that is short enough to end by itself.",
			"请重新写出整个请求，并让回复短到能自行结束。")
	default:
		f.message = sentence("The request could not be read and was not run. %s", "请求无法读取，没有执行。%s", why)
		f.suggestion = sentence("Correct the request and write it again as a whole. If it was not meant as a request, go on without it.",
			"请改正后重新写出整个请求。如果它本来不是请求，请继续回答。")
	}
	return f
}

// notFound is the failure of a request that names no visible tool or method.
func notFound(err *tool.NotFoundError) *failure {
	f := &failure{kind: err.Kind, message: sentence("%q names no tool.", "没有名为 %q 的工具。", err.Name)}
	if err.Kind == ErrorMethodNotFound {
		f.message = sentence("%q names no method of that tool.", "该工具没有名为 %q 的方法。", err.Name)
	}
	if near := strings.Join(err.Nearest, ", "); near != "" {
		f.message = f.message.and(sentence("The nearest names are: %s.", "相近的名称：%s。", near))
	}
	f.suggestion = sentence("Write the name of a tool exactly as it is listed in the instructions.",
		"请完全按照说明中列出的名称书写工具名。")
	if len(err.All) > 0 {
		f.suggestion = sentence("Write the name exactly as one of: %s.", "请完全按照以下名称之一书写：%s。",
			strings.Join(err.All, ", "))
	}
	f.suggestion = f.suggestion.and(noneFits)
	return f
}

var noneFits = sentence("If none fits, answer without a tool, or tell the user what you cannot do.",
	"如果没有合适的工具，请不用工具直接回答，或者告诉用户你做不到什么。")

func notCallable(method *tool.Entry) *failure {
	return &failure{
		kind: ErrorNotCallable, message: sentence("You cannot use %s.", "你不能使用 %s。", method.FullName),
		suggestion: sentence("Do not ask for it again. Use one of the tools that are described to you, or answer without it.",
			"不要再次请求它。请使用说明中列出的工具，或者不用它直接回答。"),
	}
}

func disabled(method *tool.Entry, why string) *failure {
	return &failure{
		kind:       ErrorToolDisabled,
		message:    sentence("%s is switched off%s.", "%s 已被关闭%s。", method.FullName, inParentheses(why)),
		suggestion: sentence("Do not ask for it again.", "不要再次请求它。").and(useAnother),
	}
}

func unregistered(method *tool.Entry) *failure {
	return &failure{
		kind: ErrorToolNotFound, suggestion: useAnother,
		message: sentence("%s was removed or replaced before it could run.", "%s 在执行之前已被移除或替换。", method.FullName),
	}
}

// invalidArguments is the failure of a call whose arguments were refused. received are those that
// the model wrote, and problems says what is wrong.
func invalidArguments(method *tool.Entry, received []protocol.Argument, problems string) *failure {
	return &failure{
		kind: ErrorInvalidArguments, message: untranslated(problems),
		suggestion: usage(method).and(sentence("Correct the arguments and send the whole request again.",
			"请改正参数后重新发送整个请求。")),
		details: ArgumentsDetails{
			Received: method.MaskRequest(received), Expected: method.Method.Parameters.JSON(),
		},
	}
}

func inParentheses(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

func timedOut(method *tool.Entry, limit time.Duration) *failure {
	return &failure{
		kind: ErrorTimeout,
		message: sentence("%s did not finish within %s. It may have done a part of its work.",
			"%s 没有在 %s 内完成，可能已经做了一部分。", method.FullName, limit),
		suggestion: sentence("Ask for less in one request, or go on without it.", "请在一个请求中少要求一些，或者不用它继续。"),
	}
}

func previewLate(method *tool.Entry, limit time.Duration) *failure {
	f := failed("")
	f.message = sentence("%s did not say within %v what it would do, so nobody could be asked to allow it.",
		"%s 没有在 %v 内说明将要做什么，因此无法请人批准。", method.FullName, limit)
	return f
}

func tooManyAbandoned(method *tool.Entry, calls int) *failure {
	return &failure{
		kind: ErrorLimitExceeded, suggestion: continueOrAnother,
		message: sentence("%s was not run: %d earlier calls of its tool timed out and still run.",
			"%s 没有执行：该工具之前有 %d 次调用已超时但仍在运行。", method.FullName, calls),
	}
}

func resourceLost(method *tool.Entry) *failure {
	return &failure{
		kind: ErrorLimitExceeded, suggestion: continueOrAnother,
		message: sentence("%s was not run: what it needs is in use by an earlier call that timed out and still runs.",
			"%s 没有执行：它需要的资源被之前一次已超时但仍在运行的调用占用。", method.FullName),
	}
}

// failed is the failure of a call whose handler or preview returned an error with the given
// message.
func failed(message string) *failure {
	f := &failure{
		kind: ErrorExecutionFailed, message: untranslated(short(strings.TrimSpace(message))),
		suggestion: sentence("If other arguments or another try can help, send the request again. Else tell the user what could not be done.",
			"如果换用其他参数或再试一次有用，请重新发送请求；否则请告诉用户哪件事没有做成。"),
	}
	if f.message.en == "" {
		f.message = sentence("The tool failed and did not say why.", "工具失败了，没有说明原因。")
	}
	return f
}

func brokeDown(name string) *failure {
	return &failure{
		kind:    ErrorExecutionFailed,
		message: sentence("%s broke down. It may have done a part of its work.", "%s 出了故障，可能已经做了一部分。", name),
		suggestion: sentence("Do not send the same request again. Use other arguments or another tool, or go on without it.",
			"不要再次发送同样的请求。请换用其他参数或工具，或者不用它继续。"),
	}
}

func canceledBeforeRun() *failure {
	return canceled(sentence("The request was canceled before it ran.", "请求在执行之前被取消。"))
}

func canceledWhileRunning() *failure {
	return canceled(sentence("The request was canceled while it ran. It may have done a part of its work.",
		"请求在执行中被取消，可能已经做了一部分。"))
}

func canceled(message words) *failure {
	return &failure{
		kind: ErrorCanceled, message: message,
		suggestion: sentence("Do not send it again unless the user asks for it.", "除非用户要求，不要再次发送。"),
	}
}

// interrupted is the failure of a call of the named method that had started when the program was
// interrupted.
func interrupted(method string) *failure {
	return &failure{
		kind: ErrorUnknown,
		message: sentence("%s had started when the program was interrupted. It may or may not have happened.",
			"程序中断时 %s 已经开始，可能已经执行，也可能没有。", method),
		suggestion: sentence("Find out whether it happened before you send the request again, or ask the user.",
			"在重新发送请求之前，请先确认它是否已经执行，或者询问用户。"),
	}
}

func secretsNotKept() *failure {
	return &failure{
		kind: ErrorCanceled,
		message: sentence("The program was interrupted before the request ran, and the secrets in its arguments were not kept.",
			"程序在请求执行之前中断，参数中的机密没有保留。"),
		suggestion: sentence("If it is still needed, send the whole request again.", "如果仍然需要，请重新发送整个请求。"),
	}
}

// usage says in one sentence which arguments a method takes.
func usage(method *tool.Entry) words {
	properties := method.Method.Parameters.Properties()
	if len(properties) == 0 {
		return sentence("%s takes no arguments.", "%s 没有参数。", method.FullName)
	}
	en, zh := make([]string, len(properties)), make([]string, len(properties))
	for i, p := range properties {
		notes := []words{untranslated(p.Type)}
		switch {
		case p.Required:
			notes = append(notes, words{"required", "必填"})
		case p.Default != nil:
			notes = append(notes, sentence("default %s", "默认 %s", short(string(p.Default))))
		}
		if p.Type == "" {
			notes = notes[1:]
		}
		en[i], zh[i] = p.Name, p.Name
		if len(notes) > 0 {
			all := joined(notes)
			en[i] += " (" + all.en + ")"
			zh[i] += "（" + all.zh + "）"
		}
	}
	return words{
		fmt.Sprintf("%s takes %s.", method.FullName, short(strings.Join(en, ", "))),
		fmt.Sprintf("%s 的参数：%s。", method.FullName, short(strings.Join(zh, "、"))),
	}
}

// maxMessage limits the bytes of an error, a reason or a name in the model's context or on record.
const maxMessage = 4096

func short(s string) string { return text.TruncateBytes(s, maxMessage) }
