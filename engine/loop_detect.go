package engine

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/executor"
)

// Limits of repetition. If a reply repeats the calls and results of the reply before, the model is
// told so. After a second repetition it must answer without tools. The same holds after the third
// reply with a mistake of one kind. Mistakes of different kinds are not a loop, so a model may make
// more of them.
const (
	maxRepeats     = 2
	maxSameMistake = 2
	maxMistakes    = 5
)

// loopDetector detects a model that makes no progress. Either its replies make the same calls with
// the same results, or nothing in them can run.
type loopDetector struct {
	results  []executor.Result // of the previous reply
	mistakes []mistake         // for each of results
	repeats  int               // consecutive replies that repeated the one before
	wrong    int               // consecutive replies in which nothing could run
	kinds    map[string]int    // for each kind of mistake, how many of the wrong replies made one
}

// A mistake is a request that was refused because of how the model wrote it, or the mistake of a
// reply without requests. The zero value means that there was no mistake.
type mistake struct {
	kind    string
	written string // requestContent of the request
}

// observe records a reply and reports whether it made the same calls with the same results as the
// previous one. mistakes has one element for each result. For a reply without results, in which
// nothing could run, it has one element that is a mistake.
func (l *loopDetector) observe(iteration *Iteration, mistakes []mistake) (repeated bool) {
	if slices.ContainsFunc(mistakes, func(m mistake) bool { return m.kind == "" }) {
		l.wrong, l.kinds = 0, nil
	} else {
		l.wrong++
		l.count(mistakes)
	}
	repeated = len(iteration.Results) > 0 && l.sameResults(iteration.Results, mistakes)
	if repeated {
		l.repeats++
	} else {
		l.repeats = 0
	}
	l.results, l.mistakes = iteration.Results, mistakes
	return repeated
}

// count adds 1 to the count of each kind of mistake that occurs in a reply.
func (l *loopDetector) count(mistakes []mistake) {
	if l.kinds == nil {
		l.kinds = map[string]int{}
	}
	for i, m := range mistakes {
		if !slices.ContainsFunc(mistakes[:i], func(e mistake) bool { return e.kind == m.kind }) {
			l.kinds[m.kind]++
		}
	}
}

// limit returns the limit that the model has reached; "" if it has reached no limit.
func (l *loopDetector) limit() Limit {
	for _, n := range l.kinds {
		if n > maxSameMistake {
			return LimitMistakes
		}
	}
	switch {
	case l.wrong > maxMistakes:
		return LimitMistakes
	case l.repeats >= maxRepeats:
		return LimitRepeats
	}
	return ""
}

// sameResults reports whether a reply made the same calls with the same results as the previous
// one, in any order.
func (l *loopDetector) sameResults(results []executor.Result, mistakes []mistake) bool {
	if len(l.results) != len(results) {
		return false
	}
	rest := make([]int, len(results)) // indexes of the results that match none of l.results so far
	for i := range rest {
		rest[i] = i
	}
	for i := range l.results {
		at := slices.IndexFunc(rest, func(j int) bool {
			return sameResult(&l.results[i], &results[j]) && l.mistakes[i] == mistakes[j]
		})
		if at < 0 {
			return false
		}
		rest = slices.Delete(rest, at, at+1)
	}
	return true
}

// sameResult reports whether two results are of the same call and have the same text. It compares
// the digests of the calls last, because they cost the most.
func sameResult(a, b *executor.Result) bool {
	if a.ToolName != b.ToolName || a.Status != b.Status || a.ErrorType != b.ErrorType ||
		a.ToolResult.Result != b.ToolResult.Result {
		return false
	}
	da, called := a.Digest()
	db, calledToo := b.Digest()
	return called == calledToo && da == db
}

// The kinds of mistake in replies without requests.
const (
	mistakeFabricated = "fabricated"
	mistakePlace      = "place" // requests in code, in reasoning or in another form
)

// mistakesOf returns the mistakes of a reply, as observe expects them.
func mistakesOf(iteration *Iteration) []mistake {
	if len(iteration.Results) == 0 {
		if len(iteration.Reply.Dropped) > 0 {
			return []mistake{{kind: mistakeFabricated}}
		}
		return []mistake{{kind: mistakePlace}}
	}
	list := make([]mistake, len(iteration.Results))
	for i := range list {
		if isMistake(&iteration.Results[i]) {
			list[i] = mistake{
				kind: mistakeKind(&iteration.Requests[i], &iteration.Results[i]), written: requestContent(iteration, i),
			}
		}
	}
	return list
}

// isMistake reports whether a request was refused because of how the model wrote it. Denied calls
// and failures of tools are not mistakes.
func isMistake(r *executor.Result) bool {
	switch r.ErrorType {
	case executor.ErrorMalformedRequest, executor.ErrorInvalidArguments, executor.ErrorToolNotFound,
		executor.ErrorMethodNotFound, executor.ErrorNotCallable, executor.ErrorToolDisabled:
		return true
	}
	return false
}

// mistakeKind returns a text that is the same for mistakes of one kind. It contains the code of the
// error if the request could not be read, or the method and the names of its wrong arguments.
func mistakeKind(req *executor.Request, result *executor.Result) string {
	if req.Err != nil {
		return result.ErrorType + " " + string(req.Err.Code)
	}
	parts := []string{result.ErrorType}
	if result.ErrorType == executor.ErrorInvalidArguments {
		parts = append(parts, result.Method)
		for _, p := range result.Problems {
			parts = append(parts, p.Path)
		}
	}
	return strings.Join(parts, " ")
}

// requestContent returns a text that is the same for equal requests: the name and the arguments, or
// the request as written if it could not be read. i is the index of the request.
func requestContent(iteration *Iteration, i int) string {
	req := &iteration.Requests[i]
	if req.Err != nil && req.CallID != "" {
		for _, c := range iteration.calls {
			if c.ID == req.CallID {
				return c.Arguments
			}
		}
	}
	if req.Err != nil {
		return iteration.requestText(req.ID)
	}
	text, _ := json.Marshal([]any{req.ToolName, req.Command, req.Arguments}) // strings always encode
	return string(text)
}
