package vcpplugin

import (
	"encoding/json"
	"strings"

	"github.com/vcpgo/vcp/internal/work"
)

// maxNesting is how deep json.Decoder reads.
const maxNesting = 10_000

// replyWatch searches output for a reply while the plug-in prints it. It reads each byte once and
// keeps the objects that are open. The zero value is ready to use.
type replyWatch struct {
	read     int // how many bytes were read
	open     []openObject
	text     int  // the offset after the quotation mark of an open string; 0 means that none is open
	escaped  bool // the last byte is a backslash in a string
	midLine  bool // the current line is not empty
	examined int  // bytes of complete objects that were read again
}

// openObject is an object whose end was not read yet.
type openObject struct {
	start     int
	lineStart bool // the object begins a line
	inner     bool // something other than white space was read in it
	named     bool // the last token is the string "status"
	value     bool // the value of "status" follows
	reply     bool // the value of "status" is that of a reply
}

// found reports whether the output so far has a reply: an object that begins a line, or one that is
// in no other object. Each call gets the output of the last one with more after it.
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
		case w.text > 0:
			w.inText(printed, c)
		case w.inObject(printed, c, lineStart):
			w.read++
			return true
		}
	}
	return false
}

func (w *replyWatch) push(lineStart bool) {
	if len(w.open) == 2*maxNesting { // the outer half is nested too deep to be read
		w.open = append(w.open[:0], w.open[maxNesting:]...)
	}
	w.open = append(w.open, openObject{start: w.read, lineStart: lineStart})
}

// inText reads a byte of a string.
func (w *replyWatch) inText(printed []byte, c byte) {
	switch {
	case c == '\n': // no string of JSON contains a line end, so the text around it is no JSON
		w.open, w.text, w.escaped = w.open[:0], 0, false
	case w.escaped:
		w.escaped = false
	case c == '\\':
		w.escaped = true
	case c == '"':
		o, s := &w.open[len(w.open)-1], printed[w.text:w.read]
		w.text = 0
		if o.value {
			o.reply = (&reply{Status: unquoted(s)}).valid()
		}
		o.named = !o.value && strings.EqualFold(unquoted(s), "status")
		o.value = false
	}
}

// unquoted returns the text of a short string, and "" for a long one.
func unquoted(s []byte) (text string) {
	if len(s) > len(`\u0073`)*len("success") {
		return ""
	}
	_ = json.Unmarshal([]byte(`"`+string(s)+`"`), &text)
	return text
}

// inObject reads a byte outside of strings. It reports whether a reply ends there.
func (w *replyWatch) inObject(printed []byte, c byte, lineStart bool) bool {
	o := &w.open[len(w.open)-1]
	if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
		return false
	}
	first := !o.inner
	o.inner = true
	switch {
	case c == '}':
		done := *o
		w.open = w.open[:len(w.open)-1]
		return done.reply && (done.lineStart || len(w.open) == 0) && w.isReply(printed, done.start)
	case c == '"':
		w.text = w.read + 1
		return false
	case first: // no object begins like that
		w.open = w.open[:len(w.open)-1]
		if c == '{' {
			w.push(lineStart)
		}
		return false
	}
	o.value, o.named = c == ':' && o.named, false
	if c == '{' {
		w.push(lineStart)
	}
	return false
}

// isReply reads a complete object. Its work is limited, since hostile objects may be nested.
func (w *replyWatch) isReply(printed []byte, start int) bool {
	length := w.read + 1 - start
	if w.examined+length > 8*len(printed)+1<<16 {
		return false
	}
	w.examined += length
	work.Add(length)
	s := search{printed[:w.read+1], length}
	_, _, ok := s.objectAt(start)
	return ok
}
