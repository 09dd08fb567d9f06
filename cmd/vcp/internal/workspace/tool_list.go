package workspace

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/tool"

	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

// decisions are the words with which a list says what happens to a call.
var decisions = map[policy.Decision]string{
	policy.Allow: "runs", policy.Ask: "asks for approval", policy.Deny: "is denied",
}

// ToolList is what vcp tools shows: the methods, and the providers of tools that do not work as
// they should. A provider is a plug-in, a server or a file of a source.
type ToolList struct {
	methods []listedMethod // sorted by full name
	broken  []tool.ProviderState
}

// listedMethod is a method and what happens to its calls.
type listedMethod struct {
	*tool.Entry
	visible bool // models see it
	ruling  policy.Ruling
	reason  string // why no call can run; "" if calls can run
}

// List lists the methods as the engine's sessions see them.
func (s *Workspace) List(e *engine.Engine) ToolList {
	var list ToolList
	session, rulings := e.NewSession("tools"), s.Config.Policy()
	down := map[string]string{} // by source and tool: why its methods cannot run
	for _, p := range s.sources.Providers() {
		if p.Health == tool.HealthUp {
			continue
		}
		list.broken = append(list.broken, p)
		for _, id := range p.Tools {
			if p.Health != tool.HealthDegraded { // the methods of a degraded provider can run
				down[p.Source+"\x00"+id] = p.Reason
			}
		}
	}
	for _, entry := range s.Registry.Entries() {
		m := listedMethod{
			Entry: entry, visible: session.Visible(entry), ruling: rulings.Ruling(entry),
			reason: down[entry.Owner+"\x00"+entry.Tool.ID],
		}
		if !m.visible {
			why := session.WhyHidden(entry)
			if why == "" {
				continue // a tool of the engine that is not needed
			}
			m.reason = "switched off by " + why
		}
		list.methods = append(list.methods, m)
	}
	return list
}

// Describe returns the list for people, or "" if no method is visible and no provider is broken.
func (l *ToolList) Describe() string {
	var visible, others strings.Builder
	for _, m := range l.methods {
		if m.visible {
			m.describe(&visible)
		} else {
			fmt.Fprintf(&others, "\n%s\n  %s\n", m.FullName, terminal.Visible(m.reason))
		}
	}
	for _, p := range l.broken {
		fmt.Fprintf(&others, "\n%s (%s)\n  is %s: %s\n",
			terminal.Visible(p.Name), terminal.Visible(p.Source), p.Health, terminal.Visible(p.Reason))
	}
	if visible.Len() == 0 && len(l.broken) == 0 {
		return ""
	}
	return strings.TrimPrefix(visible.String(), "\n") + others.String()
}

// describe writes an empty line, and the method with its description and its arguments.
func (m *listedMethod) describe(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s\n", m.FullName)
	for line := range strings.Lines(m.Method.Description) {
		fmt.Fprintf(b, "  %s\n", terminal.Visible(strings.TrimRight(line, "\r\n")))
	}
	fmt.Fprintf(b, "  risk: %s; a call %s by %s\n",
		m.Risk(), decisions[m.ruling.Decision], terminal.Visible(m.ruling.String()))
	if m.reason != "" {
		fmt.Fprintf(b, "  it cannot run: %s\n", terminal.Visible(m.reason))
	}
	for _, p := range m.Method.Parameters.Properties() {
		var notes []string
		if p.Type != "" {
			notes = append(notes, p.Type)
		}
		switch {
		case p.Required:
			notes = append(notes, "required")
		case p.Default != nil:
			notes = append(notes, "default "+string(p.Default))
		}
		fmt.Fprintf(b, "    %s (%s): %s\n",
			terminal.Visible(p.Name), terminal.Visible(strings.Join(notes, ", ")), terminal.Visible(p.Description))
	}
}

// methodJSON is a method as vcp tools --json writes it.
type methodJSON struct {
	FullName    string           `json:"fullName"`
	ToolName    string           `json:"toolName"` // FullName again, under the name that requests use
	Tool        string           `json:"tool"`
	Method      string           `json:"method"`
	Source      string           `json:"source"`
	Title       string           `json:"title"`
	Aliases     []string         `json:"aliases,omitempty"`
	Tags        []string         `json:"tags,omitempty"`
	Description string           `json:"description"`
	Risk        tool.Risk        `json:"risk"`
	Enabled     bool             `json:"enabled"`
	Decision    policy.Decision  `json:"decision"`
	Why         string           `json:"why"`
	Reason      string           `json:"reason,omitempty"`
	Parameters  json.RawMessage  `json:"parameters"`
	Examples    []map[string]any `json:"examples,omitempty"`
}

// providerJSON is a provider that does not work as it should.
type providerJSON struct {
	Source string      `json:"source"`
	Tool   string      `json:"tool"`
	Health tool.Health `json:"health"`
	Reason string      `json:"reason"`
}

// Objects returns the objects of vcp tools --json.
func (l *ToolList) Objects() []any {
	list := []any{}
	for _, m := range l.methods {
		list = append(list, methodJSON{
			FullName: m.FullName, ToolName: m.FullName, Tool: m.Tool.ID, Method: m.Method.Name, Source: m.Owner,
			Title: m.Method.Title, Aliases: m.Method.Aliases, Tags: m.Method.Tags,
			Description: m.Method.Description, Risk: m.Risk(), Enabled: m.visible,
			Decision: m.ruling.Decision, Why: m.ruling.String(), Reason: m.reason,
			Parameters: m.Method.Parameters.JSON(), Examples: m.Method.Examples,
		})
	}
	for _, p := range l.broken {
		list = append(list, providerJSON{p.Source, p.Name, p.Health, p.Reason})
	}
	return list
}
