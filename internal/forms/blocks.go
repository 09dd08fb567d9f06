package forms

import (
	"iter"
	"strings"

	"github.com/vcpgo/vcp/internal/work"
)

const (
	// maxNamed limits how many objects with a name are inside of each other in an object that
	// Blocks yields. So each byte of a text is in few blocks.
	maxNamed = 8
	// maxOpen limits the braces that are open at the same time.
	maxOpen = 4096
)

// Blocks yields the parts of a text that may be requests, in any form, with their offsets, in no
// order. A part is between the marks of a form, or it is a JSON object that names something or
// begins as a call does. A part has at most MaxBlock bytes. The work is linear in the length of the
// text.
func Blocks(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		_ = markedBlocks(text, yield) && objects(text, false, yield) && objects(text, true, yield)
	}
}

// markedBlocks yields the parts that begin with a mark. A part ends with the next mark that is its
// end, or before the next equal mark. If the parts are within a longer one, that is yielded, too.
// markedBlocks reports whether all parts were wanted.
func markedBlocks(text string, yield func(int, string) bool) bool {
	type marks struct{ first, last int } // the first and the last beginning without an end
	open := map[string]marks{}           // by the end
	part := func(start, end int) bool { return yield(start, text[start:min(end, start+MaxBlock)]) }
	for at := 0; ; at++ {
		next := strings.IndexByte(text[at:], '<')
		if next < 0 {
			break
		}
		at += next
		for i := range allForms {
			f := &allForms[i]
			m, isOpen := open[f.Close]
			switch {
			case strings.HasPrefix(text[at:], f.Open):
				if !isOpen {
					m.first = at
				} else if m.last < at && !part(m.last, at) {
					return false
				}
				m.last = at
				open[f.Close] = m
			case isOpen && strings.HasPrefix(text[at:], f.Close):
				end := at + len(f.Close)
				if !part(m.last, end) || m.first < m.last && end-m.first <= MaxBlock && !part(m.first, end) {
					return false
				}
				delete(open, f.Close)
			}
		}
	}
	for i := range allForms {
		if m, isOpen := open[allForms[i].Close]; isOpen {
			if !part(m.last, len(text)) {
				return false
			}
			delete(open, allForms[i].Close)
		}
	}
	return true
}

// isCallKey reports whether a member of a call may have the name: at any place, or as the first
// one.
func isCallKey(name string, isFirst bool) bool {
	if len(name) > len("action_input") {
		return false
	}
	switch name = strings.ToLower(name); name {
	case "function", "action_input":
		return true
	case "arguments", "parameters", "args", "input", "type", "id":
		return isFirst
	}
	return isNameKey(name)
}

// object is a JSON object whose end was not found yet.
type object struct {
	start   int
	members int
	isCall  bool // whether it names something or begins as a call does
	named   int  // how many calls are inside of each other in it
}

// objects yields the objects that may be calls. The text begins within a string if inString is set:
// each valid object of the text is found with or without it, whatever is before the object.
// objects reports whether all objects were wanted.
func objects(text string, inString bool, yield func(int, string) bool) bool {
	work.Add(len(text))
	var open []object
	stringStart, stringEnd, backslashes := 0, -1, 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' {
			backslashes++
			continue
		}
		isEscaped := backslashes%2 == 1
		backslashes = 0
		if c == '"' && !isEscaped {
			if inString = !inString; inString {
				stringStart = i + 1
			} else {
				stringEnd = i
			}
			continue
		}
		if inString {
			continue
		}
		switch c {
		case '{':
			if len(open) == maxOpen {
				open = open[:copy(open, open[maxOpen/2:])]
			}
			open = append(open, object{start: i})
		case ':':
			end := i
			for end > 0 && strings.IndexByte(" \t\r\n", text[end-1]) >= 0 {
				end--
			}
			if end-1 != stringEnd || len(open) == 0 || stringStart <= open[len(open)-1].start {
				continue
			}
			o := &open[len(open)-1]
			key := text[stringStart:stringEnd]
			o.members++
			o.isCall = o.isCall || isCallKey(key, o.members == 1)
		case '}':
			if len(open) == 0 {
				continue
			}
			o := open[len(open)-1]
			open = open[:len(open)-1]
			if o.isCall {
				o.named++
				if o.named <= maxNamed && i+1-o.start <= MaxBlock && !yield(o.start, text[o.start:i+1]) {
					return false
				}
			}
			if len(open) > 0 {
				above := &open[len(open)-1]
				above.named = max(above.named, o.named)
			}
		}
	}
	return true
}
