package executor

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/tool"
)

// The error types of a result.
const (
	// ErrorToolNotFound is a name that no visible tool has.
	ErrorToolNotFound = tool.ToolNotFound
	// ErrorMethodNotFound is a visible tool without such a method.
	ErrorMethodNotFound = tool.MethodNotFound
	// ErrorNotCallable is a method that is not marked agent-callable.
	ErrorNotCallable = "not_callable"
	// ErrorToolDisabled is a method that the configuration switches off or a filter hides.
	ErrorToolDisabled = "tool_disabled"
	// ErrorMalformedRequest is a request that could not be read.
	ErrorMalformedRequest = "malformed_request"
	// ErrorInvalidArguments are arguments that the method's schema refuses.
	ErrorInvalidArguments = "invalid_arguments"
	// ErrorPermissionDenied is a call that was not approved.
	ErrorPermissionDenied = "permission_denied"
	// ErrorTimeout is a tool that did not finish in time.
	ErrorTimeout = "timeout"
	// ErrorExecutionFailed is a tool that returned an error or panicked.
	ErrorExecutionFailed = "execution_failed"
	// ErrorLimitExceeded is a request beyond a limit of one reply, or of what a tool can take now.
	ErrorLimitExceeded = "limit_exceeded"
	// ErrorCanceled is a request whose run ended before the tool did.
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
	message    string
	suggestion string
	details    any // for people
}

func malformed(err *scan.RequestError) *failure {
	switch err.Code {
	case scan.CodeLimitExceeded:
		return &failure{
			kind: ErrorLimitExceeded, message: "The request was not run. " + err.Message,
			suggestion: "Ask for less at a time.",
		}
	case scan.CodeTruncated:
		return &failure{
			kind: ErrorMalformedRequest, message: "The request was not run. " + err.Message,
			suggestion: "Write the whole request again, in a reply that is short enough to end by itself.",
		}
	}
	return &failure{
		kind: ErrorMalformedRequest, message: "The request could not be read and was not run. " + err.Message,
		suggestion: "Write the whole request again with this put right. If it was not meant as a request, go on without it.",
	}
}

func notCallable(method *tool.Entry) *failure {
	return &failure{
		kind: ErrorNotCallable, message: fmt.Sprintf("%s is not open to you.", method.FullName),
		suggestion: "Do not ask for it again. Use one of the tools that you were told of, or answer without it.",
	}
}

func disabled(method *tool.Entry, why string) *failure {
	return &failure{
		kind: ErrorToolDisabled, message: fmt.Sprintf("%s is switched off%s.", method.FullName, inParentheses(why)),
		suggestion: "Do not ask for it again. Use another tool, or answer without it.",
	}
}

func unregistered(method *tool.Entry) *failure {
	return &failure{
		kind: ErrorToolNotFound, message: fmt.Sprintf("%s was removed or replaced before it could run.", method.FullName),
		suggestion: "Use another tool, or answer without it.",
	}
}

func invalidArguments(method *tool.Entry, received []protocol.Argument, problems string) *failure {
	return &failure{
		kind: ErrorInvalidArguments, message: problems,
		suggestion: usage(method) + " Send the whole request again with the arguments put right.",
		details: ArgumentsDetails{
			Received: method.MaskRequest(received), Expected: method.Method.Parameters.JSON(),
		},
	}
}

func denied(reason string) *failure {
	message := "The user did not allow this call."
	if reason = strings.TrimSpace(reason); reason != "" {
		message += " Reason: " + reason
	}
	return &failure{
		kind: ErrorPermissionDenied, message: message,
		suggestion: "Do not send it again unless the user asks for it. Go on without it, or ask the user how to.",
	}
}

func approvalUnavailable() *failure {
	return &failure{
		kind: ErrorPermissionDenied, message: "This call needs the user's approval, which is unavailable.",
		suggestion: "Do not send it again. Go on without it, or tell the user what it was needed for.",
	}
}

func nobodyToAsk(ruling policy.Ruling) *failure {
	f := approvalUnavailable()
	f.message = fmt.Sprintf("This call needs the user's approval (%v), and there is nobody to ask.", ruling)
	return f
}

func approvalLate(limit time.Duration) *failure {
	f := approvalUnavailable()
	f.message = fmt.Sprintf("This call needs the user's approval, and nobody answered within %v.", limit)
	return f
}

