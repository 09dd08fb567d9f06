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

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// reader reads the replies of a run one after the other, while the model writes them. It reads a
// reply in several parts if the token limit truncated it in a request.
type reader struct {
	base       *runBase
	spent      *spent
	number     int // the number of the reply in its session
	parser     *parser.Parser
	events     []parser.Event // reused buffer
	raw        []byte         // the reply as the model wrote it
	fed        int            // how much of raw has been parsed; the rest is an incomplete character
	reasoning  strings.Builder
	finish     protocol.FinishReason
	finished   bool
	fabricated bool // the reply contains a result that the model fabricated
	failed     bool // the protocol failed, so the whole reply is text
	usage      *Usage
	calls      []protocol.ToolCall
	size       replySize
	overlap    overlap
	err        error // the error of the model, or the cause of the context's end
	emitting   bool  // a delta is being processed, so a panic is not the model's

	tool, argument string // cache of nameOf, because most events have the name of the event before
	ordinal, id    string // cache of requestID
}

// readers are reused by later runs, because a new reader costs more than reading a short reply.
var readers = sync.Pool{New: func() any { return &reader{parser: &parser.Parser{}} }}

// maxKeptReply limits the capacity of raw in a reader that is reused, in bytes.
const maxKeptReply = 64 << 10

// release puts the reader back into the pool, unless its buffer is too long.
func (r *reader) release() {
	if cap(r.raw) <= maxKeptReply {
		clear(r.events[:cap(r.events)]) // they refer to the reply
		r.base, r.spent = nil, nil
		r.reset()
		readers.Put(r)
	}
}

// reset clears the reader and keeps its buffers.
func (r *reader) reset() {
	*r = reader{
		base: r.base, spent: r.spent, parser: r.parser, events: r.events[:0], raw: r.raw[:0],
		tool: r.tool, argument: r.argument,
	}
}

// next prepares the reader for a reply. earlier is the number of replies before the run.
func (r *reader) next(earlier int) {
	r.reset()
	r.number = r.base.session.nextReply(earlier)
	r.size.limit = r.base.settings.config.MaxReplyBytes
}

// begin prepares the parser for the text of the reply.
func (r *reader) begin() error {
	if err := r.parser.Reset(r.base.settings.protocol, r.base.reading); err != nil {
		return fmt.Errorf("engine: reading a reply: %w", err)
	}
	return nil
}

// stream makes the model write until its reply ends. It adds the cost to r.usage and, if
// Config.MaxTokens is set, to r.spent.
func (r *reader) stream(req ModelRequest) error {
	base := r.base
	earlierUsage := r.usage // of the earlier parts of the reply
	r.usage = nil
	rawStart, reasoningStart := len(r.raw), r.reasoning.Len()
	err := r.readDeltas(req)
	if base.settings.config.MaxTokens > 0 {
		written := protocol.Message{Content: string(r.raw[rawStart:]), ToolCalls: r.calls}
		r.spent.add(base.session.engine.tokenCounter(), &req, r.usage, &written, r.reasoning.String()[reasoningStart:])
	}
	r.usage = addUsage(earlierUsage, r.usage)
	if r.finished && err != nil {
		// The reply has ended; a later failure of the connection changes nothing.
		if base.ctx.Err() == nil {
			base.session.engine.options.Logger.WarnContext(base.ctx, "model failed after its reply had ended",
				slog.String("session", base.session.id), slog.Int("iteration", base.iterationNumber), slog.Any("error", err))
		}
		err = nil
	}
	return err
}

