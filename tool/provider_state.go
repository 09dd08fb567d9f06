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

// offeredProvider is a provider that a source offers, and which of its tools are registered.
type offeredProvider struct {
	Provider
	tools []*Tool // the registered copy of each of Provider.Tools; nil if it was refused
	why   []error // why each of Provider.Tools was refused; nil if it was registered
}

// state returns the state of the provider. Its reason names the tools that were refused.
func (p *offeredProvider) state(source string) ProviderState {
	state := ProviderState{Source: source, Name: p.Name, Health: cmp.Or(p.Health, HealthUp), Reason: p.Reason}
	var refused []string
	for i, t := range p.tools {
		if t != nil {
			state.Tools = append(state.Tools, t.ID)
		} else {
			refused = append(refused, p.why[i].Error())
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