func inParentheses(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

func forbidden(ruling policy.Ruling) *failure {
	return &failure{
		kind: ErrorPermissionDenied, message: fmt.Sprintf("The settings do not allow this call: %v.", ruling),
		suggestion: "Do not send it again. Go on without it, or tell the user what it was needed for.",
	}
}

func nowNeedsApproval(method *tool.Entry) *failure {
	return &failure{
		kind: ErrorPermissionDenied, message: fmt.Sprintf("%s now needs the user's approval, and was not run.", method.FullName),
		suggestion: "If it is still needed, send the request again, so that the user is asked.",
	}
}

func changedAfterApproval() *failure {
	return &failure{
		kind: ErrorPermissionDenied, message: "The call was changed after the user had allowed it, and was not run.",
		suggestion: "Do not send it again. Tell the user what it was needed for.",
	}
}

func changedEffect() *failure {
	return &failure{
		kind: ErrorPermissionDenied, message: "What the call would do changed after the user had allowed it, and it was not run.",
		suggestion: "Look again at what it is about, such as the file, and request it again if it is still right.",
	}
}

func timedOut(method *tool.Entry, after time.Duration) *failure {
	return &failure{
		kind: ErrorTimeout, message: fmt.Sprintf("%s did not finish within %s. It may have done a part of its work.", method.FullName, after),
		suggestion: "Ask for less in one request, or go on without it.",
	}
}

func tooManyAbandoned(method *tool.Entry, calls int) *failure {
	return &failure{
		kind: ErrorLimitExceeded, message: fmt.Sprintf("%s was not run: %d earlier calls of its tool timed out and still run.",
			method.FullName, calls),
		suggestion: "Do not send it again now. Go on without it, or use another tool.",
	}
}

func resourceLost(method *tool.Entry) *failure {
	return &failure{
		kind: ErrorLimitExceeded, message: fmt.Sprintf("%s was not run: what it needs is in use by an earlier call that timed out and still runs.",
			method.FullName),
		suggestion: "Do not send it again now. Go on without it, or use another tool.",
	}
}

func failed(message string) *failure {
	if message = short(strings.TrimSpace(message)); message == "" {
		message = "The tool failed and did not say why."
	}
	return &failure{
		kind: ErrorExecutionFailed, message: message,
		suggestion: "If the arguments caused this, send the request again with other ones; else go on without it.",
	}
}

func brokeDown(name string) *failure {
	return &failure{
		kind: ErrorExecutionFailed, message: fmt.Sprintf("%s broke down. It may have done a part of its work.", name),
		suggestion: "Do not send the same request again. Use other arguments or another tool, or go on without it.",
	}
}

func canceled(ran bool) *failure {
	message := "The request was canceled before it ran."
	if ran {
		message = "The request was canceled while it ran. It may have done a part of its work."
	}
	return &failure{kind: ErrorCanceled, message: message, suggestion: "Do not send it again unless the user asks for it."}
}

func interrupted(method string) *failure {
	return &failure{
		kind:       ErrorUnknown,
		message:    fmt.Sprintf("%s had started when the program was interrupted. It may or may not have happened.", method),
		suggestion: "Find out whether it happened before you send the request again, or ask the user.",
	}
}

func secretsNotKept() *failure {
	return &failure{
		kind: ErrorCanceled, message: "The program was interrupted before the request ran, and the secrets in its arguments were not kept.",
		suggestion: "If it is still needed, send the whole request again.",
	}
}

// usage says in one sentence which arguments a method takes.
func usage(method *tool.Entry) string {
	properties := method.Method.Parameters.Properties()
	if len(properties) == 0 {
		return method.FullName + " takes no arguments."
	}
	parts := make([]string, len(properties))
	for i, p := range properties {
		var notes []string
		if p.Type != "" {
			notes = append(notes, p.Type)
		}
		switch {
		case p.Required:
			notes = append(notes, "required")
		case p.Default != nil:
			notes = append(notes, "default "+short(string(p.Default)))
		}
		parts[i] = p.Name
		if len(notes) > 0 {
			parts[i] += " (" + strings.Join(notes, ", ") + ")"
		}
	}
	return fmt.Sprintf("%s takes %s.", method.FullName, short(strings.Join(parts, ", ")))
}

// maxMessage limits the bytes of an error, a reason or a name in the model's context or on record.
const maxMessage = 4096

func short(s string) string { return text.TruncateBytes(s, maxMessage) }