// readDeltas reads deltas until the reply ends, the model fails or the run ends. A panic of the
// model becomes an error. A panic of the code that receives the events is not recovered.
func (r *reader) readDeltas(req ModelRequest) (err error) {
	r.err, r.emitting = nil, false
	defer func() {
		if r.emitting {
			return
		}
		if p := recover(); p != nil {
			err = &ModelPanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	for delta, err := range r.base.session.engine.options.Model.Stream(r.base.ctx, req) {
		if r.err = err; err != nil {
			break
		}
		r.emitting = true
		more := r.takeDelta(&delta)
		r.emitting = false
		if !more {
			break
		}
	}
	return r.err
}

// takeDelta processes one piece of the reply and reports whether the reader wants more. If a piece
// exceeds the limit on the reply's size, the excess and the finish reason are dropped.
func (r *reader) takeDelta(delta *Delta) (more bool) {
	base := r.base
	if delta.Usage != nil {
		r.usage = delta.Usage
	}
	if !r.finished {
		r.takePieces(delta)
	}
	if delta.Finished && !r.size.over {
		r.setFinish(protocol.ParseFinishReason(string(delta.Finish)))
	}
	if base.ctx.Err() != nil {
		r.err = context.Cause(base.ctx)
		return false
	}
	if r.stopped() {
		r.finished, r.finish = true, protocol.FinishStop
		return false
	}
	return !r.size.over
}

// takePieces processes the text, reasoning and native calls of a delta.
func (r *reader) takePieces(delta *Delta) {
	if reasoning := r.size.takeText(delta.Reasoning); reasoning != "" {
		r.reasoning.WriteString(reasoning)
		r.base.emit(Event{Kind: EventReasoning, Text: reasoning})
	}
	if text := r.size.takeText(delta.Text); text != "" {
		r.feed(r.overlap.skipRepeated(text))
	}
	r.takeCalls(delta)
}

// takeCalls processes the native calls of a delta.
func (r *reader) takeCalls(delta *Delta) {
	if part := delta.CallPart; part != nil && r.size.takePart(part) {
		id := r.requestID(callOrdinal(part.Index))
		if part.Name != "" {
			r.base.emit(Event{Kind: EventRequestStarted, RequestID: id, Name: part.Name})
		}
		if part.Arguments != "" {
			r.base.emit(Event{Kind: EventArgumentDelta, RequestID: id, Text: part.Arguments})
		}
	}
	if delta.Call != nil && r.size.takeCall(delta.Call) {
		r.calls = append(r.calls, *delta.Call)
	}
}

// callOrdinal returns the ordinal of the native call with that index, such as "c1". The parser
// gives ordinals to requests in text. An ordinal is part of the id of a request.
func callOrdinal(index int) string { return "c" + strconv.Itoa(index+1) }

// setFinish sets the finish reason. If it was set to another reason before, it becomes unknown.
func (r *reader) setFinish(reason protocol.FinishReason) {
	if r.finished && r.finish != reason {
		reason = protocol.FinishUnknown
	}
	r.finished, r.finish = true, reason
}

// feed adds a piece of text to the reply, and parses the reply up to the last whole character.
func (r *reader) feed(written string) {
	if written == "" || r.stopped() {
		return
	}
	r.raw = append(r.raw, written...)
	piece := text.WholeRunes(r.raw[r.fed:])
	r.fed += len(piece)
	work.Add(len(piece))
	r.emit(r.parser.Feed(r.events[:0], piece))
}

// stopped reports whether the rest of the reply is unwanted, because the parser has found a
// fabricated result. With native calls the reply is read to its end, because they come only there.
func (r *reader) stopped() bool { return r.fabricated && !r.base.native }

// close ends the reply. It returns the last events without emitting them, because they are wrong
// if the reply is continued.
func (r *reader) close() ([]parser.Event, parser.Reply) {
	if rest := r.raw[r.fed:]; len(rest) > 0 {
		r.fed += len(rest)
		r.emit(r.parser.Feed(r.events[:0], rest))
	}
	return r.parser.Close(r.events[:0], r.finish)
}

// emit emits the parser's events and copies their data, which the next call of the parser changes.
func (r *reader) emit(events []parser.Event) {
	if len(events) == 0 {
		return
	}
	now := time.Now()
	for i := range events {
		e := &events[i]
		r.fabricated = r.fabricated || e.Kind == parser.EventDropped && e.Reason == parser.DropFabricatedResult
		r.failed = r.failed || e.Kind == parser.EventError
		out := Event{
			Kind: kindOf[e.Kind], Name: r.nameOf(e), Text: string(e.Data),
			Request: e.Request, Reason: e.Reason, Notice: e.Notice, Err: e.Err,
		}
		if e.RequestID != "" {
			out.RequestID = r.requestID(e.RequestID)
		}
		r.base.emitAt(now, out)
	}
	r.events = events[:0]
}

// kindOf contains the engine's kind for each kind of the parser's events. It omits
// parser.EventReply, because only the function parser.Events yields that, and the engine does not
// use it.
var kindOf = [...]EventKind{
	parser.EventText:           EventText,
	parser.EventReasoning:      EventReasoning,
	parser.EventRequestStarted: EventRequestStarted,
	parser.EventArgumentDelta:  EventArgumentDelta,
	parser.EventRequestDone:    EventRequestDone,
	parser.EventDropped:        EventDropped,
	parser.EventReclassified:   EventReclassified,
	parser.EventArgumentVoided: EventArgumentVoided,
	parser.EventNotice:         EventNotice,
	parser.EventError:          EventProtocolError,
}

// nameOf returns the name in an event as a string.
func (r *reader) nameOf(e *parser.Event) string {
	cached := &r.argument
	if e.Kind == parser.EventRequestStarted {
		cached = &r.tool
	}
	if len(e.Name) > 0 && *cached != string(e.Name) {
		*cached = string(e.Name)
	}
	return (*cached)[:len(e.Name)] // "" if the event has no name
}

// requestID returns the engine's id of the request with that ordinal. It caches the last id,
// because most events belong to the same request as the event before.
func (r *reader) requestID(ordinal string) string {
	if r.ordinal != ordinal {
		r.ordinal, r.id = ordinal, requestID(r.number, ordinal, r.base.session.suffix)
	}
	return r.id
}
