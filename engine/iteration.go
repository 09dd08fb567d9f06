package engine

import (
	"slices"
	"strings"
	"time"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/forms"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// Iteration is one reply and its results. A turn, which begins with the user's message, has one or
// more.
type Iteration struct {
	// Number counts the iterations of a run, from 1.
	Number   int
	Started  time.Time
	Duration time.Duration
	// Raw is the reply as the model wrote it.
	Raw string
	// Reply is what the parser read. Unless Reply.Finish is complete, nothing ran and no request is
	// ready.
	Reply parser.Reply
	// Reasoning is what the server sent as reasoning, followed by Reply.Reasoning.
	Reasoning string
	// Usage is nil if the server does not report it.
	Usage *Usage
	// Continued is how often the model was asked to continue this reply after the token limit had
	// truncated it in a request. Raw contains all parts as one text, and Usage adds them up.
	Continued int
	// Requests are the requests of the reply, including unreadable requests but not quoted ones.
	Requests []executor.Request
	// Results has a result for each of Requests, in order, also for those that cannot run. It is
	// empty if Requests were dispatched, if the run ended before they could run, or if tools were
	// no longer available.
	Results []executor.Result
	// Dispatched reports that Requests were dispatched in mode manual. The application must supply
	// all results before it asks the model again.
	Dispatched bool
	// Assistant is the reply as a message for the conversation. It omits text that was dropped, and
	// requests that neither have a result nor were dispatched. Its Content may be "".
	Assistant protocol.Message
	// ToolMessages contain the Results of native calls, one message for each call, in the model's
	// order. They are data and not neutralized yet.
	ToolMessages []protocol.Message
	// ResultMessage contains the Results of requests in text and the engine's notes. It is nil if
	// it would be empty. It is data: Session.Render writes Results and Examples as text.
	ResultMessage *protocol.Message

	runs           bool                // the engine runs Requests
	calls          []protocol.ToolCall // native calls, valid or not
	requested      int                 // as RecordedReply.Requested counts them
	protocolFailed bool                // the protocol failed to read the reply
	missed         []missedRequest     // requests that did not run because of their place or form
	rewritten      []parser.Span       // truncated blocks that the model wrote again, and repetitions of requests
}

// Messages returns what the iteration adds to the conversation: the reply, then the results of
// native calls, then those of requests in text.
func (it *Iteration) Messages() []protocol.Message {
	list := make([]protocol.Message, 0, len(it.ToolMessages)+2)
	if it.Assistant.Content != "" || len(it.Assistant.ToolCalls) > 0 {
		list = append(list, it.Assistant)
	}
	list = append(list, it.ToolMessages...)
	if it.ResultMessage != nil {
		list = append(list, *it.ResultMessage)
	}
	return list
}

// settle decides whether the requests of a reply run, are dispatched or are dropped, and sets
// Assistant accordingly. stop is why the run ends with this reply; "" means that it does not. tools
// reports whether tools are available. protocolID is the protocol of the requests in text.
func (it *Iteration) settle(stop StopReason, tools bool, protocolID string) {
	it.Dispatched = stop == StopManual
	it.runs = stop == "" && tools && len(it.Requests) > 0
	it.Assistant = protocol.Message{
		Role: protocol.RoleAssistant, Origin: protocol.OriginModel, Protocol: protocolID,
		Content: omitSpans(it.Raw, it.omittedSpans()),
	}
	switch {
	case it.runs, it.Dispatched:
		it.Assistant.ToolCalls = it.calls
	case len(it.Requests) > 0:
		// A request without a result would confuse the model. With NoProtocol the text around the
		// requests is neutralized, so it cannot join to form a new request.
		it.Assistant.Content, it.Assistant.Protocol = it.Reply.Text.String(), protocol.NoProtocol
	}
}

// omittedSpans returns the parts of the reply that the model must not see again.
func (it *Iteration) omittedSpans() []parser.Span {
	spans := slices.Clone(it.rewritten)
	for _, d := range it.Reply.Dropped {
		spans = append(spans, d.Span)
	}
	return spans
}

// isBlank reports whether the reply has no text that a person would see.
func (it *Iteration) isBlank() bool { return strings.TrimSpace(it.Reply.Text.String()) == "" }

// ownMissed returns the missed requests that are not foreign.
func (it *Iteration) ownMissed() []missedRequest {
	return slices.DeleteFunc(slices.Clone(it.missed), func(m missedRequest) bool { return m.foreign })
}

// isEmpty reports whether the model wrote nothing.
func (it *Iteration) isEmpty() bool {
	return it.Raw == "" && it.Reasoning == "" && len(it.Requests) == 0 && len(it.calls) == 0
}

// omitSpans returns the reply without the spans.
func omitSpans(raw string, spans []parser.Span) string {
	if len(spans) == 0 {
		return raw
	}
	slices.SortFunc(spans, func(a, b parser.Span) int { return a.Start - b.Start })
	var kept strings.Builder
	at := 0
	for _, s := range spans {
		start, end := min(s.Start, len(raw)), min(s.End, len(raw))
		if start > at {
			kept.WriteString(raw[at:start])
		}
		at = max(at, end)
	}
	kept.WriteString(raw[at:])
	return kept.String()
}

// missedRequest is a request that did not run because of its place or its form.
type missedRequest struct {
	protocol.ToolRequest
	written string // its text in the reply
	reason  phrase
	method  *tool.Entry // nil if the request names no visible method
	foreign bool        // the model may have copied it from foreign text
}

// addNote adds a note of the engine, and examples, to the message with the results.
func (it *Iteration) addNote(content string, examples []protocol.ToolRequest) {
	if it.ResultMessage == nil {
		it.ResultMessage = &protocol.Message{Role: protocol.RoleUser}
	}
	m := it.ResultMessage
	m.Origin, m.Content, m.Examples = protocol.OriginEngine, content, examples
}

// requestText returns the text of the request with the given ID, as the model wrote it. For a
// notice of text that only looks like a request, it returns at most maxReread bytes from the
// beginning of that text.
func (it *Iteration) requestText(id string) string {
	_, ordinal, _ := strings.Cut(shortID(id), ".")
	for _, q := range it.Reply.Requests {
		if q.ID == ordinal {
			return q.RawBlock
		}
	}
	for i, n := range it.Reply.Notices {
		if n.Code == parser.NoticeMalformedRequest && noticeOrdinal(i) == ordinal && n.Span.Start <= len(it.Raw) {
			text := it.Raw[n.Span.Start:]
			return text[:min(len(text), maxReread)]
		}
	}
	return ""
}

// setResults sets the results of an iteration, and the messages that contain them.
func (it *Iteration) setResults(results []executor.Result) {
	if len(results) > 0 {
		it.Results = results
		it.ToolMessages, it.ResultMessage = resultMessages(results)
	}
}

// maxReread limits the text of a request that is read again to show it in the correct form, in
// bytes.
const maxReread = forms.MaxLooseBytes
