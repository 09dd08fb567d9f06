package engine

import (
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/forms"
	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/internal/work"
)

// find finds the secrets in the requests of a reply.
func (m *masker) find(iteration *Iteration) {
	if !m.active() {
		return
	}
	for i := range iteration.Requests {
		m.addValues(&iteration.Requests[i].ToolRequest)
	}
	list := iteration.Reply.Requests
	for i := 0; i < len(list); {
		n := i + 1
		for n < len(list) && list[n].Span == list[i].Span {
			n++
		}
		for k := range list[i:n] {
			m.addValues(&list[i+k].ToolRequest)
		}
		if block := list[i].RawBlock; block != "" {
			m.blocks = append(m.blocks, maskedBlock{block, m.block(list[i:n]), isQuoted(&list[i])})
		}
		i = n
	}
}

// reply masks the secrets in a recorded reply, and in raw and text, which are to be its Raw and
// Text.
func (m *masker) reply(r *RecordedReply, raw, text *string) {
	if !m.active() {
		return
	}
	m.message(&r.Message)
	masked := map[string]*string{} // several texts are often the same
	var different []*string
	find := func(text string, onlyQuoted bool) {
		if masked[text] == nil {
			s := m.text(text, onlyQuoted)
			masked[text] = &s
			different = append(different, &s)
		}
	}
	find(*raw, false)
	find(*text, true)
	find(r.Reasoning, true)
	find(r.Message.Content, false)
	secrets.Cover(slices.Concat(m.values, m.names), different...)
	for _, text := range []*string{raw, text, &r.Reasoning, &r.Message.Content} {
		*text = *masked[*text]
	}
}

// text masks the requests in a text. A block that it does not find is masked as what was not read.
func (m *masker) text(s string, onlyQuoted bool) string {
	var b strings.Builder
	missing := 8 // how many blocks are searched for in vain
	for i := range m.blocks {
		block := &m.blocks[i]
		if onlyQuoted && !block.quoted || missing == 0 {
			continue
		}
		before, after, found := strings.Cut(s, block.written)
		if !found {
			work.Add(len(s))
			missing--
			continue
		}
		work.Add(len(before) + len(block.written))
		b.WriteString(m.unreadText(before))
		b.WriteString(block.masked)
		s = after
	}
	b.WriteString(m.unreadText(s))
	return b.String()
}

// unreadText masks the requests in a text that was not read.
func (m *masker) unreadText(s string) string {
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

// recorded returns a reply that an application records, without secrets in its texts.
func (m *masker) recorded(given *RecordedReply) *RecordedReply {
	r := *given
	raw, text := r.Message.Content, r.Message.Content
	if r.Raw != nil {
		raw = *r.Raw
	}
	if r.Text != nil {
		text = *r.Text
	}
	m.reply(&r, &raw, &text)
	if r.Raw != nil {
		r.Raw = &raw
	}
	if r.Text != nil {
		r.Text = &text
	}
	return &r
}
