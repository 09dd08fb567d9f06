package engine

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/vcpgo/vcp/discovery"
	"github.com/vcpgo/vcp/tool"
)

// searches reports whether the prompt of the session lists only some of the visible methods,
// because all would exceed Config.PromptMethods or Config.PromptTokens: the pinned methods, those
// that the model has found, and the search tool. All visible methods can be called in any case.
func (s *Session) searches(set *settings) bool {
	c := &set.config
	if c.PromptMethods == 0 && c.PromptTokens == 0 || !s.mayUse(set, searchTool, searchMethod) {
		return false
	}
	prompt, methods := s.engine.discovery.List(s.shows(set))
	if c.PromptMethods > 0 && methods > c.PromptMethods {
		return true
	}
	return c.PromptTokens > 0 && s.listed.exceeds(prompt, c.PromptTokens, s.engine.tokens)
}

// mayUse reports whether the configuration and the session switch on a method of the engine.
func (s *Session) mayUse(set *settings, toolID, fullName string) bool {
	switched := func(toggles discovery.Toggles, otherwise bool) bool {
		for _, key := range []string{fullName, toolID} {
			if on, named := toggles[key]; named {
				return on
			}
		}
		return otherwise
	}
	return set.config.Enabled && switched(set.config.ToolToggles, set.config.DefaultToolEnabled) && switched(s.narrow.toggles, true)
}

// lists returns what the prompt of the session lists. found are the methods that the model has
// found.
func (s *Session) lists(set *settings, found []string) discovery.Options {
	o := s.shows(set)
	if !s.searches(set) {
		return o
	}
	visible, pinned := o.Filter, discovery.Toggles(set.config.PinnedTools)
	o.Filter = func(method *tool.Entry) bool {
		if isSearchTool(method) {
			return true
		}
		pin, _, _ := pinned.Find(method)
		return (pin || isResultsTool(method) || slices.Contains(found, method.FullName)) && visible(method)
	}
	if o.FilterKey != "" {
		o.FilterKey += fmt.Sprintf(" pinned=%q found=%q", slices.Sorted(maps.Keys(pinned)), found)
	}
	return o
}

// maxFound is how many of the methods that the model has found are listed in later prompts.
const maxFound = 32

// methodList is which methods a model has found. The zero value is empty and ready to use. It is
// safe for concurrent use.
type methodList struct {
	mu    sync.Mutex
	found []string // full names, the latest last

	measured string // the last prompt whose tokens were estimated
	tokens   int
}

// exceeds reports whether a prompt has more than a number of tokens. It remembers the last answer,
// since a prompt seldom changes.
func (l *methodList) exceeds(prompt string, limit int, estimate func(string) int) bool {
	if len(prompt) <= limit { // a token has a byte at least
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.measured != prompt {
		l.measured, l.tokens = prompt, estimate(prompt)
	}
	return l.tokens > limit
}

// add notes that the model has found a method, and forgets the oldest one if there are too many.
func (l *methodList) add(fullName string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.found = slices.DeleteFunc(slices.Clone(l.found), func(name string) bool { return name == fullName })
	l.found = append(l.found, fullName)
	l.found = l.found[max(0, len(l.found)-maxFound):]
}

// names returns the full names of the methods found, the latest last. They must not be changed.
func (l *methodList) names() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.found
}
