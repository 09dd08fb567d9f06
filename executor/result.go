package executor

import (
	"encoding/json"
	"time"

	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// Result is the outcome of one request.
type Result struct {
	// ToolResult is what the model reads. ToolName is the method's full name or, if no method was
	// found, up to 4 KB of what the model wrote. Result is valid UTF-8.
	protocol.ToolResult
	// ID, Label and CallID are the request's; Label is shortened to 4 KB.
	ID     string
	Label  string
	CallID string
	// Method is the method's full name; "" means that none was found.
	Method string
	// Arguments are the typed arguments, or nil if the request was refused before they were read.
	// Edited says that a person changed them.
	Arguments json.RawMessage
	Edited    bool
	// Decision is policy.Allow or policy.Deny, and DecidedBy says who or what made the decision;
	// both are "" if the request was refused before a decision. Why is the reason for a denial: it
	// names the rule or the setting, repeats the person's reason, or says why nobody could approve.
	// With Options.Audit, it also names the rule or the setting that allowed a call.
	Decision  policy.Decision
	DecidedBy DecidedBy
	Why       string
	// Provenance names the foreign text that the request occurs in. It is nil if the request occurs
	// in none, or was refused before that was known.
	Provenance *Provenance
	// Problems are what is wrong with the arguments, up to schema.MaxProblems; nil unless ErrorType
	// is invalid_arguments.
	Problems []schema.Problem
	// Repaired lists the repairs that made the arguments fit their schema.
	Repaired []schema.Repaired
	// Details and Files are for people and never reach the model. Details are ArgumentsDetails if
	// ErrorType is invalid_arguments.
	Details any
	Files   []tool.File
	// RawBytes is the length of the tool's text, or of the message of an error, before anything was
	// repaired, shortened or added. Tokens is the estimated cost of the text for the model.
	RawBytes int
	Tokens   int
	// Excerpted says that the model reads an excerpt of the text, Summarized that it reads a
	// summary.
	Excerpted, Summarized bool
	// Retries is how often the method ran again after it failed. Cached says that the result of an
	// earlier call was returned.
	Retries int
	Cached  bool
	// Started is when the tool began to run or, if it did not run, when the executor took the
	// request.
	Started time.Time
	// Duration is how long the tool ran, or 0 if it did not run.
	Duration time.Duration

	entry  *tool.Entry // of Method
	digest Digest      // of the call, if Arguments are masked
}

func (r *Result) fail(f *failure, language string) {
	r.Status = protocol.StatusError
	r.ErrorType, r.Suggestion = f.kind, f.suggestion.in(language)
	r.ToolResult.Result = short(text.Valid(f.message.in(language)))
	r.Details = f.details
}

// Digest returns the digest of the call, with the arguments that it ran with. ok is false if the
// request was refused before its arguments were read.
func (r *Result) Digest() (d Digest, ok bool) {
	if r.Method == "" || r.Arguments == nil {
		return "", false
	}
	if r.digest != "" {
		return r.digest, true
	}
	return digestOf(r.Method, r.Arguments), true
}
