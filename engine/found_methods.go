package engine

import (
	"slices"
	"sync"
)

// maxFound is how many of the methods that the model has found are listed in later prompts.
const maxFound = 32

// foundMethods contains the methods that a model has found with the search tool. The zero value is
// empty and ready to use. It is safe for concurrent use.
type foundMethods struct {
	mu    sync.Mutex
	found []string // full names, the latest last

	measured string // the last prompt whose tokens were estimated
	tokens   int    // the estimate for measured
}

// exceeds reports whether a prompt has more tokens than limit. It remembers the last estimate,
// because a prompt seldom changes.
func (l *foundMethods) exceeds(prompt string, limit int, estimate func(string) int) bool {
	if len(prompt) <= limit { // a token has at least one byte
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.measured != prompt {
		l.measured, l.tokens = prompt, estimate(prompt)
	}
	return l.tokens > limit
}

// add records that the model has found a method, and removes the oldest one if there are too many.
func (l *foundMethods) add(fullName string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := slices.Clone(l.found) // callers of names may still use the old list
	l.found = slices.DeleteFunc(list, func(name string) bool { return name == fullName })
	l.found = append(l.found, fullName)
	l.found = l.found[max(0, len(l.found)-maxFound):]
}

// names returns the full names of the methods found, the latest last. The caller must not change
// the slice.
func (l *foundMethods) names() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.found
}
