package engine

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// reader reads the replies of a run one after the other, while the model writes them. It reads a
// reply in several parts if the token limit truncated it in a request.
type reader struct {
	base      *runBase
	spent     *spent
	number    int // of the reply in its session
	parser    *parser.Parser
	events    []parser.Event // reused buffer
	raw       []byte
	fed       int // how much of raw has been parsed; the rest is an incomplete character
	reasoning strings.Builder
	finish    protocol.FinishReason
	finished  bool
	// fabricated is set if the reply contains a result that the model fabricated.
	fabricated bool
	failed     bool // the protocol failed, so the whole reply is text
	usage      *Usage
	calls      []protocol.ToolCall
	size       replySize
	overlap    overlap
	err        error // of the model, or the cause of the context's end
	emitting   bool  // a delta is taken and its events are emitted

	tool, argument string // cache of nameOf, because most events have the name of the one before
	ordinal, id    string // cache of requestID
}

// readers are reused by later runs, because a new reader costs more than reading a short reply.
var readers = sync.Pool{New: func() any { return &reader{parser: &parser.Parser{}} }}

// maxKeptReply limits the buffer of a reader that is reused, in bytes.
const maxKeptReply = 64 << 10

// release returns the reader to the pool, unless its buffer is too long.
func (d *reader) release() {
	if cap(d.raw) <= maxKeptReply {
		clear(d.events[:cap(d.events)])
		d.base, d.spent = nil, nil
		d.reset()
		readers.Put(d)
	}
}

// reset clears the reader and keeps its buffers.
func (d *reader) reset() {
	*d = reader{
		base: d.base, spent: d.spent, parser: d.parser, events: d.events[:0], raw: d.raw[:0], tool: d.tool, argument: d.argument,
	}
}

// next prepares the reader for a reply with a number above earlier.
func (d *reader) next(earlier int) {
	d.reset()
	d.number = d.base.session.nextReply(earlier)
	d.size.limit = d.base.settings.config.MaxReplyBytes
}

// begin prepares the parser for the text of the reply.
func (d *reader) begin() error {
	d.raw, d.fed = d.raw[:0], 0
	reading := d.base.settings.reading
	reading.TakesArgument = d.base.session.takesArgument
	reading.StopAtResult = !d.base.native // native calls come only at the end of a reply
	if err := d.parser.Reset(d.base.settings.protocol, reading); err != nil {
		return fmt.Errorf("engine: reading a reply: %w", err)
	}
	return nil
}

// stream makes the model write until its reply is complete, and adds the cost.
func (d *reader) stream(req ModelRequest) error {
	r := d.base
	before := d.usage
	d.usage = nil
	raw, reasoning := len(d.raw), d.reasoning.Len()
	err := d.readDeltas(req)
	if r.settings.config.MaxTokens > 0 {
		written := protocol.Message{Content: string(d.raw[raw:]), ToolCalls: d.calls}
		d.spent.add(r.session.engine, &req, d.usage, &written, d.reasoning.String()[reasoning:])
	}
	d.usage = addUsage(before, d.usage)
	if d.finished && err != nil {
		// The reply is complete; a later failure of the connection changes nothing.
		if r.ctx.Err() == nil {
			r.log().LogAttrs(r.ctx, slog.LevelWarn, "model failed after its reply was complete", slog.Any("error", err))
		}
		err = nil
	}
	return err
}

