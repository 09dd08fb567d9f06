package markdown

import (
	"bytes"
	"slices"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// Renderer renders conversations as HTML that needs no further filter. It is safe for concurrent
// use. The methods whose names begin with Append append to dst and return the extended slice.
type Renderer struct {
	o        Options
	markdown goldmark.Markdown // for text without requests
	policy   *bluemonday.Policy
}

// New returns a Renderer. The error names the option that is wrong.
func New(o Options) (*Renderer, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	r := &Renderer{o: o, policy: policyFor(&o)}
	extensions := append(slices.Clone(r.o.extensions()), &extender{o: &r.o, plain: true})
	r.markdown = goldmark.New(goldmark.WithExtensions(extensions...))
	return r, nil
}

// policyFor returns the filter for what a Renderer renders.
func policyFor(o *Options) *bluemonday.Policy {
	p := Policy()
	if o.AllowImage != nil {
		p.AllowAttrs("src", "alt").OnElements("img")
		p.AllowAttrs("loading").Matching(lazy).OnElements("img")
		p.AllowAttrs("referrerpolicy").Matching(noReferrer).OnElements("img")
	}
	return p
}

// AppendText renders Markdown that contains no requests, such as what a person wrote.
func (r *Renderer) AppendText(dst []byte, markdown string) []byte {
	return r.render(dst, func(w *writer) { r.text(w, []byte(markdown)) })
}

// AppendResults renders results as cards.
func (r *Renderer) AppendResults(dst []byte, results []chat.Outcome) []byte {
	return r.render(dst, func(w *writer) { w.results(results) })
}

// AppendResultText renders the results in a text that a protocol has formatted, as
// engine.CycleResult.ResultMessage contains it. If no results can be read from it, the text is
// rendered as it is.
func (r *Renderer) AppendResultText(dst []byte, protocolID, formatted string) []byte {
	var results []protocol.ToolResult
	if reader, ok := r.o.protocolOf(protocolID).(protocol.Reader); ok && len(formatted) <= r.o.MaxBytes {
		results, _ = reader.ParseToolResults(formatted)
	}
	return r.render(dst, func(w *writer) {
		for i := range results {
			w.card(textResultCard(&results[i]))
		}
		if len(results) == 0 {
			w.block("vcp-body", formatted)
		}
	})
}

// AppendMessage renders a message of a conversation. Requests are rendered where the model wrote
// them, or after the text if the Renderer does not find them there.
func (r *Renderer) AppendMessage(dst []byte, m *chat.Message) []byte {
	return r.render(dst, func(w *writer) { r.message(w, m) })
}

// AppendConversation renders messages as a log.
func (r *Renderer) AppendConversation(dst []byte, messages []chat.Message) []byte {
	return r.render(dst, func(w *writer) {
		w.raw(`<div class="vcp-conversation" role="log">`, "\n")
		for i := range messages {
			r.message(w, &messages[i])
		}
		w.raw("</div>\n")
	})
}

func (r *Renderer) message(w *writer, m *chat.Message) {
	speaker := "User"
	switch {
	case m.Role == protocol.RoleAssistant:
		speaker = "Assistant"
	case m.Outcomes != nil:
		speaker = "Tools"
	case m.FromEngine:
		speaker = "Engine"
	}
	w.raw(`<article class="vcp-message vcp-`, strings.ToLower(speaker), `" aria-label="`)
	w.label(speaker)
	w.raw(`">`, "\n")
	switch speaker {
	case "Assistant":
		r.assistant(w, m)
	case "User":
		r.text(w, []byte(m.Content))
	default:
		w.results(m.Outcomes)
		w.block("vcp-note", m.Content)
	}
	w.raw("</article>\n")
}

// assistant renders a reply in a history. m.Content shows where the requests are, and
// m.ToolCallsRequested what happened to them.
func (r *Renderer) assistant(w *writer, m *chat.Message) {
	w.reasoning(m.Reasoning)
	recorded := m.ToolCallsRequested // the requests that are not rendered at a place in the text
	if pieces := r.piecesOf(m); pieces != nil {
		for i := range pieces { // m.Reasoning is rendered above, and a history shows no notices
			if pieces[i].kind != pieceReasoning && pieces[i].kind != pieceNotice {
				r.piece(w, &pieces[i], []byte(m.Content))
			}
		}
		recorded = slices.DeleteFunc(slices.Clone(recorded), isInText)
	} else {
		r.text(w, []byte(m.Text))
	}
	for i := range recorded {
		w.card(recordedCard(&recorded[i]))
	}
	if m.Incomplete {
		w.card(noticeCard("incomplete", r.o.Label("This reply is incomplete: it was canceled or truncated.")))
	}
}

// piecesOf divides a reply in a history into pieces. It returns nil unless the requests in
// m.Content have the same names, in the same order, as those in m.ToolCallsRequested. Native calls
// do not count, because they are not in the text.
func (r *Renderer) piecesOf(m *chat.Message) []piece {
	p := r.o.protocolOf(m.Protocol)
	if m.Protocol == "" || p == nil || len(m.Content) > r.o.MaxBytes {
		return nil
	}
	finish := protocol.FinishStop
	if m.Incomplete {
		finish = protocol.FinishUnknown
	}
	pieces, err := read(p, r.o.Reading, []byte(m.Content), finish)
	if err != nil {
		return nil
	}
	requests := slices.DeleteFunc(slices.Clone(pieces), func(p piece) bool { return p.kind != pieceRequest })
	for _, q := range m.ToolCallsRequested {
		if !isInText(q) {
			continue
		}
		if len(requests) == 0 || requests[0].card.name != requestName(q.ToolName, q.Command) {
			return nil
		}
		requests[0].card.record(&q)
		requests = requests[1:]
	}
	if len(requests) > 0 {
		return nil
	}
	return pieces
}

// isInText reports whether a request is in the text of its reply: it is not a native call.
func isInText(q chat.ToolCallRequest) bool { return q.CallID == "" }

// piece renders a piece of a reply.
func (r *Renderer) piece(w *writer, p *piece, reply []byte) {
	part := reply[p.span.Start:p.span.End]
	if p.kind == pieceText {
		r.text(w, part)
	} else {
		w.piece(p, part)
	}
}

// text renders Markdown.
func (r *Renderer) text(w *writer, source []byte) {
	omitted := 0
	if len(source) > r.o.MaxBytes {
		shown := text.Prefix(string(source), r.o.MaxBytes)
		source, omitted = []byte(shown), len(source)-len(shown)
	}
	if r.o.isPlain(source) {
		w.plain(source)
	} else {
		var out bytes.Buffer
		if err := r.markdown.Convert(bytes.ToValidUTF8(source, []byte("\ufffd")), &out); err != nil {
			w.block("vcp-problem", err.Error())
		}
		w.out = append(w.out, out.Bytes()...)
	}
	w.omittedBytes(omitted)
}

// render appends the HTML that write writes. That HTML is meant to be harmless already; the filter
// protects against mistakes in writing it.
func (r *Renderer) render(dst []byte, write func(*writer)) []byte {
	w := writer{o: &r.o}
	write(&w)
	return append(dst, r.policy.SanitizeBytes(w.out)...)
}
