package parser

// Most lines are plain text: they are told of many at a time.

// lineBytes tells of a byte whether a line that begins with it may be more than text, codeBytes the same of a line of fenced code.
var (
	lineBytes = byteSet("`~<>-*+_=#0123456789 \t\r\n")
	codeBytes = byteSet("`~<>\r\n")
)

// wordBytes tells of a byte that text which begins with it begins with neither white space nor a mark of emphasis.
var wordBytes = func() (t [256]bool) {
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = true, true
	}
	for c := 0xE4; c <= 0xE9; c++ { // most of CJK
		t[c] = true
	}
	return t
}()

func byteSet(bytes string) (t [256]bool) {
	for i := range len(bytes) {
		t[bytes[i]] = true
	}
	return t
}

// plainLine reports whether the line that begins with b is nothing but text, as far as its beginning tells, where no container is open.
func (f *flow) plainLine(b []byte) bool {
	return len(b) > 0 && (!lineBytes[b[0]] || f.plainIndented(b))
}

// plainIndented is plainLine for a line that may begin with blanks, or in fenced code with a mark that means nothing there.
func (f *flow) plainIndented(b []byte) bool {
	i := 0
	if f.fence.mark != 0 {
		for i < len(b) && i < maxLinePrefix && isBlank(b[i]) {
			i++
		}
		return i < len(b) && !isBlank(b[i]) && !codeBytes[b[i]]
	}
	for i < len(b) && b[i] == ' ' && i < maxIndent {
		i++
	}
	return i < len(b) && !lineBytes[b[i]]
}

// skipLines shows whole lines at the end of the account that are nothing but text: they begin with nothing that could be a mark, and
// hold no reasoning tag and no carriage return. It returns false where there are none.
func (p *Parser) skipLines(limit int) bool {
	f := &p.flow
	start := p.acc.end
	b := p.bytes(start, limit)
	if p.dropping || f.blocks.depth != 0 || f.candidate || f.fenceLine || f.prefix && !f.plainLine(b) {
		return false
	}
	last, end := p.plainLines(b, start)
	if end == 0 {
		return false
	}
	if (f.prefix || last > 0) && f.tag == "" && f.fence.mark == 0 {
		f.first, f.bare = false, false // the last line alone matters
		p.show(end)
		f.first = last+1 == end
		if f.first {
			f.blocks.empty()
		} else {
			f.blocks.plain()
		}
	} else {
		p.show(end)
	}
	f.endLine()
	f.ticksAt, f.lineAt = p.acc.end, p.acc.end
	return true
}
