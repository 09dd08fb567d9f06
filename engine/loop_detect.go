package engine

import (
	"slices"

	"github.com/vcpgo/vcp/executor"
)

// A model may repeat itself this often. The second time it gets a remark, and the third time ends
// the run.
const (
	maxRepeats  = 2
	maxMistakes = 2
)

// loopDetector detects a model that makes no progress. Either its replies make the same calls with
// the same results, or nothing in them can run.
type loopDetector struct {
	results  []executor.Result // of the previous reply
	repeats  int               // consecutive replies that repeated the one before
	mistakes int               // consecutive replies in which nothing could run
}

// observe records the results of a reply and reports whether they equal those of the previous
// reply.
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

// limit returns the limit that the model has reached; "" if it has reached none.
func (l *loopDetector) limit() Limit {
	switch {
	case l.mistakes > maxMistakes:
		return LimitMistakes
	case l.repeats >= maxRepeats:
		return LimitRepeats
	}
	return ""
}

// allMistakes reports whether every result is a mistake of the model.
func allMistakes(results []executor.Result) bool {
	return !slices.ContainsFunc(results, func(r executor.Result) bool { return !isMistake(&r) })
}

// isMistake reports whether a request was refused because of how the model wrote it. Denied calls
// and failures of tools are not mistakes.
func isMistake(r *executor.Result) bool {
	switch r.ErrorType {
	case executor.ErrorMalformedRequest, executor.ErrorInvalidArguments, executor.ErrorToolNotFound, executor.ErrorMethodNotFound,
		executor.ErrorNotCallable, executor.ErrorToolDisabled:
		return true
	}
	return false
}

// sameResults reports whether two replies made the same calls with the same results, in any order.
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

// sameResult compares the cheap parts first, because most results differ.
func sameResult(a, b *executor.Result) bool {
	if a.ToolName != b.ToolName || a.Status != b.Status || a.ErrorType != b.ErrorType || a.ToolResult.Result != b.ToolResult.Result {
		return false
	}
	da, called := a.Digest()
	db, calledToo := b.Digest()
	return called == calledToo && da == db
}
