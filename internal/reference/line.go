package reference

import "strings"

// newLine records the line that begins here.
func (r *reader) newLine() {
	r.noFence()
	r.lineAt, r.lineText, r.joined = r.pos, "", ""
	r.infoLine, r.mark = false, false
	if r.section != nil {
		return // C1: fences are not tracked
	}
	before := r.l.fence
	r.was = r.l
	r.l = r.was.next(r.text, r.pos, lineEnd(r.text, r.pos))
	r.infoOfRequest(r.was)
	r.infoLine = r.l.fence != nil && r.l.fence != before
	if before != nil && r.l.fence != before {
		r.fenceEnds[before] = r.pos
	}
	for p := r.pos; r.infoLine && p < lineEnd(r.text, r.pos); p++ { // C5: without a request
		if m, ok := r.markerAt(p); ok && m.kind == requestStart && r.peek(m, r.text[r.pos:p]) != nil {
			if f := r.was.next(r.text, r.pos, p).fence; f != nil {
				r.l.fence.info = f.info
			}
			break
		}
	}
	r.mark = r.infoLine || before != nil && r.l.fence == nil && r.l.closed
}

// infoOfRequest opens a fence that a line opens up to the START of a request on it, so that the
// request is quoted (C5). Backticks of the request do not belong to the info string, but those
// after it do.
func (r *reader) infoOfRequest(was lines) {
	if was.fence != nil || r.l.fence != nil {
		return
	}
	end := lineEnd(r.text, r.pos)
	for p := r.pos; p < end; p++ {
		m, ok := r.markerAt(p)
		if !ok || m.kind != requestStart {
			continue
		}
		if opened := was.next(r.text, r.pos, p); opened.fence != nil {
			opened.fence.body = skipLineBreak(r.text, end)
			r.l = opened
		}
		return
	}
}

// inCode reports whether the mark here, which ends at end, is in code: a fence, its two lines, or a
// code span.
func (r *reader) inCode(end int) bool {
	if r.section != nil || r.dropping { // B14: in dropped text nothing is code
		return false
	}
	if r.infoLine && r.l.fence.mark == '`' && strings.Contains(r.restOfLine(end), "`") {
		return r.inSpan(end) // the line opens a fence only for a request on it
	}
	return r.l.fence != nil || r.mark || r.backtickIsFar(end) || r.inSpan(end)
}

// backtickIsFar reports whether the line opens a fence, as far as the 96 bytes after the mark that
// ends at end show (C5).
func (r *reader) backtickIsFar(end int) bool {
	if strings.ContainsAny(r.lineText, "\x00\x01") { // the line begins with a request
		return false
	}
	return r.was.next(r.text, r.lineAt, end+len(r.restOfLine(end))).fence != nil
}

// inSpan reports whether the mark here, which ends at end, is in a code span that ends on its line,
// within 96 bytes (C9).
func (r *reader) inSpan(end int) bool {
	runs := openRuns(r.lineText)
	return len(runs) > 0 && closingRun(r.restOfLine(end), runs) >= 0
}
