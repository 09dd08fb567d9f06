package reference

import "strings"

// newLine records the line that begins here.
func (r *reader) newLine() {
	r.noFence()
	r.lineAt, r.lineText, r.joined = r.pos, "", ""
	r.infoLine, r.fenceLine = false, false
	if r.section != nil {
		return // C1: fences are not tracked
	}
	fenceBefore := r.line.fence
	r.lineBefore = r.line
	r.line = r.lineBefore.next(r.text, r.pos, lineEnd(r.text, r.pos))
	r.infoOfRequest()
	r.infoLine = r.line.fence != nil && r.line.fence != fenceBefore
	if fenceBefore != nil && r.line.fence != fenceBefore {
		r.fenceEnds[fenceBefore] = r.pos
	}
	for p := r.pos; r.infoLine && p < lineEnd(r.text, r.pos); p++ { // C5: the info string ends before a request
		if m, ok := r.markerAt(p); ok && m.kind == requestStart && r.peek(m, r.text[r.pos:p]) != nil {
			if f := r.lineBefore.next(r.text, r.pos, p).fence; f != nil {
				r.line.fence.info = f.info
			}
			break
		}
	}
	r.fenceLine = r.infoLine || fenceBefore != nil && r.line.fence == nil && r.line.closed
}

// infoOfRequest opens a fence if the part of the line before the START of a request opens one (C5).
// Then the request is quoted. Backticks of the request do not belong to the info string, but those
// after it do.
func (r *reader) infoOfRequest() {
	if r.line.fence != nil || r.line.closed {
		return
	}
	end := lineEnd(r.text, r.pos)
	for p := r.pos; p < end; p++ {
		m, ok := r.markerAt(p)
		if !ok || m.kind != requestStart {
			continue
		}
		if opened := r.lineBefore.next(r.text, r.pos, p); opened.fence != nil {
			opened.fence.body = skipLineBreak(r.text, end)
			r.line = opened
		}
		return
	}
}

// inCode reports whether the mark here, which ends at end, is in code: in a fence, on its opening
// or closing line, or in a code span.
func (r *reader) inCode(end int) bool {
	if r.section != nil || r.dropping { // B14: in dropped text nothing is code
		return false
	}
	if r.infoLine && r.line.fence.mark == '`' && strings.Contains(r.restOfLine(end), "`") {
		return r.inSpan(end) // the line opens a fence only for a request on it
	}
	return r.line.fence != nil || r.fenceLine || r.mayOpenFence(end) || r.inSpan(end)
}

// mayOpenFence reports whether the line opens a fence (C5). end is the offset after the mark here.
// Only the 96 bytes after end are read.
func (r *reader) mayOpenFence(end int) bool {
	if strings.ContainsAny(r.lineText, requestSign+tagSign) { // a request or a reasoning tag is on the line
		return false
	}
	return r.lineBefore.next(r.text, r.lineAt, end+len(r.restOfLine(end))).fence != nil
}

// inSpan reports whether the mark here, which ends at end, is in a code span that ends on its line,
// within 96 bytes (C9).
func (r *reader) inSpan(end int) bool {
	runs := openRuns(r.lineText)
	return len(runs) > 0 && !r.inQuote() && closingRun(r.restOfLine(end), runs) >= 0
}
