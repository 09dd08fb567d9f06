package tool

import (
	"cmp"
	"slices"
	"strings"
)

// ProviderState is the state of a provider.
type ProviderState struct {
	Source string // the name of its source
	Name   string
	Health Health
	Reason string // why Health is not HealthUp
	// Tools are the ids of its registered tools, sorted.
	Tools []string
}

// offeredProvider is a provider that a source offers, and the state of its tools.
type offeredProvider struct {
	Provider
	tools []offeredTool // one for each of Provider.Tools
}

// offeredTool is a tool that was registered or refused.
type offeredTool struct {
	tool       Tool
	registered *Tool // the registered copy; nil if the tool was refused
	refused    error // why the tool was refused; nil if it was registered
}

// register adds the tools that are not registered yet, and reports whether it could add one.
func (p *offeredProvider) register(next *snapshot) (added bool) {
	for i := range p.tools {
		t := &p.tools[i]
		if t.registered != nil {
			continue
		}
		if t.refused = next.add(&t.tool); t.refused == nil {
			t.registered, added = next.tools[t.tool.ID], true
		}
	}
	return added
}

// state returns the state of the provider. Its reason names the tools that were refused.
func (p *offeredProvider) state(source string) ProviderState {
	state := ProviderState{Source: source, Name: p.Name, Health: cmp.Or(p.Health, HealthUp), Reason: p.Reason}
	var refused []string
	for _, t := range p.tools {
		if t.refused == nil {
			state.Tools = append(state.Tools, t.tool.ID)
		} else {
			refused = append(refused, t.refused.Error())
		}
	}
	slices.Sort(state.Tools)
	if len(refused) == 0 {
		return state
	}
	switch {
	case state.Health == HealthUp && len(state.Tools) == 0:
		state.Health = HealthDown
	case state.Health == HealthUp:
		state.Health = HealthDegraded
	}
	if state.Reason != "" {
		refused = append([]string{state.Reason}, refused...)
	}
	state.Reason = strings.Join(refused, "; ")
	return state
}
