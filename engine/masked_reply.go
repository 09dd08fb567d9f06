package engine

import (
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/forms"
	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/internal/work"
)

// findSecrets adds the secrets in the requests of a reply to the masker.
func (m *masker) findSecrets(iteration *Iteration) {
	if !m.active() {
		return
	}
	for i := range iteration.Requests {
		m.addValues(&iteration.Requests[i].ToolRequest)
	}
	list := iteration.Reply.Requests
	for i := 0; i < len(list); {
		end := i + 1 // of the requests in one block
		for end < len(list) && list[end].Span == list[i].Span {
			end++
		}
		for k := i; k < end; k++ {
			m.addValues(&list[k].ToolRequest)
		}
		if block := list[i].RawBlock; block != "" {
			m.blocks = append(m.blocks, maskedBlock{block, m.maskBlock(list[i:end]), isQuoted(&list[i])})
		}
		i = end
	}
}

// maskReply masks the secrets in the texts of a reply and in its native calls.
func (m *masker) maskReply(r *RecordedReply) {
	if !m.active() {
		return
	}
	raw, text := r.texts()
	m.maskMessage(&r.Message)
	masked := map[string]*string{} // by the original text, because several texts are often the same
	var different []*string        // the values of masked
	mask := func(text string, onlyQuoted bool) {
		if masked[text] == nil {
			s := m.maskText(text, onlyQuoted)
			masked[text] = &s
			different = append(different, &s)
		}
	}
	mask(raw, false)
	mask(text, true)
	mask(r.Reasoning, true)
	mask(r.Message.Content, false)
	secrets.Cover(slices.Concat(m.values, m.names), different...)
	for _, text := range []*string{&raw, &text, &r.Reasoning, &r.Message.Content} {
		*text = *masked[*text]
	}
	r.setTexts(raw, text)
}

// maskText returns s with secrets masked. It replaces the blocks of requests that it finds, in the
// order of the reply, and gives the text around them to maskUnread. If onlyQuoted is set, s is a
// text that people see, which contains only quoted blocks.
func (m *masker) maskText(s string, onlyQuoted bool) string {
	var b strings.Builder
	missesLeft := 8 // the search ends after so many blocks that s lacks, because each costs a pass over s
	for i := range m.blocks {
		block := &m.blocks[i]
		if onlyQuoted && !block.quoted || missesLeft == 0 {
			continue
		}
		before, after, found := strings.Cut(s, block.written)
		if !found {
			work.Add(len(s))
			missesLeft--
			continue
		}
		work.Add(len(before) + len(block.written))
		b.WriteString(m.maskUnread(before))
		b.WriteString(block.masked)
		s = after
	}
	b.WriteString(m.maskUnread(s))
	return b.String()
}

// maskUnread returns a text with secrets masked. The parser read no requests in that text, but it
// may contain text that looks like one.
func (m *masker) maskUnread(s string) string {
	if strings.TrimSpace(s) == "" {
		return s
	}
	var parts [][2]int
	for at, block := range forms.Blocks(s) {
		parts = append(parts, [2]int{at, at + len(block)})
	}
	if len(m.view.unknownForm(s)) > 0 {
		parts = append(parts, [2]int{0, len(s)})
	}
	masked, values := m.unread.Mask(s, parts...)
	m.values = append(m.values, values...)
	return masked
}
