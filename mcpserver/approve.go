package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/text"
)

// maxQuestion limits the text of a question, in bytes. A call with a longer question cannot be
// approved, because people must see everything that they approve.
const maxQuestion = 32 << 10

// The answers that the form of the elicitation offers.
const (
	answerAllow   = "allow"
	answerSession = "allow for this session"
	answerDeny    = "deny"
)

// Approve is an executor.Approver. It asks the person at the client that made the call, by an
// elicitation: a form that the client shows. It returns executor.ErrNobodyToAsk if the client does
// not support elicitations.
func Approve(ctx context.Context, q executor.Question) (executor.Answer, error) {
	c := callFrom(ctx)
	if c == nil {
		return executor.Answer{}, errors.New("mcpserver: the call came from no MCP client, so there is nobody to ask")
	}
	if !c.client.canAsk() {
		return executor.Answer{}, executor.ErrNobodyToAsk
	}
	message := question(q)
	if len(message) > maxQuestion {
		return q.Deny(fmt.Sprintf("the call is too long to be shown to a person (%d bytes; at most %d are allowed)",
			len(message), maxQuestion)), nil
	}
	r, err := c.client.session.Elicit(ctx, &sdk.ElicitParams{Message: message, RequestedSchema: form(q)})
	if err != nil {
		return executor.Answer{}, fmt.Errorf("the MCP client did not answer: %w", err)
	}
	decision, _ := r.Content["decision"].(string)
	switch {
	case r.Action == "cancel":
		return q.Deny("the question was dismissed"), nil
	case r.Action == "accept" && decision == answerAllow:
		return q.Allow(), nil
	case r.Action == "accept" && decision == answerSession:
		return q.AllowForConversation(), nil
	}
	return q.Deny(""), nil
}

// canAsk reports whether the client can show forms to a person.
func (c *client) canAsk() bool {
	p := c.session.InitializeParams()
	if p == nil || p.Capabilities == nil || p.Capabilities.Elicitation == nil {
		return false
	}
	e := p.Capabilities.Elicitation
	return e.Form != nil || e.URL == nil // by the protocol, an empty elicitation capability means forms
}

// question returns the text that asks a person for approval.
func question(q executor.Question) string {
	call := q.Pending()
	var b strings.Builder
	fmt.Fprintf(&b, "Allow the call of %s (risk: %s)?\n", call.Method, call.Risk)
	if call.Problem != "" {
		fmt.Fprintf(&b, "The last answer could not be used: %s\n", shown(call.Problem))
	}
	if call.Change != "" {
		fmt.Fprintf(&b, "The method is not the one that was approved before: %s\n", shown(call.Change))
	}
	fmt.Fprintf(&b, "Arguments: %s\n", shown(string(call.Arguments)))
	if q.Provenance != nil {
		if words, err := json.Marshal(q.Provenance); err == nil {
			fmt.Fprintf(&b, "Parts of the call that come from foreign text: %s\n", shown(string(words)))
		}
	}
	if q.Preview != "" {
		fmt.Fprintf(&b, "What it would do:\n%s\n", shown(q.Preview))
	}
	return b.String()
}

// shown returns foreign text with invisible characters written as escapes.
func shown(s string) string { return text.EscapeHidden(s, "\n") }

// form returns the schema of the form that the person fills in.
func form(q executor.Question) any {
	covers := "all calls of " + q.Method.FullName
	if !q.GrantsMethod {
		covers = "calls with these arguments"
	}
	return map[string]any{
		"type": "object",
		"properties": map[string]any{"decision": map[string]any{
			"type": "string", "title": "Decision", "enum": []string{answerAllow, answerSession, answerDeny},
			"description": fmt.Sprintf("%q covers %s until the client disconnects", answerSession, covers),
		}},
		"required": []string{"decision"},
	}
}
