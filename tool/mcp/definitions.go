package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/tool"
)

// What one server can put into the registry.
const (
	maxMethods     = 1000
	maxDefinitions = 8 << 20 // bytes of all names, descriptions and schemas
	maxDescription = 8 << 10 // bytes of one description
	maxTitle       = 200     // bytes of one title
)

// offered is what a server offers: methods, and what keeps others from being offered.
type offered struct {
	methods  []tool.Method
	problems []string // for people
	states   []string // of methods: what they are, and how they changed
	bytes    int      // of the definitions
}

func (o *offered) equal(other *offered) bool {
	return slices.Equal(o.states, other.states) && slices.Equal(o.problems, other.problems)
}

// notes returns for people what is wrong with the tools.
func (o *offered) notes() []string {
	list := slices.Clone(o.problems)
	for i := range o.methods {
		if change := o.methods[i].Changed; change.Open() {
			list = append(list, fmt.Sprintf("%s needs a person's approval once: %s", o.methods[i].Name, change.Reason()))
		}
	}
	return list
}

// definition is something of a server that becomes a method.
type definition struct {
	name               string // the server's
	title, description string
	parameters         json.RawMessage
	risk               tool.Risk
	handler            tool.Handler
	ours               bool // the server has no part in it, so it is not pinned
}

// list asks the server for what it offers.
func (s *Source) list(ctx context.Context, conn *session) (*offered, error) {
	o := &offered{}
	var definitions []definition
	add := func(d definition) error {
		o.bytes += len(d.name) + len(d.title) + len(d.description) + len(d.parameters)
		if definitions = append(definitions, d); len(definitions) > maxMethods || o.bytes > maxDefinitions {
			return fmt.Errorf("the server offers more than %d methods or %d MiB of definitions", maxMethods, maxDefinitions>>20)
		}
		return nil
	}
	info := conn.InitializeResult()
	capabilities := info.Capabilities
	if capabilities == nil {
		capabilities = &sdk.ServerCapabilities{}
	}
	if capabilities.Tools != nil {
		conn.listing.forget()
		for t, err := range conn.Tools(ctx, nil) {
			if err == nil {
				err = add(s.tool(conn, t))
			}
			if err != nil {
				return nil, err
			}
		}
	}
	if s.config.Prompts && capabilities.Prompts != nil {
		for p, err := range conn.Prompts(ctx, nil) {
			if err == nil {
				err = add(s.prompt(p))
			}
			if err != nil {
				return nil, err
			}
		}
	}
	if s.config.Resources && capabilities.Resources != nil {
		for _, d := range s.resources() {
			if err := add(d); err != nil {
				return nil, err
			}
		}
	}
	s.build(o, definitions)
	return o, nil
}

// tool returns the definition of a server's tool. Its annotations are hints of a server that nobody
// may trust: they can raise the risk, and nothing else.
func (s *Source) tool(conn *session, t *sdk.Tool) definition {
	d := definition{name: t.Name, title: t.Title, description: t.Description, risk: tool.RiskWrite, handler: s.callTool(t.Name)}
	if a := t.Annotations; a != nil {
		d.title = cmp.Or(d.title, a.Title)
		if a.DestructiveHint != nil && *a.DestructiveHint && !a.ReadOnlyHint {
			d.risk = tool.RiskDangerous
		}
	}
	if d.parameters = conn.listing.schema(t.Name); d.parameters == nil {
		d.parameters, _ = orderedjson.Encode(t.InputSchema) // it was decoded from JSON
	}
	return d
}

// build makes methods of definitions. Names that methods can have come first, so that no name made
// of another takes them.
func (s *Source) build(o *offered, definitions []definition) {
	verbatim := func(d definition) int {
		if methodName(s.config.Name, d.name) == d.name {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(definitions, func(a, b definition) int { return cmp.Compare(verbatim(a), verbatim(b)) })
	taken, seen := map[string]bool{}, map[string]Pin{}
	definitions = slices.DeleteFunc(definitions, func(d definition) bool {
		name := methodName(s.config.Name, d.name)
		switch {
		case d.name == "":
			o.problems = append(o.problems, "the server offers a tool without a name, which is omitted")
			return true
		case taken[name]:
			o.problems = append(o.problems, fmt.Sprintf("the server offers %q twice, and the second is omitted", name))
			return true
		case !d.ours:
			seen[name] = d.pin()
		}
		taken[name] = true
		return false
	})
	pinned, err := s.pins.See(s.config.Name, seen)
	if err != nil {
		o.problems = append(o.problems, s.redactor.Line(fmt.Sprintf("definitions cannot be compared with those of earlier: %v", err), 2*shownOutput))
	}
	for i := range definitions {
		d := &definitions[i]
		name := methodName(s.config.Name, d.name)
		m, err := s.method(name, d)
		if err != nil {
			o.problems = append(o.problems, s.redactor.Line(fmt.Sprintf("%s cannot be offered: %v", name, err), shownOutput))
			continue
		}
		now := seen[name]
		switch pin, known := pinned[name]; {
		case d.ours:
		case !known:
			m.Changed = tool.NewChange("it is not known whether the server has changed it", s.accept(name, now))
		case !pin.same(now):
			m.Changed = tool.NewChange(pin.changesTo(d), s.accept(name, now))
		}
		o.methods = append(o.methods, m)
		o.states = append(o.states, strings.Join([]string{name, now.Title, now.Description, now.Parameters, string(now.Risk), m.Changed.Reason()}, " "))
	}
}

// accept returns what an approval of a changed method does.
func (s *Source) accept(name string, pin Pin) func() {
	return func() {
		if err := s.pins.Accept(s.config.Name, name, pin); err != nil {
			s.unrecorded.Store(&err)
		}
		select {
		case s.accepted <- struct{}{}:
		default: // one is announced already
		}
	}
}

// method makes a method of a definition.
func (s *Source) method(name string, d *definition) (tool.Method, error) {
	parameters := cleanSchema(d.parameters)
	if text := bytes.TrimSpace(parameters); len(text) == 0 || bytes.Equal(text, []byte("null")) {
		parameters = json.RawMessage(`{"type":"object"}`)
	}
	title, description := clean(strings.Join(strings.Fields(d.title), " "), maxTitle), clean(d.description, maxDescription)
	m, err := tool.Raw(name, description, parameters, d.handler, tool.AgentCallable(), tool.FullName(s.config.Name+"/"+name),
		tool.Title(title), tool.WithRisk(cmp.Or(s.config.Risk, d.risk)), tool.Timeout(s.config.Timeout))
	m.AlwaysAsk = s.config.Risk == ""
	return m, err
}
