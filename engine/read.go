package engine

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// reader reads one reply of a run after the other, each while the model writes it, in one go or, where it is cut in a request, in several.
type reader struct {
	run       *run
	number    int // of the reply in its session
	parser    *parser.Parser
	events    []parser.Event // memory
	raw       []byte
	fed       int // how much of raw has been read: the beginning of a character waits for its end
	reasoning strings.Builder
	finish    protocol.FinishReason
	finished  bool
	madeUp    bool // a result that the model made up has been met
	usage     *Usage
	calls     []protocol.ToolCall
	ledger    ledger
	joint     joint
	err       error // of the model, or of a run that has ended

	tool, argument string // memory of nameOf: most events have the name of the one before, or of that in the last request
	ordinal, id    string // memory of requestID
}

// read has the model write one reply. The turn is never nil; the error is the model's, or that of a protocol that cannot begin.
func (r *run) read(tools bool) (*Turn, error) {
	turn := &Turn{Iteration: r.iteration, Started: time.Now()}
	d := r.reader
	d.next(r)
	if err := d.begin(); err != nil {
		return turn, err
	}
	r.spent.last = 0
	req := r.conversation.request(r, tools)
	d.ledger.keeps = tools && !r.native
	err := d.stream(req)
	var parts []*truncated
	for err == nil && r.ctx.Err() == nil && d.ledger.keeps && len(parts) < maxContinued && !r.spent.all(&r.settings.config) {
		part := d.truncated()
		if part == nil {
			break
		}
		parts = append(parts, part)
		err = d.continueReply(req, part)
	}
	turn.Reply = d.close()
	turn.Raw, turn.Usage = string(d.raw), d.usage
	turn.Reasoning = joinLines(d.reasoning.String(), turn.Reply.Reasoning)
	turn.Continued = len(parts)
	r.joinParts(turn, parts)
	settle(&turn.Reply)
	turn.Requests, turn.calls = r.withNative(d, requests(d.number, &turn.Reply))
	if tools {
		r.admit(turn)
	}
	return turn, err
}

// readers are kept for the next run: reading a short reply would else be little more than taking memory for it.
var readers = sync.Pool{New: func() any { return &reader{parser: &parser.Parser{}} }}

// maxKeptReply bounds the replies that a reader which is kept has read, in bytes.
const maxKeptReply = 64 << 10

// release keeps the reader for another run.
func (d *reader) release() {
	if cap(d.raw) <= maxKeptReply {
		clear(d.events[:cap(d.events)])
		clear(d.ledger.entries[:cap(d.ledger.entries)])
		d.forget()
		readers.Put(d)
	}
}

// forget empties the reader but for its memory.
func (d *reader) forget() {
	*d = reader{
		parser: d.parser, events: d.events[:0], raw: d.raw[:0], ledger: ledger{entries: d.ledger.entries[:0]},
		tool: d.tool, argument: d.argument,
	}
}

// next makes ready for another reply of the run.
func (d *reader) next(r *run) {
	d.forget()
	d.run, d.number = r, r.session.nextTurn(r.conversation.replies)
}

// begin makes ready for the text of the reply.
func (d *reader) begin() error {
	d.raw, d.fed = d.raw[:0], 0
	if err := d.parser.Reset(d.run.settings.protocol, d.run.settings.reading); err != nil {
		return fmt.Errorf("engine: reading a reply: %w", err)
	}
	return nil
}

// stream has the model write until its reply is complete, and counts what that costs.
func (d *reader) stream(req ModelRequest) error {
	r := d.run
	before := d.usage
	d.usage = nil
	raw, reasoning := len(d.raw), d.reasoning.Len()
	err := d.take(req)
	r.pay(&req, d.usage, d.raw[raw:], d.reasoning.String()[reasoning:], d.calls)
	d.usage = addUsage(before, d.usage)
	if d.finished && err != nil {
		// The reply is complete; what the connection did after that changes nothing.
		if r.ctx.Err() == nil {
			r.log().LogAttrs(r.ctx, slog.LevelWarn, "model failed after its reply was complete", slog.Any("error", err))
		}
		err = nil
	}
	return err
}

// take reads deltas to the end of the reply, of the run or of the model.
func (d *reader) take(req ModelRequest) error {
	d.err = nil
	for delta, err := range d.run.session.engine.options.Model.Stream(d.run.ctx, req) {
		if d.err = err; err != nil || !d.delta(&delta) {
			break
		}
	}
	return d.err
}

// delta takes one piece of the reply, and reports whether more is wanted.
func (d *reader) delta(delta *Delta) (more bool) {
	r := d.run
	if delta.Usage != nil {
		d.usage = delta.Usage
	}
	if delta.Reasoning != "" {
		d.reasoning.WriteString(delta.Reasoning)
		r.emit(Event{Kind: EventReasoning, Text: delta.Reasoning})
	}
	if delta.Text != "" && !d.finished {
		d.feed(d.joint.join(delta.Text))
	}
	d.native(delta)
	if delta.Finished {
		d.finishes(protocol.ParseFinishReason(string(delta.Finish)))
	}
	if r.ctx.Err() != nil {
		d.err = context.Cause(r.ctx)
		return false
	}
	if d.stops() {
		d.finished, d.finish = true, protocol.FinishStop
		return false
	}
	return true
}

