package schema

import (
	"cmp"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with the arguments of a request.
type Problem struct {
	// Path names the value, as in "filters[0].name". "" means the arguments as a whole.
	Path string `json:"path"`
	// Code says what kind of problem it is. It is "" if the kind is not known.
	Code Code `json:"code,omitempty"`
	// Expected says what the schema expects: "integer", "at least 1".
	Expected string `json:"expected"`
	// Received says what the request contains: a scalar, truncated if long, or a description such
	// as "a list of 3". It is "nothing" if a required argument is missing.
	Received string `json:"received"`
	// Nearest is the declared argument that an unknown argument probably means. The request does
	// not contain the declared one. Nearest is "" if no name is likely, and for other problems.
	Nearest string `json:"nearest,omitempty"`
}

// Code names a kind of Problem. Except for the codes below, it is the keyword of JSON Schema that a
// value violates, such as "minimum". A text that cannot be read as the type of its argument has
// CodeType.
type Code string

// The codes that are not keywords, and the keywords that applications often distinguish.
const (
	// CodeRequired is an argument or a member that is missing.
	CodeRequired Code = "required"
	// CodeUnknown is an argument or a member that the schema does not know.
	CodeUnknown Code = "unknown_argument"
	// CodeType is a value of the wrong type.
	CodeType Code = "type"
	// CodeEnum is a value that is not one of the listed ones.
	CodeEnum Code = "enum"
	// CodeDuplicate is an argument that was given twice, with different values.
	CodeDuplicate Code = "duplicate"
	// CodeEncoding is text that is not UTF-8, or a value that should be JSON and is not.
	CodeEncoding Code = "encoding"
	// CodeLimit is a value that exceeds a limit of this package.
	CodeLimit Code = "limit"
	// CodeForm is a value that fits none of several alternatives, or more of them than are allowed,
	// or that the schema refuses for another reason.
	CodeForm Code = "form"
)

// Unknown reports whether the problem is an argument, or a member of one, that the schema does not
// know.
func (p Problem) Unknown() bool { return p.Code == CodeUnknown }

// String returns the problem as part of an English sentence.
func (p Problem) String() string { return p.text(english, false) }

// text returns the problem as part of a sentence. For an unknown argument, brief omits the names
// of the declared arguments.
func (p Problem) text(l language, brief bool) string {
	path, expected := cmp.Or(p.Path, l.say("arguments")), l.spaced(p.Expected)
	switch {
	case p.Nearest != "":
		return l.say("%s: unknown argument", path) + l.say(" (did you mean %s?)", p.Nearest)
	case p.Code == CodeUnknown && (brief || p.Expected == l.say("no such argument")):
		return l.say("%s: unknown argument", path)
	case p.Code == CodeUnknown:
		return l.say("%s: unknown argument, expected %s", path, expected)
	case p.Code == CodeRequired && p.Received == l.say("nothing"):
		return l.say("%s: missing, expected %s", path, expected)
	}
	return l.say("%s: expected %s, got %s", path, expected, l.spaced(p.Received))
}

// longNumber returns the problem for a number that exceeds maxDigits or maxExponent.
func (l language) longNumber() Problem {
	return Problem{
		Code:     CodeLimit,
		Expected: l.say("a number of at most 1000 digits, with an exponent of at most 1000"),
		Received: l.say("a longer one"),
	}
}

// tooMuchWork returns the problem for arguments whose check would exceed maxWork.
func (l language) tooMuchWork() Problem {
	return Problem{
		Code: CodeLimit, Expected: l.say("fewer elements, or less nesting"),
		Received: l.say("more than can be checked against the schema"),
	}
}

// ArgumentsError lists what is wrong with the arguments of a request. Problems of the arguments as
// a whole come first, then those of declared arguments in the schema's order, then the others.
type ArgumentsError struct {
	// Problems has up to MaxProblems entries.
	Problems []Problem `json:"problems"`
	// More counts the problems that are not listed.
	More int `json:"more,omitempty"`
	// Language is the language of Problems and of Error: Chinese if it is "zh", otherwise English.
	Language string `json:"-"`
}

// MaxProblems limits the problems that an ArgumentsError of this package lists. One bad list could
// have thousands.
const MaxProblems = 100

// Error returns the first problems in one line.
func (e *ArgumentsError) Error() string {
	l := language(e.Language)
	var list []string
	listed := map[string]bool{} // the lists of declared arguments that were written already
	for _, p := range e.Problems[:min(len(e.Problems), maxShown)] {
		list = append(list, p.text(l, listed[p.Expected]))
		listed[p.Expected] = listed[p.Expected] || p.Code == CodeUnknown && p.Nearest == ""
	}
	said := l.say("invalid arguments: %s", strings.Join(list, l.say("; ")))
	if more := len(e.Problems) - len(list) + e.More; more > 0 {
		said += l.say("; and %d more", more)
	}
	return said
}

// finding is a problem before its Path is written. path contains the names and indexes; findings
// are sorted by it.
type finding struct {
	path []string
	Problem
}

// newError returns an error with the findings, sorted and without repetitions. more counts further
// findings that were not kept. index is the index of each declared argument.
func newError(l language, found []finding, more int, index map[string]int) *ArgumentsError {
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
	found = slices.CompactFunc(found, func(a, b finding) bool {
		return a.Problem == b.Problem && slices.Equal(a.path, b.path)
	})
	e := &ArgumentsError{Problems: make([]Problem, min(len(found), MaxProblems)), Language: string(l)}
	for i := range e.Problems {
		e.Problems[i] = found[i].Problem
		e.Problems[i].Path = pathText(found[i].path)
	}
	e.More = len(found) - len(e.Problems) + more
	return e
}

// compareTokens compares names as text, and indexes of lists by number.
func compareTokens(a, b string) int {
	if len(a) != len(b) && isIndex(a) && isIndex(b) {
		return cmp.Compare(len(a), len(b))
	}
	return cmp.Compare(a, b)
}

// isIndex reports whether a token of a path can be the index of an element: no index has 20 digits.
// A name that consists of fewer digits counts as an index, too.
func isIndex(token string) bool { return token != "" && len(token) < 20 && allDigits(token) }

// pathText writes a path in the form of Problem.Path.
func pathText(path []string) string {
	var b strings.Builder
	for i, token := range path {
		switch {
		case i > 0 && isIndex(token):
			b.WriteString("[" + token + "]")
		case i > 0:
			b.WriteString("." + shorten(token))
		default:
			b.WriteString(shorten(token))
		}
	}
	return b.String()
}
