package reference

import "strings"

// surroundings are what a block begins in (C12).
type surroundings struct {
	fence      *fence
	infoLine   bool     // START stands on the line that opens the fence (C5)
	quote      bool     // C10
	section    []string // the names of the open reasoning tags, the outermost first (C1)
	definition int      // where the END of the open definition begins, -1 outside of definitions (B16)
	span       bool     // C9
	departs    bool     // DEPARTURE: for the parser a fence in the blockquote ends it
}

// quoted reports whether the request is quoted under every policy.
func (s surroundings) quoted() bool {
	return s.quote || s.span || s.definition >= 0 || s.infoLine || s.fence != nil && s.fence.quotes > 0
}

// ends reports whether the block can end with what it stands in.
func (s surroundings) ends() bool { return s.fence != nil || s.quote || len(s.section) > 0 }

// endsAt, C12: reports whether the fence or the blockquote of the block has ended at the line that begins at p, which is not
// START's line. A blockquote goes on in lines without its sign, up to a blank line or fenced code.
func (s surroundings) endsAt(text string, p int) bool {
	line := text[p:lineEnd(text, p)]
	if s.departs && s.infoLine && s.fence.quotes > 0 {
		s.fence = nil // DEPARTURE: for the parser the fence has not begun on its own line
	}
	if s.fence != nil {
		content, open := s.fence.content(line)
		if !open || s.fence.closes(content) {
			return true
		}
	}
	if !s.quote || s.fence != nil || quoteLine(line) && !s.departs {
		return false
	}
	return isSpaceText(line) || lines{}.next(text, p, p+len(line)).fence != nil
}

// tagEnds, C1: follows the reasoning tag at p and reports whether the section ends with it.
func (s *surroundings) tagEnds(text string, p int) bool {
	t, ok := tagAt(text, p)
	if !ok || len(s.section) == 0 {
		return false
	}
	if !t.closes {
		if isListLead(text[lineStart(text, p):p]) && t.name == s.section[0] { // a closer matches by name
			s.section = append(s.section[:len(s.section):len(s.section)], t.name)
		}
		return false
	}
	if s.section[len(s.section)-1] != t.name {
		return false
	}
	s.section = s.section[:len(s.section)-1]
	return len(s.section) == 0
}

// passedIn returns where in text[from:to] the surroundings end, -1 if they do not: C12, and B16 for definitions.
func (s surroundings) passedIn(text string, opener, from, to int) int {
	at := lineStart(text, opener)
	if k, ok := keyBefore(text, at, opener); ok {
		opener = k.from
	}
	if s.departs && s.quote && s.fence == nil && at == opener && endsQuote(text, from, to) {
		return from // DEPARTURE: for the parser the rest of a line behind an opener may be the blank line that ends the blockquote
	}
	for p := from; p < to; p++ {
		if p > from && isLineStart(text, p) && s.endsAt(text, p) {
			return p
		}
		if s.tagEnds(text, p) {
			return p
		}
		if p == s.definition {
			return p
		}
	}
	return -1
}

// openRuns, C9: returns the lengths of the runs of backticks in s that nothing in s closes. A backtick behind a backslash opens
// nothing.
func openRuns(s string) map[int]bool {
	open := map[int]bool{}
	for i := 0; i < len(s); {
		if s[i] == '\\' && i+1 < len(s) && (s[i+1] == '`' || s[i+1] == '\\') {
			i += 2
			continue
		}
		if s[i] != '`' {
			i++
			continue
		}
		n := runAt(s, i)
		i += n
		if at := closingRun(s[i:], map[int]bool{n: true}); at >= 0 {
			i += at + n
			continue
		}
		open[n] = true
	}
	return open
}

// closingRun returns where in s the first run of backticks of one of the lengths begins, -1 if there is none.
func closingRun(s string, lengths map[int]bool) int {
	for i := 0; i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		n := runAt(s, i)
		if lengths[n] {
			return i
		}
		i += n
	}
	return -1
}

func runAt(s string, i int) int { return len(s[i:]) - len(strings.TrimLeft(s[i:], "`")) }

// endsQuote reports whether the rest of the line behind an opener is blank or opens a fence.
func endsQuote(text string, from, to int) bool {
	rest := text[from:(&reader{text: text}).markEnd(from)]
	_, fenced := fenceOpener(strings.TrimLeft(rest, " "))
	return fenced || isBlankText(rest) && lineEnd(text, from) == from+len(rest) && from+len(rest) < to
}
