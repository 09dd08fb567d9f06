package parser

import (
	"bytes"

	"github.com/vcpgo/vcp/internal/markdown"
)

// surroundings follow the text's state through a block in code, a quotation or reasoning. The state
// does not change while a block in plain text is open.
type surroundings struct {
	now          lineState // the state after the filler that was read
	atLastCloser lineState // the state at the end of the last closer
	inValue      lineState // the state in the open value, at the offset inValueTo
	inValueTo    int
}

// endsPlace follows the state through b and reports whether the place ends in b. was is the place
// in which the block began. after says what follows b, because a mark may begin a line.
func (f *lineState) endsPlace(was place, b []byte, after next) bool {
	for len(b) > 0 || f.prefix && after != nextUnknown && after != nextEOF {
		end := lineEnd(b)
		line := b
		if end >= 0 {
			line = b[:end]
		}
		lineBegins, wasFenced := f.prefix, f.fence.Run > 0
		if lineBegins {
			f.beginLine(line, true, end >= 0 || after == nextEOF, after)
		}
		switch {
		case was == placeReasoning:
			if f.closesReasoning(line) {
				return true
			}
		case was == placeQuote:
			// A line without ">" continues the quotation's paragraph, up to a blank line or fenced
			// code.
			if lineBegins && !f.quote {
				blank := (end >= 0 || after == nextEOF) && len(bytes.TrimSpace(line)) == 0
				if blank || markdown.OpensFence(line, false) {
					return true
				}
			}
		case wasFenced && f.fence.Run == 0 || f.place() != was:
			return true
		}
		if was != placeReasoning {
			f.tag, f.depth = "", 0 // a request contains no section
		}
		if end < 0 {
			return false
		}
		end++
		if b[end-1] == '\r' && end < len(b) && b[end] == '\n' {
			end++
		}
		b = b[end:]
		f.endLine()
	}
	return false
}

// closesReasoning reports whether the open reasoning section ends on the line.
func (f *lineState) closesReasoning(line []byte) bool {
	for {
		o := bytes.IndexByte(line, '<')
		if o < 0 {
			return false
		}
		if tag, _ := markdown.ReadReasoningTag(line[o:]); tag.Len > 0 && tag.Closes && tag.Name == f.tag {
			if f.depth--; f.depth == 0 {
				f.tag = ""
				return true
			}
		}
		line = line[o+1:]
	}
}
