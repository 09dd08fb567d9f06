package hermes

import (
	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// scanner implements scan.Scanner. For each mode, such as modeText, a method, such as scanText,
// returns the next token.
type scanner struct {
	tags.Emitter
	o    scan.Options
	mode mode
	// singleQuotes is set if strings in single quotes may be repaired (J9).
	singleQuotes bool

	// nameLen is how many bytes of a name were read after the bytes that Looked counts. The name
	// follows a tag that may begin a call.
	nameLen   int
	leadBreak bool   // a line break is in the white space after that tag
	instead   []byte // buffer for Token.Instead

	readings  []scan.Reading // buffer for Requests
	arguments []scan.Field   // buffer for the readings

	whole wholeReply
	text  textState
	body  bodyState
	key   keyState
	value valueState
}

// allows reports whether a greedy repair is applied.
func (s *scanner) allows(repair int) bool {
	return s.o.Tolerance.Allows(scan.Greedy) && s.o.Disabled&(1<<repair) == 0
}

// beginBody opens a request. A code says that the request cannot be read.
func (s *scanner) beginBody(code scan.ErrorCode, quoted bool) {
	s.mode = modeBody
	if code != "" {
		s.mode = modeBroken
	}
	s.Repaired = 0
	s.body = bodyState{start: s.Base, starts: s.body.starts[:0], comma: -1, quoted: quoted}
}

// wholeReply checks whether a reply is nothing but calls without tags (T14). The reply is held back
// until that is decided.
type wholeReply struct {
	open  bool     // not decided yet
	check *scanner // reads the calls; nil until the first one begins
	at    int      // number of bytes that check has read, from the first call on
}

// maxWhole limits a reply that is nothing but calls, in bytes.
const maxWhole = 64 << 10
