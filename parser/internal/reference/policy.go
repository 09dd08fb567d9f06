package reference

import (
	"slices"
	"strings"
)

// insideSections returns the reasoning section around each block, and nil for a block outside of
// reasoning.
func (r *reader) insideSections() []*section {
	inside := make([]*section, len(r.blocks))
	for i, b := range r.blocks {
		for k := range r.sections {
			if s := &r.sections[k]; s.start <= b.start && b.end <= s.end {
				inside[i] = s
			}
		}
	}
	return inside
}

// reasoningBlocks applies the policy for requests in reasoning (C1, C3).
func (r *reader) reasoningBlocks(inside []*section, status []string) {
	for i, b := range r.blocks {
		if inside[i] == nil || b.pastSurroundings && !inside[i].reclassified {
			continue
		}
		if inside[i].reclassified && b.unstored {
			continue // nothing of such a block is stored
		}
		if r.o.Reasoning == Run || r.o.Reasoning == RunIfNothingElse && !r.requestsOutside(inside) {
			continue
		}
		status[i] = "reasoning"
		r.wasToRun[b.start] = inside[i].reclassified && r.o.Reasoning == Skip && r.inRunningPlace(b)
	}
}

// inRunningPlace reports whether a block is at a place at which requests run, unless a lone closing
// tag makes it reasoning (C3).
func (r *reader) inRunningPlace(b *block) bool {
	inText := b.pastSurroundings || !b.around.quoted() && (b.around.fence == nil || r.fenceRuns(b))
	return b.pastSurroundings || len(b.around.section) == 0 && inText
}

// requestsOutside reports whether a request outside of reasoning runs. A request past a limit
// counts as one even if a lone closing tag made the text around it reasoning, because its status
// stays "invalid" (C3).
func (r *reader) requestsOutside(inside []*section) bool {
	for i, b := range r.blocks {
		outside := inside[i] == nil || inside[i].reclassified && b.unstored
		if outside && (!b.around.quoted() && b.around.fence == nil || r.fenceRuns(b) || b.pastSurroundings) {
			return true
		}
	}
	return false
}

// quotedBlocks gives the status "quoted" to requests in code, in quotations and in definitions,
// unless they run (C5, C6, C9, C10, B16).
func (r *reader) quotedBlocks(status []string) {
	for i, b := range r.blocks {
		if status[i] != "" || b.pastSurroundings {
			continue
		}
		if b.around.quoted() || b.around.fence != nil && !r.fenceRuns(b) {
			status[i] = "quoted"
		}
	}
}

// fenceRuns reports whether the policy lets a request in fenced code run (C5, C6, C7).
func (r *reader) fenceRuns(b *block) bool {
	f := b.around.fence
	if f == nil || b.around.quoted() {
		return false
	}
	switch r.o.Quoted {
	case Run:
		return true
	case Auto:
		open, end := r.fenceEnd(f)
		if open && !r.o.FinishStop {
			return false
		}
		word, _, _ := strings.Cut(f.info, " ")
		if slices.Contains(r.infos(), word) {
			return true
		}
		return r.onlyRequests(f, end)
	}
	return false
}

// infos returns the info strings that mark requests as meant to run (C6).
func (in *input) infos() []string {
	if in.hermes {
		return []string{"tool_call", "hermes"}
	}
	return []string{"tool_request", "vcp", "VCPToolCall"}
}

// fenceEnd returns where a fence's closing line begins. open reports that the fence is still open
// at the message's end; then end is that end.
func (r *reader) fenceEnd(f *fence) (open bool, end int) {
	end, ok := r.fenceEnds[f]
	if !ok {
		return true, len(r.text)
	}
	return false, end
}

// onlyRequests reports whether a fence contains only requests, only blanks follow it, and no
// request is outside of it (C6).
func (r *reader) onlyRequests(f *fence, end int) bool {
	p := f.body
	for _, b := range r.blocks {
		if b.around.fence != f || b.around.infoLine {
			return false
		}
		if !isBlankLines(r.text[min(p, b.start):b.start]) {
			return false
		}
		p = b.end
	}
	if p > end || !isBlankLines(r.text[p:end]) {
		return false
	}
	after := r.text[min(lineEnd(r.text, end), len(r.text)):]
	if len(r.dropped) > 0 {
		after = r.text[lineEnd(r.text, end):max(r.dropped[0].Start, lineEnd(r.text, end))]
	}
	return isBlankLines(after)
}
