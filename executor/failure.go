package executor

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// The error types of a result.
const (
	// ErrorToolNotFound is a name that no visible tool has.
	ErrorToolNotFound = "tool_not_found"
	// ErrorMethodNotFound is a visible tool without such a method.
	ErrorMethodNotFound = "method_not_found"
	// ErrorNotCallable is a method that is not marked agent-callable.
	ErrorNotCallable = "not_callable"
	// ErrorToolDisabled is a method that the configuration switches off or a filter hides.
	ErrorToolDisabled = "tool_disabled"
	// ErrorMalformedRequest is a request that could not be read.
	ErrorMalformedRequest = "malformed_request"
	// ErrorInvalidArguments are arguments that the method's schema refuses.
	ErrorInvalidArguments = "invalid_arguments"
	// ErrorPermissionDenied is a call that nobody has allowed.
	ErrorPermissionDenied = "permission_denied"
	// ErrorTimeout is a tool that did not finish in time.
	ErrorTimeout = "timeout"
	// ErrorExecutionFailed is a tool that reported an error or broke down.
	ErrorExecutionFailed = "execution_failed"
	// ErrorLimitExceeded is a request beyond what one reply may ask for, or beyond what a tool can take at the moment.
	ErrorLimitExceeded = "limit_exceeded"
	// ErrorCanceled is a request whose run ended before the tool did.
	ErrorCanceled = "canceled"
)

// ArgumentsDetails are the Details of a result whose arguments were refused.
type ArgumentsDetails struct {
	// Received is what the model wrote: a JSON object with plain text as strings, values of secret parameters masked.
	Received json.RawMessage `json:"received"`
	// Expected is the method's JSON Schema.
	Expected json.RawMessage `json:"expected"`
}

// failure is the outcome of a request that did not succeed, in words for the model.
type failure struct {
	kind       string
	message    string
	suggestion string
	details    any // for people
}

func malformed(err *protocol.RequestError) *failure {
	if err.Code == protocol.CodeLimitExceeded {
		return &failure{kind: ErrorLimitExceeded, message: "The request was not run. " + err.Message, suggestion: "Ask for less at a time."}
	}
	if err.Code == protocol.CodeTruncated {
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

func disabled(method *tool.Entry) *failure {
	return &failure{
		kind: ErrorToolDisabled, message: fmt.Sprintf("%s is switched off.", method.FullName),
		suggestion: "Do not ask for it again. Use another tool, or answer without it.",
	}
}

func changed(method *tool.Entry) *failure {
	return &failure{
		kind: ErrorToolNotFound, message: fmt.Sprintf("%s was removed or replaced before it could run.", method.FullName),
		suggestion: "Use another tool, or answer without it.",
	}
}

func (c *call) invalidArguments(problems string) *failure {
	return &failure{
		kind: ErrorInvalidArguments, message: cut(problems),
		suggestion: usage(c.method) + " Send the whole request again with the arguments put right.",
		details:    ArgumentsDetails{Received: c.method.MaskRequest(c.req.Arguments), Expected: c.method.Method.Parameters.JSON()},
	}
}

func denied(reason string) *failure {
	message := "The user did not allow this call."
	if reason = strings.TrimSpace(reason); reason != "" {
		message += " Reason: " + cut(reason)
	}
	return &failure{kind: ErrorPermissionDenied, message: message, suggestion: "Do not send it again unless the user asks for it. Go on without it, or ask the user how to."}
}

func unapproved() *failure {
	return &failure{
		kind: ErrorPermissionDenied, message: "This call needs the user's approval, and none could be had.",
		suggestion: "Do not send it again. Go on without it, or tell the user what it was needed for.",
	}
}

func forbidden() *failure {
	return &failure{
		kind: ErrorPermissionDenied, message: "The settings do not allow this call.",
		suggestion: "Do not send it again. Go on without it, or tell the user what it was needed for.",
	}
}

func tightened(method *tool.Entry) *failure {
	return &failure{
		kind: ErrorPermissionDenied, message: fmt.Sprintf("%s needs the user's approval since a moment ago, and was not run.", method.FullName),
		suggestion: "Where it is still needed, send the request again, so that the user is asked.",
	}
}

func alteredCall() *failure {
	return &failure{
		kind: ErrorPermissionDenied, message: "The call was changed after the user had allowed it, and was not run.",
		suggestion: "Do not send it again. Tell the user what it was needed for.",
	}
}

func timedOut(method *tool.Entry, after time.Duration) *failure {
	return &failure{
		kind: ErrorTimeout, message: fmt.Sprintf("%s did not finish within %s. It may have done a part of its work.", method.FullName, after),
		suggestion: "Ask for less in one request, or go on without it.",
	}
}

func stuck(method *tool.Entry, calls int) *failure {
	return &failure{
		kind: ErrorLimitExceeded, message: fmt.Sprintf("%s was not run: %d earlier calls of its tool took too long and have not ended yet.", method.FullName, calls),
		suggestion: "Do not send it again now. Go on without it, or use another tool.",
	}
}

func busy(method *tool.Entry) *failure {
	return &failure{
		kind: ErrorLimitExceeded, message: fmt.Sprintf("%s was not run: what it needs is still in use by an earlier call that took too long and has not ended yet.", method.FullName),
		suggestion: "Do not send it again now. Go on without it, or use another tool.",
	}
}

func failed(text string) *failure {
	if text = cut(strings.TrimSpace(text)); text == "" {
		text = "The tool failed and did not say why."
	}
	return &failure{kind: ErrorExecutionFailed, message: text, suggestion: "If the arguments caused this, send the request again with other ones; else go on without it."}
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
			notes = append(notes, "default "+cut(string(p.Default)))
		}
		parts[i] = p.Name
		if len(notes) > 0 {
			parts[i] += " (" + strings.Join(notes, ", ") + ")"
		}
	}
	return fmt.Sprintf("%s takes %s.", method.FullName, cut(strings.Join(parts, ", ")))
}

// maxErrorText bounds what a tool's error may put into the model's context, in bytes: an error is a message, not a document.
const maxErrorText = 4096

// cut returns text shortened to maxErrorText at a rune's boundary.
func cut(text string) string {
	if len(text) <= maxErrorText {
		return text
	}
	n := maxErrorText
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

// validText returns text with what is not UTF-8 replaced: the model's server would refuse it or replace it anyway.
func validText(text string) string {
	if utf8.ValidString(text) { // much faster than replacing nothing
		return text
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
