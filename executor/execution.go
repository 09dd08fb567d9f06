package executor

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

// allowedByPerson reports whether a person allowed the call, now or earlier.
func (c *execution) allowedByPerson() bool {
	return c.result.DecidedBy == ByPerson || c.result.DecidedBy == ByGrant
}

// maxSearched limits how much of a text is searched for secrets, in bytes. At most maxMessage bytes
// of the masked text are shown.
const maxSearched = 16 * maxMessage

// masked returns the beginning of what application code, such as a handler, says about a call,
// without the call's secrets.
func (c *execution) masked(message string) string {
	message = message[:min(len(message), maxSearched)]
	if c.method == nil {
		return message
	}
	return c.secrets().MaskText(message)
}

// secrets returns the secrets in the arguments of a call that has a method.
func (c *execution) secrets() *tool.CallSecrets {
	if c.result.Arguments == nil {
		return requestSecrets(c.req, c.method)
	}
	return c.method.CallSecrets(c.result.Arguments)
}

// arguments returns the masked arguments: the typed ones or, if the request was refused before they
// were read, those that the model wrote.
func (c *execution) arguments() json.RawMessage {
	if c.result.Arguments != nil {
		return c.method.MaskArguments(c.result.Arguments)
	}
	return c.method.MaskRequest(c.req.Arguments)
}

// label returns the label of the request, without secrets.
func (c *execution) label() string {
	if c.result.Label == "" {
		return ""
	}
	return c.masked(c.result.Label)
}

// command returns the command that the model wrote, without secrets.
func (c *execution) command() string {
	command := c.req.Command
	if c.method != nil && command != "" {
		if c.method.Secret(commandArgument) {
			return tool.Masked
		}
		command = c.method.MaskValue(command)
	}
	return short(text.Valid(command))
}

// decide records whether the call was allowed, by whom and why. It records the time only for the
// audit record.
func (b *batch) decide(c *execution, d policy.Decision, by DecidedBy, why string) {
	c.result.Decision, c.result.DecidedBy, c.result.Why = d, by, text.Valid(why)
	if b.options.Audit != nil {
		c.decided = time.Now()
	}
}

// decideByPolicy records the decision of a rule or a setting. Only the audit record needs the
// reason why a call was allowed.
func (b *batch) decideByPolicy(c *execution, r policy.Ruling) {
	by, why := BySetting, ""
	if r.Rule >= 0 {
		by = ByRule
	}
	if r.Decision != policy.Allow || b.options.Audit != nil {
		why = r.String()
	}
	b.decide(c, r.Decision, by, why)
}

// logError logs what went wrong in application code. detail may come from that code; attr is the
// name of its attribute.
func (b *batch) logError(c *execution, message, attr, detail string, stack []byte) {
	attrs := []slog.Attr{
		slog.String("id", c.req.ID), slog.String("tool", c.result.ToolName), slog.String(attr, short(c.masked(detail))),
	}
	if stack != nil {
		attrs = append(attrs, slog.String("stack", string(stack)))
	}
	b.options.Logger.LogAttrs(b.ctx, slog.LevelError, message, attrs...)
}

func (b *batch) logPanic(c *execution, value any, stack []byte) {
	b.logError(c, "panic in a tool call", "panic", fmt.Sprint(value), stack)
}
