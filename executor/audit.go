package executor

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// AuditRecord says of one request who asked for what, who let it run, and what came of it. Values of secret arguments are masked.
// Texts that models and tools wrote are no part of it, arguments aside. The JSON form is what AuditJSON writes.
type AuditRecord struct {
	// Session is the id of the conversation, as the engine's application gave it; "" outside of an engine.
	Session string `json:"session,omitempty"`
	// RequestID is the engine's own id, Label the model's; the label may be on other requests too.
	RequestID string `json:"requestId"`
	Label     string `json:"label,omitempty"`
	// ToolName and Command are what the model wrote, 4 KB of each; Method is the full name that they stand for, "" where no method was found.
	ToolName string `json:"toolName"`
	Command  string `json:"command,omitempty"`
	Method   string `json:"method,omitempty"`
	// Arguments is a JSON object: the typed arguments or, where the request did not get so far, those that the model wrote.
	// Edited says that a person has changed them.
	Arguments json.RawMessage `json:"arguments"`
	Edited    bool            `json:"edited,omitempty"`
	// Decision tells whether leave was given, and DecidedBy by whom. Both are "" where the request did not get so far.
	Decision  AuditDecision `json:"decision,omitempty"`
	DecidedBy AuditDecider  `json:"decidedBy,omitempty"`
	// Status and ErrorType are those of the result.
	Status    protocol.ResultStatus `json:"status"`
	ErrorType string                `json:"errorType,omitempty"`
	// Asked is when the request was taken up, Decided when leave was given or not, Started when the tool began, Done when there was a
	// result; zero where it did not come to that. Duration is how long the tool ran.
	Asked    time.Time     `json:"asked"`
	Decided  time.Time     `json:"decided,omitzero"`
	Started  time.Time     `json:"started,omitzero"`
	Done     time.Time     `json:"done"`
	Duration time.Duration `json:"-"`
	// Retries and Cached are those of the result.
	Retries int  `json:"retries,omitempty"`
	Cached  bool `json:"cached,omitempty"`
	// RawBytes, Reduced and Tokens are those of the result, Bytes is the length of the text that the model is given.
	RawBytes int       `json:"rawBytes"`
	Bytes    int       `json:"bytes"`
	Tokens   int       `json:"tokens"`
	Reduced  Reduction `json:"reduced,omitempty"`
}

// AuditDecision is whether leave was given.
type AuditDecision string

// AuditDecider is who gave leave, or did not.
type AuditDecider string

// The values of AuditRecord's Decision and DecidedBy.
const (
	AuditAllowed AuditDecision = "allowed"
	AuditDenied  AuditDecision = "denied"

	// AuditByRule is a decision of the configuration: of Policy, or that nothing runs where nobody can be asked.
	AuditByRule AuditDecider = "rule"
	// AuditByGrant is an earlier answer, for the whole conversation.
	AuditByGrant AuditDecider = "grant"
	// AuditByPerson is the answer of whoever was asked.
	AuditByPerson AuditDecider = "person"
)

// MarshalJSON writes Duration as durationMs, in milliseconds with fractions.
func (r AuditRecord) MarshalJSON() ([]byte, error) {
	type plain AuditRecord
	return orderedjson.Encode(struct {
		plain
		DurationMs float64 `json:"durationMs"`
	}{plain(r), float64(r.Duration.Microseconds()) / 1000})
}

// AuditFunc takes one record for each request, when its result is there. It is called by several goroutines at once, and ctx is not
// canceled where the run was. Calls wait for it; an error or a panic is logged and changes no call.
type AuditFunc func(ctx context.Context, r AuditRecord) error

// audit hands over the record of a call that is settled.
func (b *batch) audit(c *call) {
	o := &b.executor.options
	if o.Audit == nil {
		return
	}
	r := c.result
	record := AuditRecord{
		RequestID: r.ID, Label: r.Label, ToolName: validText(cut(c.req.ToolName)), Command: c.command(), Method: r.Method,
		Decision: c.trail.decision, DecidedBy: c.trail.decider, Status: r.Status, ErrorType: r.ErrorType,
		Asked: c.trail.asked, Decided: c.trail.decided, Done: time.Now(), Duration: r.Duration,
		Edited: r.Edited, Retries: r.Retries, Cached: r.Cached, RawBytes: r.RawBytes, Bytes: len(r.ToolResult.Result), Tokens: r.Tokens, Reduced: r.Reduced,
	}
	if c.limit > 0 { // the tool began to run
		record.Started = r.Started
	}
	if r.Arguments != nil {
		record.Arguments = c.method.MaskArguments(r.Arguments)
	} else {
		record.Arguments = c.method.MaskRequest(c.req.Arguments)
	}
	if err := callAudit(context.WithoutCancel(b.ctx), o.Audit, record); err != nil {
		o.Logger.LogAttrs(b.ctx, slog.LevelError, "a call could not be put on the audit record",
			slog.String("id", r.ID), slog.String("tool", r.ToolName), slog.Any("error", err))
	}
}

func callAudit(ctx context.Context, audit AuditFunc, r AuditRecord) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return audit(ctx, r)
}

// A trail is what the record of a call needs to know of its way.
type trail struct {
	asked    time.Time
	decision AuditDecision
	decider  AuditDecider
	decided  time.Time
}

// decide takes note of whether leave was given. When matters to the record alone.
func (b *batch) decide(c *call, d AuditDecision, by AuditDecider) {
	c.trail.decision, c.trail.decider = d, by
	if b.executor.options.Audit != nil {
		c.trail.decided = time.Now()
	}
}

// command returns the command that the model wrote, without secrets: it may be an argument.
func (c *call) command() string {
	command := c.req.Command
	if c.method != nil && command != "" {
		if c.method.Secret(commandArgument) {
			return tool.Masked
		}
		command = c.method.MaskValue(command)
	}
	return validText(cut(command))
}

// maxMasked bounds what is looked through for secrets, in bytes: much more than is shown of any text.
const maxMasked = 16 * maxErrorText

// masked returns the beginning of what foreign code says of a call, without the call's secrets.
func (c *call) masked(text string) string {
	if len(text) > maxMasked {
		text = text[:maxMasked]
	}
	if c.method == nil {
		return text
	}
	return c.secrets().MaskText(text)
}

// secrets returns those of the call, which has a method.
func (c *call) secrets() *tool.CallSecrets {
	if c.result.Arguments == nil {
		return requestSecrets(c.req, c.method)
	}
	return c.method.CallSecrets(c.result.Arguments)
}
