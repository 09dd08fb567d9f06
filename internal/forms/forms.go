// Package forms recognizes requests in the text forms that models are trained on. So the engine can
// report a request that the protocol in use does not read. Most forms put a request between two
// marks, such as <tool_call> and </tool_call>.
package forms

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/needles"
)

// Form is one way to write a request.
type Form struct {
	Protocol string // the ID of the protocol that reads such requests; "" if no protocol does
	Open     string // the start of a request
	Close    string // the end of a request
	// follows lists the bytes that may follow Open and white space; "" means any byte.
	follows string
	// otherProtocol is the ID of another protocol whose requests begin with Open; "" means none.
	otherProtocol string
}

// usedBy reports whether requests of the protocol with that ID begin with Open.
func (f *Form) usedBy(protocolID string) bool {
	return protocolID != "" && (f.Protocol == protocolID || f.otherProtocol == protocolID)
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

// Message reports that a reply contains a request in the form, and says what to do.
func (f *Form) Message() string {
	const found = "the reply contains a request in another form, "
	switch {
	case f == &Bare:
		return found + "JSON without tags, which was not run; write it as the instructions say"
	case f.Protocol == "":
		return found + f.Open + "…, which no protocol reads. It was not run; write it as the instructions say"
	}
	return found + f.Open + "…, which was not run; the protocol " + strconv.Quote(f.Protocol) + " reads it"
}

// MaxOpen is how many bytes are enough for At to decide: more than the longest Open, maxGap and one
// byte.
const MaxOpen = 48

// maxGap limits the white space between Open and the byte of follows, in bytes.
const maxGap = 16

// A Needles contains, for each protocol, the pairs of bytes with which requests in other forms
// begin, and pairs of the caller. A search for these pairs is a fast way to find where At must
// look.
type Needles struct {
	byProtocol map[string]*needles.Set // for the protocols of forms
	other      *needles.Set            // for any other protocol
}

// NewNeedles returns Needles that contain the given pairs for each protocol, and the first two
// bytes of each form whose opening mark the protocol does not use. NewNeedles panics if a protocol
// has more than eight pairs.
func NewNeedles(pairs ...string) Needles {
	n := Needles{byProtocol: map[string]*needles.Set{}, other: needlesFor("", pairs)}
	for i := range allForms {
		if id := allForms[i].Protocol; id != "" {
			n.byProtocol[id] = needlesFor(id, pairs)
		}
	}
	return n
}

// For returns the pairs to search for if the protocol with that ID is in use.
func (n Needles) For(protocolID string) *needles.Set {
	if set, ok := n.byProtocol[protocolID]; ok {
		return set
	}
	return n.other
}

// needlesFor returns pairs and the first two bytes of each form for which usedBy is false.
func needlesFor(protocolID string, pairs []string) *needles.Set {
	pairs = slices.Clone(pairs)
	for i := range allForms {
		if p := allForms[i].Open[:2]; !allForms[i].usedBy(protocolID) && !slices.Contains(pairs, p) {
			pairs = append(pairs, p)
		}
	}
	return needles.New(pairs...)
}

// At returns the form of the request at the start of b, or nil if b begins with no request. It
// ignores forms whose opening mark is also one of the protocol in use; protocolID is the ID of that
// protocol. short reports that b may be the beginning of a request, but is too short to decide.
func At(b []byte, protocolID string) (f *Form, short bool) {
	for i := range allForms {
		f := &allForms[i]
		n := min(len(b), len(f.Open))
		if f.usedBy(protocolID) || string(b[:n]) != f.Open[:n] {
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

// MayBeCall is a fast check of the beginning of a text, which may end inside a character. If it
// returns false, IsCall does, too.
func MayBeCall(beginning string) bool {
	b := strings.TrimSpace(beginning)
	return b == "" || strings.IndexByte("{[`", b[0]) >= 0 || !utf8.FullRuneInString(b) // it may be white space
}

// maxBlock limits the bytes of a text for which IsCall returns true, and of a block that Blocks
// yields. No protocol reads a longer object without marks.
const maxBlock = 64 << 10

// IsCall reports whether the whole text is a request in JSON, or a list of requests. A request is
// an object with the members name and arguments (or parameters). A code fence around the text is
// ignored.
func IsCall(text string) bool {
	text = strings.TrimSpace(text)
	if body, ok := strings.CutPrefix(text, "```"); ok {
		_, body, _ = strings.Cut(body, "\n")
		text = strings.TrimSpace(strings.TrimSuffix(body, "```"))
	}
	if text == "" || len(text) > maxBlock || text[0] != '{' && text[0] != '[' {
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