// finishes takes a finish reason. A reply that ends for two different reasons ends for none that could be believed.
func (d *reader) finishes(reason protocol.FinishReason) {
	if d.finished && d.finish != reason {
		reason = protocol.FinishUnknown
	}
	d.finished, d.finish = true, reason
}

// feed reads a piece of text up to the last whole character.
func (d *reader) feed(text string) {
	if text == "" || d.stops() {
		return
	}
	read := len(d.raw)
	d.raw = append(d.raw, text...)
	piece := d.raw[d.fed : len(d.raw)-danglingBytes(d.raw[d.fed:])]
	d.fed += len(piece)
	d.tell(d.parser.Feed(d.events[:0], piece))
	if d.stops() {
		d.endEarly(read)
	}
}

// stops reports whether the rest of the reply is not wanted: what follows a result that the model made up would be dropped, and what
// stands before it is complete. Native calls are told of at the end only.
func (d *reader) stops() bool { return d.madeUp && !d.run.native }

// endEarly has the reply end at the byte at which it showed that the model makes a result up. How much more has come along with that
// byte is the network's doing, and must not change which requests are trusted. Up to the offset read it had not shown.
func (d *reader) endEarly(read int) {
	p, err := parser.New(d.run.settings.protocol, d.run.settings.reading)
	if err != nil {
		return // it is the second of its kind
	}
	events := p.Feed(nil, d.raw[:read])
	for at := read; at < len(d.raw); at++ {
		events = p.Feed(events[:0], d.raw[at:at+1])
		if slices.ContainsFunc(events, fabricated) {
			d.parser, d.fed = p, len(d.raw)
			return
		}
	}
}

func fabricated(e parser.Event) bool {
	return e.Kind == parser.EventDropped && e.Reason == parser.DropFabricatedResult
}

// close ends the reply.
func (d *reader) close() parser.Reply {
	if rest := d.raw[d.fed:]; len(rest) > 0 {
		d.tell(d.parser.Feed(d.events[:0], rest))
	}
	events, reply := d.parser.Close(d.events[:0], d.finish)
	d.tell(events)
	if n := len(reply.Dropped); n > 0 && d.stops() {
		reply.Dropped[n-1].Span.End = len(d.raw)
	}
	return reply
}

// tell passes the parser's events on, which all come of one piece of the reply. They are valid until its next call only, so all that is
// kept is copied.
func (d *reader) tell(events []parser.Event) {
	if len(events) == 0 {
		return
	}
	now := time.Now()
	for i := range events {
		e := &events[i]
		d.madeUp = d.madeUp || fabricated(*e)
		name := d.nameOf(e)
		if !d.ledger.enter(e, name) {
			continue
		}
		out := Event{Name: name}
		if e.RequestID != "" {
			out.RequestID = d.requestID(e.RequestID)
		}
		switch e.Kind {
		case parser.EventText:
			out.Kind, out.Text = EventText, string(e.Data)
		case parser.EventReasoning:
			out.Kind, out.Text = EventReasoning, string(e.Data)
		case parser.EventRequestStarted:
			out.Kind = EventRequestStarted
		case parser.EventArgumentDelta:
			out.Kind, out.Text = EventArgumentDelta, string(e.Data)
		case parser.EventArgumentVoided:
			out.Kind = EventArgumentVoided
		case parser.EventRequestDone:
			out.Kind, out.Request = EventRequestDone, e.Request
		case parser.EventReclassified:
			out.Kind = EventReclassified
		case parser.EventDropped:
			out.Kind, out.Text, out.Reason = EventDropped, string(e.Data), e.Reason
		case parser.EventNotice:
			out.Kind, out.Notice = EventNotice, e.Notice
		case parser.EventError:
			out.Kind, out.Err = EventProtocolError, e.Err
		default:
			continue
		}
		d.run.emitAt(now, out)
	}
	d.events = events[:0]
}

// nameOf returns the name in an event as text.
func (d *reader) nameOf(e *parser.Event) string {
	last := &d.argument
	if e.Kind == parser.EventRequestStarted {
		last = &d.tool
	}
	if len(e.Name) > 0 && *last != string(e.Name) {
		*last = string(e.Name)
	}
	return (*last)[:len(e.Name)]
}

// requestID returns the engine's id for the parser's. Most events are of the same request as the one before.
func (d *reader) requestID(ordinal string) string {
	if d.ordinal != ordinal {
		d.ordinal, d.id = ordinal, requestID(d.number, ordinal)
	}
	return d.id
}

// danglingBytes returns how many bytes at the end of text are the beginning of a character that is not complete.
func danglingBytes(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

// without returns the reply without what must not come before the model again.
func without(raw string, spans []parser.Span) string {
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

func addUsage(a, b *Usage) *Usage {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	return &Usage{PromptTokens: a.PromptTokens + b.PromptTokens, CompletionTokens: a.CompletionTokens + b.CompletionTokens}
}

func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}
