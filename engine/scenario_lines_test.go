package engine_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/modelserver"
)

// scenarioLine writes an event on one line, with more details than traceLine.
func scenarioLine(ev engine.Event) string {
	line := traceLine(ev)
	switch ev.Kind {
	case engine.EventDropped:
		line += fmt.Sprintf(" %s |%s", ev.Reason, ev.Text)
	case engine.EventNotice:
		line += fmt.Sprintf(" %s", ev.Notice.Code)
	case engine.EventArgumentVoided:
		line += fmt.Sprintf(" %s %s", shortID(ev.RequestID), ev.Name)
	case engine.EventApprovalNeeded, engine.EventToolDispatched:
		line += fmt.Sprintf(" %s %s %s", shortID(ev.RequestID), ev.Name, ev.Arguments)
	case engine.EventToolDone:
		if ev.Result.Details != nil {
			details, _ := json.Marshal(ev.Result.Details)
			line += fmt.Sprintf(" details %s", details)
		}
	case engine.EventIterationDone:
		if u := ev.Iteration.Usage; u != nil {
			line += fmt.Sprintf(" usage %d,%d", u.PromptTokens, u.CompletionTokens)
		}
		for _, name := range slices.Sorted(maps.Keys(ev.Iteration.Reply.RepairCounts())) {
			line += " repair " + name
		}
		if n := ev.Iteration.Continued; n > 0 {
			line += fmt.Sprintf(" continued %d", n)
		}
	case engine.EventRunDone:
		if ev.Limit != "" {
			line += " " + string(ev.Limit)
		}
	default:
	}
	return line
}

// sentText returns the section "sent" of a scenario. It contains "(prompt)" in place of the prompt.
func sentText(requests []modelserver.Request, prompt string) string {
	var b strings.Builder
	var previous []modelserver.Message // the messages of the previous request
	for i, r := range requests {
		same := 0
		for same < len(previous) && same < len(r.Messages) && cmp.Equal(previous[same], r.Messages[same]) {
			same++
		}
		fmt.Fprintf(&b, "== request %d", i+1)
		if i > 0 {
			fmt.Fprintf(&b, " = %d", same)
		}
		if len(r.Stop) > 0 && i == 0 {
			fmt.Fprintf(&b, " stop %q", r.Stop)
		}
		b.WriteString("\n")
		for _, m := range r.Messages[same:] {
			content := m.Content
			if prompt != "" {
				content = strings.Replace(content, prompt, "(prompt)", 1)
			}
			who := m.Role
			if m.ToolCallID != "" {
				who += " " + m.ToolCallID
			}
			fmt.Fprintf(&b, "[%s]\n", who)
			if content != "" {
				fmt.Fprintln(&b, content)
			}
			for _, c := range m.ToolCalls {
				fmt.Fprintf(&b, "(calls %s %s %s)\n", c.ID, c.Name, c.Arguments)
			}
		}
		previous = r.Messages
	}
	return b.String()
}
