// Package forms recognizes requests in the text forms that models are trained on. The parser of one
// protocol uses it to report a request that the model wrote in the form of another.
package forms

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/internal/needles"
)

// Form is one way to write a request. Open and Close are its marks.
type Form struct {
	Protocol string // the ID of the protocol that reads it; "" if no protocol does
	Open     string // the start of a request
	Close    string // its end
	// follows lists the bytes that may follow Open and white space; "" means any byte.
	follows string
	// secondProtocol is the ID of another protocol whose requests begin with Open; "" if there is
	// none.
	secondProtocol string
}

// usedBy reports whether requests of the protocol of that ID begin with Open.
func (f *Form) usedBy(protocol string) bool {
	return protocol != "" && (f.Protocol == protocol || f.secondProtocol == protocol)
}

var allForms = [...]Form{
	{"vcp", "<<<[TOOL_REQUEST]>>>", "<<<[END_TOOL_REQUEST]>>>", "", ""},
	{"hermes", "<tool_call>", "</tool_call>", "{[", "qwencoder"},
	{"qwencoder", "<tool_call>", "</tool_call>", "<", "hermes"},
	{"", "<function_calls>", "</function_calls>", "<", ""},
	{"", "<invoke name=", "</invoke>", "", ""},
	{"qwencoder", "<function=", "</function>", "", ""},
}

// Bare is the form of a request that is only JSON, without marks.
var Bare = Form{Protocol: "hermes", Open: "{", Close: "}"}

// Message says what a request in the form is, and what to do about it.
func (f *Form) Message() string {
	const request = "a request in another form "
	switch {
	case f == &Bare:
		return request + "(JSON without tags) was not run; write it as the instructions say"
	case f.Protocol == "":
		return request + "(" + f.Open + "…) was not run, and no protocol reads it; write it as the instructions say"
	}
	return request + "(" + f.Open + "…) was not run; the protocol " + strconv.Quote(f.Protocol) + " reads it"
}

// MaxOpen is how many bytes At examines at most.
const MaxOpen = 48

// maxGap limits the white space between Open and the byte of follows, in bytes.
const maxGap = 16

// Sets has, for each protocol that may be in use, the pairs of bytes with which a search for
// requests in other forms starts. At then examines the text from such a pair on.
type Sets struct {
	known map[string]*needles.Set // by the ID of the protocol
	other *needles.Set            // for a protocol without a form in this package
}

// Needles returns Sets of the given pairs and of the first two bytes of each Form.Open, except for
// the forms of the protocol in use. It panics if one set has more than eight pairs.
func Needles(pairs ...string) Sets {
	s := Sets{known: map[string]*needles.Set{}, other: set("", pairs)}
	for i := range allForms {
		if id := allForms[i].Protocol; id != "" {
			s.known[id] = set(id, pairs)
		}
	}
	return s
}

// For returns the pairs to search for if the protocol of that ID is in use.
func (s Sets) For(protocol string) *needles.Set {
	if set, ok := s.known[protocol]; ok {
		return set
	}
	return s.other
}

// set returns the set for one protocol, as Needles explains.
func set(protocol string, pairs []string) *needles.Set {
	pairs = slices.Clone(pairs)
	for i := range allForms {
		if p := allForms[i].Open[:2]; !allForms[i].usedBy(protocol) && !slices.Contains(pairs, p) {
			pairs = append(pairs, p)
		}
	}
	return needles.New(pairs...)
}

// At returns the form of the request at the start of b, or nil if there is none. protocol is the ID
// of the protocol in use, whose own form is not considered. short reports that more input could
// make b a request.
func At(b []byte, protocol string) (f *Form, short bool) {
	for i := range allForms {
		f := &allForms[i]
		n := min(len(b), len(f.Open))
		if f.usedBy(protocol) || string(b[:n]) != f.Open[:n] {
			continue
		}
		if n < len(f.Open) {
			short = true
			continue
		}
		rest := b[n:]
		gap := 0
		for gap < len(rest) && gap < maxGap && strings.IndexByte(" \t\r\n", rest[gap]) >= 0 {
			gap++
		}
		switch {
		case f.follows == "", gap < len(rest) && strings.IndexByte(f.follows, rest[gap]) >= 0:
			return f, false
		case gap == len(rest) && gap < maxGap:
			short = true
		}
	}
	return nil, short
}

// MayBeCall is a fast check of a text's beginning: if it is false, IsCall is false.
func MayBeCall(text string) bool {
	text = strings.TrimSpace(text)
	return text == "" || strings.IndexByte("{[`", text[0]) >= 0
}

// MaxBlock limits an object that is a call, and a block in a text, in bytes. No protocol reads a
// longer object without marks.
const MaxBlock = 64 << 10

// IsCall reports whether the whole text is a call as JSON, or a list of calls. A call is an object
// with the members name and arguments (or parameters). A code fence around it is ignored.
func IsCall(text string) bool {
	text = strings.TrimSpace(text)
	if body, ok := strings.CutPrefix(text, "```"); ok {
		_, body, _ = strings.Cut(body, "\n")
		text = strings.TrimSpace(strings.TrimSuffix(body, "```"))
	}
	if text == "" || len(text) > MaxBlock || text[0] != '{' && text[0] != '[' {
		return false
	}
	var calls []struct {
		Name                  string          `json:"name"`
		Arguments, Parameters json.RawMessage // of any kind
	}
	if text[0] == '{' {
		text = "[" + text + "]"
	}
	if json.Unmarshal([]byte(text), &calls) != nil || len(calls) == 0 {
		return false
	}
	for _, c := range calls {
		if c.Name == "" || c.Arguments == nil && c.Parameters == nil {
			return false
		}
	}
	return true
}