// readDeltas reads deltas until the reply ends, the model fails or the run ends. A panic of the
// model is an error; a panic of the receiver of events is not recovered.
func (d *reader) readDeltas(req ModelRequest) (err error) {
	d.err, d.emitting = nil, false
	defer func() {
		if d.emitting {
			return
		}
		if p := recover(); p != nil {
			err = &ModelPanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	for delta, err := range d.base.session.engine.options.Model.Stream(d.base.ctx, req) {
		if d.err = err; err != nil {
			break
		}
		d.emitting = true
		more := d.delta(&delta)
		d.emitting = false
		if !more {
			break
		}
	}
	return d.err
}

// delta takes one piece of the reply and reports whether the reader wants more. If a piece exceeds
// the limit on the reply's size, the excess and its finish reason are dropped.
func (d *reader) delta(delta *Delta) (more bool) {
	r := d.base
	if delta.Usage != nil {
		d.usage = delta.Usage
	}
	if !d.finished {
		d.pieces(delta)
	}
	if delta.Finished && !d.size.over {
		d.setFinish(protocol.ParseFinishReason(string(delta.Finish)))
	}
	if r.ctx.Err() != nil {
		d.err = context.Cause(r.ctx)
		return false
	}
	if d.stopped() {
		d.finished, d.finish = true, protocol.FinishStop
		return false
	}
	return !d.size.over
}

// pieces takes the text, reasoning and calls of a delta.
func (d *reader) pieces(delta *Delta) {
	if reasoning := d.size.take(delta.Reasoning); reasoning != "" {
		d.reasoning.WriteString(reasoning)
		d.base.emit(Event{Kind: EventReasoning, Text: reasoning})
	}
	if text := d.size.take(delta.Text); text != "" {
		d.feed(d.overlap.skipRepeated(text))
	}
	d.native(delta)
}

// native takes the native calls of a delta.
func (d *reader) native(delta *Delta) {
	if part := delta.CallPart; part != nil && d.size.part(part) {
		id := d.requestID(callOrdinal(part.Index))
		if part.Name != "" {
			d.base.emit(Event{Kind: EventRequestStarted, RequestID: id, Name: part.Name})
		}
		if part.Arguments != "" {
			d.base.emit(Event{Kind: EventArgumentDelta, RequestID: id, Text: part.Arguments})
		}
	}
	if delta.Call != nil && d.size.call(delta.Call) {
		d.calls = append(d.calls, *delta.Call)
	}
}

// callOrdinal returns the counterpart of the ordinal that the parser gives to a request in text.
func callOrdinal(index int) string { return "c" + strconv.Itoa(index+1) }

// setFinish takes a finish reason. Two different reasons make the reason unknown.
func (d *reader) setFinish(reason protocol.FinishReason) {
	if d.finished && d.finish != reason {
		reason = protocol.FinishUnknown
	}
	d.finished, d.finish = true, reason
}

// feed parses a piece of text up to the last whole character.
func (d *reader) feed(text string) {
	if text == "" || d.stopped() {
		return
	}
	d.raw = append(d.raw, text...)
	piece := d.raw[d.fed : len(d.raw)-danglingBytes(d.raw[d.fed:])]
	d.fed += len(piece)
	work.Add(len(piece))
	d.emit(d.parser.Feed(d.events[:0], piece))
}

// stopped reports whether the rest of the reply is unwanted, because the parser has found a
// fabricated result.
func (d *reader) stopped() bool { return d.fabricated && !d.base.native }

// close ends the reply. It returns the last events without emitting them, because they are wrong
// if the reply is continued.
func (d *reader) close() ([]parser.Event, parser.Reply) {
	if rest := d.raw[d.fed:]; len(rest) > 0 {
		d.fed += len(rest)
		d.emit(d.parser.Feed(d.events[:0], rest))
	}
	return d.parser.Close(d.events[:0], d.finish)
}

// emit emits the parser's events. They are valid until the next call of the parser, so everything
// that is kept is copied.
func (d *reader) emit(events []parser.Event) {
	if len(events) == 0 {
		return
	}
	now := time.Now()
	for i := range events {
		e := &events[i]
		d.fabricated = d.fabricated || e.Kind == parser.EventDropped && e.Reason == parser.DropFabricatedResult
		out := Event{Name: d.nameOf(e)}
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
			d.failed, out.Kind, out.Err = true, EventProtocolError, e.Err
		default:
			continue
		}
		d.base.emitAt(now, out)
	}
	d.events = events[:0]
}

// nameOf returns the name in an event as a string.
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

// requestID returns the engine's id for the parser's. It caches one, because most events belong to
// the request of the one before.
func (d *reader) requestID(ordinal string) string {
	if d.ordinal != ordinal {
		d.ordinal, d.id = ordinal, d.base.session.requestID(d.number, ordinal)
	}
	return d.id
}

// danglingBytes returns how many bytes at the end of text belong to an incomplete character.
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
