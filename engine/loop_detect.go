package engine

import (
	"slices"

	"github.com/vcpgo/vcp/executor"
)

// How often a model may do the same without getting on: it is told of the second time, and the third ends the run.
const (
	maxRepeats  = 2
	maxMistakes = 2
)

// loopDetector notices a model that turns in a circle: the same calls with the same results in each reply, or replies in which nothing could
// run.
type loopDetector struct {
	results  []executor.Result // of the reply before
	repeats  int               // replies before it that were the same
	mistakes int               // replies up to this one in which nothing could run
}

// observe takes the results of a reply and reports whether they are those of the reply before.
func (l *loopDetector) observe(t *Turn) (again bool) {
	if allMistakes(t.Results) {
		l.mistakes++
	} else {
		l.mistakes = 0
	}
	again = len(t.Results) > 0 && sameResults(l.results, t.Results)
	if again {
		l.repeats++
	} else {
		l.repeats = 0
	}
	l.results = t.Results
	return again
}

// limit returns the limit that the circle has reached; "" where there is none.
func (l *loopDetector) limit() Limit {
	switch {
	case l.mistakes > maxMistakes:
		return LimitMistakes
	case l.repeats >= maxRepeats:
		return LimitRepeats
	}
	return ""
}

// allMistakes reports whether nothing of what the model wrote could run, for the way in which it wrote it.
func allMistakes(results []executor.Result) bool {
	return !slices.ContainsFunc(results, func(r executor.Result) bool { return !isMistake(&r) })
}

// isMistake reports whether a request was refused for what it is: not by a person or a tool.
func isMistake(r *executor.Result) bool {
	switch r.ErrorType {
	case executor.ErrorMalformedRequest, executor.ErrorInvalidArguments, executor.ErrorToolNotFound, executor.ErrorMethodNotFound,
		executor.ErrorNotCallable, executor.ErrorToolDisabled:
		return true
	}
	return false
}

// sameResults reports whether two replies made the same calls with the same results, in whatever order.
func sameResults(a, b []executor.Result) bool {
	if len(a) != len(b) {
		return false
	}
	var taken []bool
	for i := range a {
		if taken == nil && sameResult(&a[i], &b[i]) {
			continue
		}
		if taken == nil {
			taken = make([]bool, len(b))
			for j := range i {
				taken[j] = true
			}
		}
		at := -1
		for j := range b {
			if !taken[j] && sameResult(&a[i], &b[j]) {
				at = j
				break
			}
		}
		if at < 0 {
			return false
		}
		taken[at] = true
	}
	return true
}

// sameResult compares what is cheap to compare first: results that differ are the rule.
func sameResult(a, b *executor.Result) bool {
	if a.ToolName != b.ToolName || a.Status != b.Status || a.ErrorType != b.ErrorType || a.ToolResult.Result != b.ToolResult.Result {
		return false
	}
	da, called := a.Digest()
	db, calledToo := b.Digest()
	return called == calledToo && da == db
}
