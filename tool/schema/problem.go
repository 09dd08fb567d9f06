package schema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/internal/text"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// Problem is one thing that is wrong with the arguments of a request.
type Problem struct {
	// Path is the place: "filters[0].name"; "" is the arguments as a whole.
	Path string `json:"path"`
	// Expected says what should be there: "integer", "at least 1".
	Expected string `json:"expected"`
	// Received says what came: a value as JSON, truncated if long, or "nothing" if a required
	// argument is missing.
	Received string `json:"received"`
	// Nearest is the declared name, of an absent argument, that is closest to an unknown one; "" if
	// none is close or the name is not the problem.
	Nearest string `json:"nearest,omitempty"`
	// Unknown marks an argument, or a member of one, that the schema does not know.
	Unknown bool `json:"unknown,omitempty"`
}

// String returns the problem as part of a sentence.
func (p Problem) String() string {
	path := p.Path
	if path == "" {
		path = "arguments"
	}
	text := fmt.Sprintf("%s: expected %s, got %s", path, p.Expected, p.Received)
	if p.Nearest != "" {
		text += fmt.Sprintf(" (did you mean %s?)", p.Nearest)
	}
	return text
}

// ArgumentsError lists what is wrong with the arguments of a request, in the order in which the
// schema declares them. Unknown arguments come last.
type ArgumentsError struct {
	// Problems has up to MaxProblems entries.
	Problems []Problem `json:"problems"`
	// More counts further problems.
	More int `json:"more,omitempty"`
}

const (
	// MaxProblems is how many problems an ArgumentsError of this package lists. One bad list can
	// have thousands.
	MaxProblems = 100
	// maxShown is how many of them Error shows.
	maxShown = 20
)

// Error returns the first problems in one line.
func (e *ArgumentsError) Error() string {
	var b strings.Builder
	b.WriteString("invalid arguments: ")
	for i, p := range e.Problems {
		if i == maxShown {
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(p.String())
	}
	if more := max(0, len(e.Problems)-maxShown) + e.More; more > 0 {
		fmt.Fprintf(&b, "; and %d more", more)
	}
	return b.String()
}

// finding is a problem with its path in parts, which order it.
type finding struct {
	path []string
	Problem
}

// argumentsError puts findings in order, each once; nil if there are none. index is the declared
// order of arguments.
func argumentsError(found []finding, index map[string]int) error {
	if len(found) == 0 {
		return nil
	}
	rank := func(path []string) int {
		if len(path) == 0 {
			return -1
		}
		if i, ok := index[path[0]]; ok {
			return i
		}
		return len(index)
	}
	slices.SortStableFunc(found, func(a, b finding) int {
		return cmp.Or(
			cmp.Compare(rank(a.path), rank(b.path)),
			slices.CompareFunc(a.path, b.path, compareTokens),
			cmp.Compare(a.Expected, b.Expected),
			cmp.Compare(a.Received, b.Received),
		)
	})
	found = slices.CompactFunc(found, func(a, b finding) bool { return a.Problem == b.Problem && slices.Equal(a.path, b.path) })
	e := &ArgumentsError{Problems: make([]Problem, min(len(found), MaxProblems))}
	for i := range e.Problems {
		e.Problems[i] = found[i].Problem
		e.Problems[i].Path = pathText(found[i].path)
	}
	e.More = len(found) - len(e.Problems)
	return e
}

// compareTokens orders indexes of lists by number.
func compareTokens(a, b string) int {
	if allDigits(a) && allDigits(b) && len(a) != len(b) {
		return cmp.Compare(len(a), len(b))
	}
	return cmp.Compare(a, b)
}

func pathText(path []string) string {
	var b strings.Builder
	for i, token := range path {
		switch {
		case token != "" && allDigits(token) && i > 0:
			b.WriteString("[" + token + "]")
		case i > 0:
			b.WriteString("." + shorten(token))
		default:
			b.WriteString(shorten(token))
		}
	}
	return b.String()
}

// maxEcho limits what an error repeats of a name or a value, in characters: enough to recognize it.
const maxEcho = 80

// describe shows a decoded value in a problem.
func describe(v any) string {
	switch v := v.(type) {
	case string:
		// Quoting a long text whole before truncating it would cost as much as the text.
		if cut := shorten(v); len(cut) < len(v) {
			return fmt.Sprintf("%q (%d bytes)", cut, len(v))
		}
		return strconv.Quote(v)
	case []any:
		return fmt.Sprintf("a list of %d", len(v))
	case map[string]any:
		if len(v) == 0 {
			return "an empty object"
		}
		keys := sortedKeys(v)
		if len(keys) > 5 {
			return fmt.Sprintf("an object of %d members", len(v))
		}
		return "an object with " + shorten(strings.Join(keys, ", "))
	case json.Number:
		return shorten(string(v))
	}
	return string(orderedjson.Append(nil, v))
}

// shorten truncates s to maxEcho characters.
func shorten(s string) string { return text.TruncateRunes(s, maxEcho) }

// oneOf lists values in a sentence.
func oneOf(values []any) string {
	var b strings.Builder
	b.WriteString("one of ")
	for i, v := range values {
		if i == maxShown {
			fmt.Fprintf(&b, " and %d more", len(values)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(describe(v))
	}
	return b.String()
}
