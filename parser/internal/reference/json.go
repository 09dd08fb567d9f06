package reference

import (
	"regexp"
	"strings"
)

// outcome says how the reading of JSON ended.
type outcome int

const (
	whole     outcome = iota // the part that was read is complete
	broken                   // J12: JSON cannot continue here
	truncated                // the message ends here
	ended                    // the surroundings end here (C12)
	spanEnded                // the code span around START ends here, in a key (C9)
)

// jsonReader reads JSON as rows J5 to J12 allow. It returns text with all repairs applied.
type jsonReader struct {
	text    string
	p       int  // the offset up to which the text was read
	depth   int  // the number of open brackets
	quoted  bool // the line of START begins with '>', so a '>' between the parts of the call is white space (T3)
	around  surroundings
	repairs []Repair
	raw     int  // the number of raw control characters
	over    bool // a limit of J17 was passed
	deep    bool // values are nested too deep (J17)
	clean   bool // no repair is allowed (J5)
	passed  int  // offset at which a string ran past the end of the surroundings, or -1
	last    int  // where the request would end with its surroundings (T13)
	maxKey  int  // the limit of a key; 0 means none
	// runs are the lengths of the runs of backticks that are open before START. A run in a key
	// before runsTo, the end of START's line, closes one of them.
	runs   map[int]bool
	runsTo int
	// singleQuotes says that strings in single quotes are allowed (J9).
	singleQuotes bool
	overAt       int    // where a key begins that passes its limit: later repairs are not listed (B15)
	key          int    // start of a key without a value so far, or -1
	inner        int    // above 0 in a value, or between a key and its value: surroundings do not end there
	nesting      int    // above 0 within an object or a list that is a value: no '>' is white space there
	memberSpans  []Span // the members, with their keys
	lastIsValue  bool   // the last part read is a value, not the list of the arguments
}

// space skips white space, and returns whole if something else follows.
func (j *jsonReader) space() outcome {
	from := j.p
	for j.p < len(j.text) {
		if j.inner == 0 && j.passed < 0 && j.p > from && isLineStart(j.text, j.p) && j.around.endsAt(j.text, j.p) {
			return ended
		}
		switch c := j.text[j.p]; {
		case strings.IndexByte(" \t\r\n", c) >= 0:
		case c == '>' && j.quoted && j.nesting == 0:
		default:
			return whole
		}
		j.p++
	}
	return truncated
}

// passLimit records that the key at p passes its limit (J17).
func (j *jsonReader) passLimit(p int) {
	if !j.over {
		j.over, j.overAt = true, p
	}
}

// repair records a repair. A request may have 1,000 of them.
func (j *jsonReader) repair(name string, start, end int) {
	if len(j.repairs) == 1000 {
		j.over = true
		return
	}
	j.repairs = append(j.repairs, Repair{name, Span{start, end}})
}

// literal reads true, false and null, and True, False and None (J7).
func (j *jsonReader) literal() (string, outcome) {
	rest := j.text[j.p:]
	for _, word := range []string{"true", "false", "null", "True", "False", "None"} {
		written := strings.ToLower(strings.Replace(word, "None", "null", 1))
		python := word != written
		switch {
		case python && j.clean:
		case len(rest) < len(word) && strings.HasPrefix(word, rest):
			j.p = len(j.text)
			return rest, truncated
		case strings.HasPrefix(rest, word):
			if python {
				j.repair("python_literal", j.p, j.p+len(word))
			}
			j.p += len(word)
			return written, whole
		}
	}
	if isShortWord(rest) {
		j.p = len(j.text)
		return "", truncated // the word may continue
	}
	return "", broken
}

// isShortWord reports whether s is one letter or more, and shorter than the longest literal.
func isShortWord(s string) bool {
	for i := range len(s) {
		if !isLetter(s[i]) {
			return false
		}
	}
	return s != "" && len(s) < len("False")
}

// numberPart matches a number (RFC 8259), or the beginning of one.
var numberPart = regexp.MustCompile(`^-?(?:(?:0|[1-9][0-9]*)(?:\.(?:[0-9]+(?:[eE][+-]?[0-9]*)?)?|[eE][+-]?[0-9]*)?)?`)

// number reads a number.
func (j *jsonReader) number() (string, outcome) {
	written := numberPart.FindString(j.text[j.p:])
	j.p += len(written)
	switch last := written[len(written)-1]; {
	case j.p == len(j.text):
		return written, truncated // T12: it may continue
	case last < '0' || '9' < last:
		return written, broken
	}
	return written, whole
}
