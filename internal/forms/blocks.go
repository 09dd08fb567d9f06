package forms

import (
	"iter"
	"strings"

	"github.com/vcpgo/vcp/internal/work"
)

const (
	// maxNested limits the levels of possible requests in an object that Blocks yields, the object
	// included. So each byte of a text is in few blocks.
	maxNested = 8
	// maxOpenBraces limits the braces that are open at the same time. If there are more, the older
	// half is forgotten.
	maxOpenBraces = 4096
)

// Blocks yields the parts of a text that may be requests in any form, each with its offset. They
// come in no particular order. A part begins with the opening mark of a form, or it is a JSON
// object with a member that requests have, such as name. A part has at most maxBlock bytes. The
// work is linear in the length of the text.
func Blocks(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		_ = markedBlocks(text, yield) && objects(text, false, yield) && objects(text, true, yield)
	}
}

// markedBlocks yields the parts of a text that begin with the opening mark of a form. A part ends
// with the next closing mark of the form, before its next opening mark, or with the text. If
// several opening marks come before a closing mark, the text from the first of them to the closing
// mark is a part, too. It is omitted if it is longer than maxBlock. markedBlocks returns false if
// yield did.
func markedBlocks(text string, yield func(int, string) bool) bool {
	type marks struct{ first, last int } // offsets of opening marks whose closing mark was not found yet
	open := map[string]marks{}           // by the closing mark
	part := func(start, end int) bool { return yield(start, text[start:min(end, start+maxBlock)]) }
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
				} else if m.last < at && !part(m.last, at) { // another form may have found the same mark
					return false
				}
				m.last = at
				open[f.Close] = m
			case isOpen && strings.HasPrefix(text[at:], f.Close):
				end := at + len(f.Close)
				if !part(m.last, end) || m.first < m.last && end-m.first <= maxBlock && !part(m.first, end) {
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

// isCallKey reports whether the name of a member shows that its object may be a request. Some names
// show that only for the first member.
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
	members int  // how many members it has so far
	isCall  bool // whether it may be a request: see isCallKey
	calls   int  // the number of nested levels of possible requests in it
}

// objects yields the JSON objects that may be requests. inString says whether the text begins
// within a string. A stray quotation mark before an object can make the object look like a string.
// So a caller must try both values. objects returns false if yield did.
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
			if len(open) == maxOpenBraces {
				open = open[:copy(open, open[maxOpenBraces/2:])]
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
				o.calls++
				if o.calls <= maxNested && i+1-o.start <= maxBlock && !yield(o.start, text[o.start:i+1]) {
					return false
				}
			}
			if len(open) > 0 {
				outer := &open[len(open)-1]
				outer.calls = max(outer.calls, o.calls)
			}
		}
	}
	return true
}
