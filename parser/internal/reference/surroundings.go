package reference

// surroundings are the code, quotation, reasoning and definition around the start of a block (C12).
type surroundings struct {
	fence      *fence
	infoLine   bool     // START is on the line that opens the fence (C5)
	quote      bool     // START is in a blockquote (C10)
	quoteLine  bool     // START's line begins as one of a blockquote, also in reasoning
	section    []string // the names of the open reasoning tags, the outermost first (C1)
	definition int      // where the END of the open definition begins, -1 outside of definitions (B16)
	span       bool     // the block is in a code span (C9)
}

// quoted reports whether the request is quoted under every policy.
func (s surroundings) quoted() bool {
	return s.quote || s.span || s.definition >= 0 || s.infoLine || s.fence != nil && s.fence.quotes > 0
}

// ends reports whether the block can end with its surroundings.
func (s surroundings) ends() bool { return s.fence != nil || s.quote || len(s.section) > 0 }

// endsAt reports whether the fence or the blockquote of the block has ended at the line that begins
// at p (C12). That line must come after START's line. A blockquote continues in lines without its
// sign, up to a blank line or fenced code.
func (s surroundings) endsAt(text string, p int) bool {
	line := text[p:lineEnd(text, p)]
	if s.fence != nil {
		if _, open := s.fence.content(line); !open || s.fence.closedBy(line) {
			return true
		}
	}
	if !s.quote || s.fence != nil || quoteLine(line) {
		return false
	}
	return isSpaceText(line) || lines{}.next(text, p, p+len(line)).fence != nil
}

// endsBefore is endsAt for a line that may contain a mark at the offset to. The text after the mark
// does not matter.
func (s surroundings) endsBefore(text string, p, to int) bool {
	if lineEnd(text, p) < to || s.fence != nil {
		return s.endsAt(text, p)
	}
	return s.endsAt(text[:to], p) && !isSpaceText(text[p:to])
}

// tagEnds follows the reasoning tag at p and reports whether the section ends with it (C1).
func (s *surroundings) tagEnds(text string, p int) bool {
	t, ok := tagAt(text, p)
	if !ok || len(s.section) == 0 {
		return false
	}
	if !t.closes {
		if opensLine(text, lineStart(text, p), t, p) && t.name == s.section[0] { // only an opener of the section's own name counts
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

// passedIn returns the offset in text[from:to] at which the surroundings end, or -1 if they do not
// end there (C12; for definitions B16).
func (s surroundings) passedIn(text string, from, to int) int {
	for p := from; p <= to; p++ {
		if p > from && isLineStart(text, p) && s.endsBefore(text, p, to) {
			return p
		}
		if p == to {
			break
		}
		if s.tagEnds(text, p) {
			return p
		}
		if p == s.definition && !s.ends() {
			return p
		}
	}
	return -1
}

// surroundingsEndAt reports whether the surroundings of a block have ended at the line that begins
// at p, between its fields (C12). Of a line after a blockquote only what is before its first mark
// counts.
func (in *input) surroundingsEndAt(around surroundings, p int) bool {
	if to := in.firstMark(p, lineEnd(in.text, p)); around.fence == nil && to < lineEnd(in.text, p) {
		return around.endsBefore(in.text, p, to)
	}
	return around.endsAt(in.text, p)
}

// firstMark returns where the first opener, closer, START or END in text[from:to] begins, or the
// offset to if none begins there.
func (in *input) firstMark(from, to int) int {
	to = in.openerOrEnd(from, to)
	for p := from; p < to; p++ {
		m, ok := markerAt(in.text, p)
		if _, closes := closerAt(in.text, p); closes || ok && (m.kind == requestStart || m.kind == requestEnd) {
			return p
		}
	}
	return to
}
