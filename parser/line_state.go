package parser

import "github.com/vcpgo/vcp/internal/markdown"

// maxLinePrefix limits how much of a line's beginning is held back until it is known what the line
// is, in bytes.
const maxLinePrefix = markdown.MaxPrefix

// lineState determines whether a byte of the text outside of requests is in code, a quotation,
// reasoning or a definition. It reads line by line, and only up to a mark or a tag. A copy of it
// saves the state.
type lineState struct {
	at int // offset in the stream up to which the text was read

	// fenceLine is set on a line that opens or closes fenced code.
	fenceLine   bool
	inReasoning bool // the line began in reasoning: it changes no container
	prefix      bool // the next byte belongs to the beginning of a line that is not decided yet
	onlyBlanks  bool // the line contains only white space so far
	quote       bool // the line begins with >

	fence fence
	infos []string // info strings of fenced code whose requests are meant to run
	// candidate is set on a line that opens fenced code if no backtick follows on it. Then opening
	// is that code.
	candidate bool
	opening   fence
	infoAt    int // offset up to which the candidate's info string was searched for a backtick

	tag   string // tag of the open reasoning section; "" if none is open
	depth int    // number of open sections of that tag

	containers markdown.Containers

	definition bool // the mark of a definition of tools was read, and not the mark of its end

	lineAt int // start of the line, or end of its last request
	textAt int // end of the last request or reasoning tag, where the text after it begins

	// Backticks of the line are counted only if they matter; ticksAt is the offset up to which they
	// were counted.
	ticksAt int
	ticks   ticks

	tagged   bool // an opening reasoning tag that counts as text is on the line, without its closing tag
	loneSeen bool // a closing reasoning tag without opener made everything before it reasoning
}

// fence is the open fenced code, in the innermost of the open containers; the zero fence means
// none.
type fence struct {
	markdown.Fence
	runs bool // its info string marks its requests as meant to run
}

// place returns the place of the next byte.
func (f *lineState) place() place {
	switch {
	case f.tag != "":
		return placeReasoning
	case f.fence.Run > 0 || f.candidate:
		return placeFence
	case f.quote:
		return placeQuote
	}
	return placeText
}

// beginLine decides what a line is. b is its beginning, without the line break. whole says that b
// is the whole line, or all of it up to a mark. ended says that a line break or the end of the
// reply follows b. after says what follows the available text. beginLine returns the offset and
// length of the reasoning tag that opens the line; ok is false if more input is needed.
func (f *lineState) beginLine(b []byte, whole, ended bool, after next) (tagAt, tagLen int, ok bool) {
	content, quoted := markdown.ReadMarks(b)
	rest := b[content:]
	if !whole && len(b) < maxLinePrefix && markdown.MayChange(rest) {
		return 0, 0, false
	}
	f.prefix = false
	f.quote = quoted || content >= maxLinePrefix // a line that may be a quotation counts as one
	f.candidate, f.fenceLine = false, false
	if f.inReasoning = f.tag != ""; f.inReasoning {
		if name, n := reasoningOpener(rest); n > 0 && name == f.tag && !quoted {
			f.depth++
		}
		return 0, 0, true
	}
	if f.fence.Run > 0 {
		closes, codeEnded := f.containers.Fenced(b, f.fence.Fence)
		if closes && ended { // a line with a mark closes no fence
			f.fence, f.fenceLine = fence{}, true
		}
		if !codeEnded {
			return 0, 0, true
		}
		f.fence = fence{}
	}
	more := !ended && after != nextUnknown && after != nextEOF // a request or another mark is content of the line
	if fence, info, ok := f.containers.OpenFence(b, more); ok {
		f.openFence(fence, info, ended || after == nextRequest || markdown.IsBlank(b[len(b)-1]))
		return 0, 0, true
	}
	if !quoted {
		if name, n := reasoningOpener(rest); n > 0 {
			f.tag, f.depth = name, 1
			return content, n, true
		}
	}
	return 0, 0, true
}

// openFence records a line that opens fenced code, unless a backtick follows on it. whole says that
// info contains the whole first word of the info string.
func (f *lineState) openFence(opened markdown.Fence, info []byte, whole bool) {
	f.fenceLine, f.candidate = true, true
	f.opening = fence{Fence: opened}
	n := 0
	for n < len(info) && !markdown.IsBlank(info[n]) {
		n++
	}
	if n == len(info) && !whole {
		return // the first word of info continues
	}
	for _, runInfo := range f.infos {
		if string(info[:n]) == runInfo {
			f.opening.runs = !f.quote // requests in a blockquote never run
		}
	}
}

// reasoningOpener reads the opening tag of a reasoning section at the start of b. n is 0 if b
// begins with something else.
func reasoningOpener(b []byte) (name string, n int) {
	if len(b) == 0 || b[0] != '<' {
		return "", 0
	}
	tag, _ := markdown.ReadReasoningTag(b)
	if tag.Closes {
		return "", 0
	}
	return tag.Name, tag.Len
}

// endLine ends the line. The next byte begins another one.
func (f *lineState) endLine() {
	if f.candidate {
		f.fence, f.candidate = f.opening, false
	}
	if !f.inReasoning {
		f.containers.EndLine(f.onlyBlanks)
	}
	f.inReasoning = false
	f.prefix, f.onlyBlanks, f.quote, f.fenceLine = true, true, false, false
	f.ticks = ticks{}
	f.tagged = false
}

// moveToLastLine moves from the line on which a request begins to the line on which it ends.
// Backticks on the last line do not pair with those on the first line. If the first line may open
// fenced code, it does, since no backtick follows on it.
func (f *lineState) moveToLastLine() {
	f.ticks = ticks{}
	if f.candidate {
		f.fence, f.candidate, f.fenceLine = f.opening, false, false
	}
}

// fenceContent says what the last fence of the text contains apart from requests, and what follows
// it.
type fenceContent struct {
	number     int  // ordinal of the fence, from 1
	other      bool // it contains something other than requests and white space
	followed   bool // something other than white space follows it
	followedAt int  // offset of the text that follows; it may begin with white space
}

// text records text in or after the fence.
func (c *fenceContent) text(f *lineState, b []byte) {
	if c.number == 0 || f.fenceLine || c.followed || f.fence.Run > 0 && c.other || onlyASCIISpace(b) {
		return
	}
	if f.fence.Run > 0 {
		c.other = true
	} else {
		c.followed, c.followedAt = true, f.at
	}
}
