package vcpplugin

import (
	"encoding/json"
	"strings"

	"github.com/vcpgo/vcp/internal/work"
)

// maxNesting is how many levels of nested values json.Decoder reads.
const maxNesting = 10_000

// replyWatch searches the output of a plug-in for a reply while the plug-in prints. It keeps the
// objects that have not ended. It reads an object again only if the object may be a reply. The zero
// value is ready to use.
type replyWatch struct {
	read        int // how many bytes were read
	open        []openObject
	stringStart int  // the offset of the text of a string that has not ended; 0 outside of strings
	escaped     bool // the last byte is the backslash of an escape in a string
	midLine     bool // the last byte is not a line end
	examined    int  // bytes of complete objects that were read again
}

// openObject is an object whose end has not been read.
type openObject struct {
	start       int
	lineStart   bool // the object begins a line
	hasContent  bool // a byte other than white space follows its opening brace
	afterName   bool // the last token in it is the string "status"
	beforeValue bool // the last tokens in it are "status" and a colon
	hasStatus   bool // its member "status" has the value of a reply
}

// found reports whether the output so far contains a reply: an object that begins a line, or one
// that is not in another object. printed is all output so far, including that of earlier calls.
func (w *replyWatch) found(printed []byte) bool {
	work.Add(len(printed) - w.read)
	for ; w.read < len(printed); w.read++ {
		c := printed[w.read]
		lineStart := !w.midLine
		w.midLine = c != '\n'
		switch {
		case len(w.open) == 0:
			if c == '{' {
				w.push(lineStart)
			}
		case w.stringStart > 0:
			w.inString(printed, c)
		case w.inObject(printed, c, lineStart):
			w.read++
			return true
		}
	}
	return false
}

// push begins an object.
func (w *replyWatch) push(lineStart bool) {
	if len(w.open) == 2*maxNesting { // json.Decoder could not read the outer half of the objects
		w.open = append(w.open[:0], w.open[maxNesting:]...)
	}
	w.open = append(w.open, openObject{start: w.read, lineStart: lineStart})
}

// inString reads a byte of a string.
func (w *replyWatch) inString(printed []byte, c byte) {
	switch {
	case c == '\n': // a string in JSON contains no line end, so the open objects are not JSON
		w.open, w.stringStart, w.escaped = w.open[:0], 0, false
	case w.escaped:
		w.escaped = false
	case c == '\\':
		w.escaped = true
	case c == '"':
		o, s := &w.open[len(w.open)-1], printed[w.stringStart:w.read]
		w.stringStart = 0
		if o.beforeValue {
			o.hasStatus = (&reply{Status: unquoted(s)}).valid()
		}
		o.afterName = !o.beforeValue && strings.EqualFold(unquoted(s), "status")
		o.beforeValue = false
	}
}

// unquoted returns the text of a string in JSON, or "" if it is longer than a name or status can
// be.
func unquoted(s []byte) (text string) {
	if len(s) > len(`\u0073`)*len("success") {
		return ""
	}
	_ = json.Unmarshal([]byte(`"`+string(s)+`"`), &text)
	return text
}

// inObject reads a byte of an object, outside of strings. It reports whether a reply ends there.
func (w *replyWatch) inObject(printed []byte, c byte, lineStart bool) bool {
	o := &w.open[len(w.open)-1]
	if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
		return false
	}
	first := !o.hasContent
	o.hasContent = true
	switch {
	case c == '}':
		ended := *o
		w.open = w.open[:len(w.open)-1]
		return ended.hasStatus && (ended.lineStart || len(w.open) == 0) && w.isReply(printed, ended.start)
	case c == '"':
		w.stringStart = w.read + 1
		return false
	case first: // an object must begin with the name of a member
		w.open = w.open[:len(w.open)-1]
		if c == '{' {
			w.push(lineStart)
		}
		return false
	}
	o.beforeValue, o.afterName = c == ':' && o.afterName, false
	if c == '{' {
		w.push(lineStart)
	}
	return false
}

// isReply reports whether the object that begins at start and ends here is a reply. Its work is
// limited, since an object is read again for each object that contains it.
func (w *replyWatch) isReply(printed []byte, start int) bool {
	length := w.read + 1 - start
	if w.examined+length > maxWork(printed) {
		return false
	}
	w.examined += length
	work.Add(length)
	s := search{printed[:w.read+1], length}
	_, _, ok := s.objectAt(start)
	return ok
}
