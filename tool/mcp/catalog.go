package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/tool"
)

// maxDefinitions limits the names, texts and schemas of one server, in bytes.
const maxDefinitions = 8 << 20

// offeredMethods are the methods made of what a server offers, and the problems with its tools.
type offeredMethods struct {
	methods  []tool.Method
	problems []string // for people: which tools are omitted and why, and errors of the pins
	states   []string // one for each method: its name, its pin, and the reason of its Changed
	bytes    int      // size of the names, texts and schemas
}

// equal reports whether both have methods with the same definitions, and the same problems.
func (o *offeredMethods) equal(other *offeredMethods) bool {
	return slices.Equal(o.states, other.states) && slices.Equal(o.problems, other.problems)
}

// notes returns, for people, the problems and the methods whose changed definition needs approval.
func (o *offeredMethods) notes() []string {
	list := slices.Clone(o.problems)
	for i := range o.methods {
		if change := o.methods[i].Changed; change.Open() {
			list = append(list,
				fmt.Sprintf("%s needs a person's approval once: %s", o.methods[i].Name, change.Reason()))
		}
	}
	return list
}

// catalog converts the tools, prompts and resources of a server to methods. It compares their
// definitions with those that pins recorded before.
type catalog struct {
	*endpoint
	pins     Pins
	accepted chan struct{} // receives a value after a person approved a changed definition

	mu         sync.Mutex
	unrecorded map[string]Pin // the approved definitions that could not be recorded yet, by method
	recordErr  error          // the last error of recording one of them
}

// read requests the lists of what the server offers, and converts them to methods.
func (c *catalog) read(ctx context.Context, conn *session) (*offeredMethods, error) {
	o := &offeredMethods{}
	var definitions []definition
	add := func(d definition) error {
		o.bytes += len(d.name) + len(d.title) + len(d.description) + len(d.parameters)
		if definitions = append(definitions, d); len(definitions) > maxMethods || o.bytes > maxDefinitions {
			return errorf("the server offers more than %d methods or %d MiB of definitions",
				maxMethods, maxDefinitions>>20)
		}
		return nil
	}
	capabilities := conn.InitializeResult().Capabilities
	if capabilities == nil {
		capabilities = &sdk.ServerCapabilities{}
	}
	if capabilities.Tools != nil {
		conn.listing.forget()
		for t, err := range conn.Tools(ctx, nil) {
			if err == nil {
				err = add(c.toolDefinition(conn, t))
			}
			if err != nil {
				return nil, err
			}
		}
	}
	if c.config.Prompts && capabilities.Prompts != nil {
		for p, err := range conn.Prompts(ctx, nil) {
			if err == nil && p != nil {
				err = add(c.promptDefinition(p))
			}
			if err != nil {
				return nil, err
			}
		}
	}
	if c.config.Resources && capabilities.Resources != nil {
		for _, d := range c.resourceDefinitions() {
			if err := add(d); err != nil {
				return nil, err
			}
		}
	}
	c.build(o, definitions)
	return o, nil
}

// build converts definitions to methods and adds them to o. The methods of vcp itself come first,
// so that the server cannot replace one of them. Tools whose names stay unchanged come next, so
// that the altered name of another tool cannot take one of these names.
func (c *catalog) build(o *offeredMethods, definitions []definition) {
	order := func(d definition) int {
		switch {
		case d.ours:
			return 0
		case methodName(c.config.Name, d.name) == d.name:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(definitions, func(a, b definition) int { return cmp.Compare(order(a), order(b)) })
	taken, seen := map[string]bool{}, map[string]Pin{}
	definitions = slices.DeleteFunc(definitions, func(d definition) bool {
		name := methodName(c.config.Name, d.name)
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
	pinned, err := c.pins.See(c.config.Name, seen)
	if err != nil {
		problem := fmt.Sprintf("definitions cannot be compared with earlier ones: %v", err)
		o.problems = append(o.problems, c.redactor.Line(problem, 2*shownOutput))
	}
	for i := range definitions {
		d := &definitions[i]
		name := methodName(c.config.Name, d.name)
		m, err := c.makeMethod(name, d)
		if err != nil {
			o.problems = append(o.problems,
				c.redactor.Line(fmt.Sprintf("%s cannot be offered: %v", name, err), shownOutput))
			continue
		}
		now := seen[name]
		switch pin, known := pinned[name]; {
		case d.ours:
		case !known:
			m.Changed = tool.NewChange("it is not known whether the server has changed the definition", c.accept(name, now))
		case !pin.same(now):
			m.Changed = tool.NewChange(d.changesFrom(pin), c.accept(name, now))
		}
		o.methods = append(o.methods, m)
		now.Time = time.Time{} // otherwise, no two states would be equal
		o.states = append(o.states, fmt.Sprint(name, now, m.Changed.Reason()))
	}
}

// accept returns the function to call when a person approves a call of a changed method. It records
// pin as the method's pin, and those that could not be recorded before.
func (c *catalog) accept(name string, pin Pin) func() {
	return func() {
		c.mu.Lock()
		if c.unrecorded == nil {
			c.unrecorded = map[string]Pin{}
		}
		c.unrecorded[name] = pin
		for name, pin := range c.unrecorded {
			if err := c.pins.Accept(c.config.Name, name, pin); err != nil {
				c.recordErr = err
			} else {
				delete(c.unrecorded, name)
			}
		}
		c.mu.Unlock()
		notify(c.accepted)
	}
}

// warning describes approvals that are not recorded. It is empty if all of them are.
func (c *catalog) warning() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.unrecorded) == 0 {
		return ""
	}
	return fmt.Sprintf("an approval cannot be recorded and ends with this process: %v", c.recordErr)
}

// makeMethod converts a definition to a method.
func (c *catalog) makeMethod(name string, d *definition) (tool.Method, error) {
	parameters := d.parameters
	if text := bytes.TrimSpace(parameters); len(text) == 0 || bytes.Equal(text, []byte("null")) {
		parameters = json.RawMessage(`{"type":"object"}`)
	}
	parameters, err := cleanSchema(parameters)
	if err != nil {
		return tool.Method{}, err
	}
	title := clean(strings.Join(strings.Fields(d.title), " "), maxTitle)
	description := clean(d.description, maxDescription)
	m, err := tool.Raw(name, description, parameters, d.handler, tool.AgentCallable(),
		tool.FullName(c.config.Name+"/"+name), tool.Title(title),
		tool.WithRisk(cmp.Or(c.config.Risk, d.risk)), tool.Timeout(c.config.Timeout))
	m.AlwaysAsk = c.config.Risk == ""
	switch rest, prompt := strings.CutPrefix(description, promptLead); {
	case d.ours:
		tool.Translate("zh", chinese.MCPDefinitions)(&m)
	case prompt:
		tool.Translate("zh", map[string]string{description: chinese.MCP[promptLead] + rest})(&m)
	}
	return m, err
}
