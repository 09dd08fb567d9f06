package model

import (
	"cmp"
	"encoding/json"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/protocol"
)

// A replyReader turns the values of one reply into deltas.
type replyReader struct {
	secrets   *secrets
	native    bool           // the request has definitions of tools, so native calls are allowed
	field     string         // one more member that contains reasoning; "" for none
	deltas    []engine.Delta // the pieces of the last value
	begun     bool           // some value had a choice
	finished  bool           // a finish reason was seen
	finish    protocol.FinishReason
	calls     nativeCalls
	reasoning reasoningReader
}

func newReplyReader(s *secrets, p *Preset, tools *toolDefinitions) *replyReader {
	return &replyReader{
		secrets: s, native: tools != nil, field: p.Reasoning.Field,
		calls: nativeCalls{fullName: tools.fullName}, reasoning: newReasoningReader(&p.Reasoning),
	}
}

// read reads one value and sets deltas.
func (r *replyReader) read(value []byte) error {
	r.deltas = r.deltas[:0]
	work.Add(len(value))
	var v chunk
	if err := json.Unmarshal(value, &v); err != nil {
		return r.noPart(value, err)
	}
	if isError(v.Error) {
		return serverError(r.secrets, value)
	}
	var reasons finishReasons
	for i := range v.Choices {
		c := &v.Choices[i]
		if c.Index != 0 {
			continue // only one choice was requested
		}
		r.begun = true
		afterFinish := r.finished || len(reasons) > 0
		reasons = append(reasons, c.FinishReason...)
		if afterFinish {
			continue
		}
		for _, piece := range []json.RawMessage{c.Delta, c.Message} {
			if err := r.add(piece); err != nil {
				return err
			}
		}
	}
	if err := r.end(reasons); err != nil {
		return err
	}
	if usage := readUsage(v.Usage); usage != nil {
		r.deltas = append(r.deltas, engine.Delta{Usage: usage})
	}
	return nil
}

// noPart returns the fault for a value that cannot be part of a reply.
func (r *replyReader) noPart(value []byte, err error) error {
	f := faultf(KindResponse, "sent a piece that is not part of a reply: %s", quote(r.secrets, value))
	f.err = err
	return f
}

// add adds the content of a choice, which is a piece of the reply or all of it.
func (r *replyReader) add(piece json.RawMessage) error {
	if len(piece) == 0 {
		return nil
	}
	work.Add(len(piece))
	var c content
	if err := json.Unmarshal(piece, &c); err != nil {
		return r.noPart(piece, err)
	}
	if r.field != "" {
		work.Add(len(piece))
		var members map[string]json.RawMessage
		var reasoning string
		_ = json.Unmarshal(piece, &members)
		_ = json.Unmarshal(members[r.field], &reasoning) // a member that is not text is not reasoning
		r.addReasoning(reasoning)
	}
	r.addReasoning(cmp.Or(c.ReasoningContent, c.Reasoning))
	if text := cmp.Or(string(c.Content), c.Refusal); text != "" {
		r.addDelta(r.reasoning.read(text))
	}
	for i := range c.ToolCalls {
		part, err := r.calls.add(&c.ToolCalls[i])
		if err != nil {
			return err
		}
		if r.native && (part.Name != "" || part.Arguments != "") {
			r.deltas = append(r.deltas, engine.Delta{CallPart: &part})
		}
	}
	return nil
}

// addReasoning adds reasoning from a separate member of the value.
func (r *replyReader) addReasoning(reasoning string) {
	if reasoning != "" {
		r.addDelta(r.reasoning.skip())
		r.deltas = append(r.deltas, engine.Delta{Reasoning: reasoning})
	}
}

func (r *replyReader) addDelta(d engine.Delta) {
	if d.Text != "" || d.Reasoning != "" {
		r.deltas = append(r.deltas, d)
	}
}

// end reads the finish reasons of a value. If the finish reasons of a reply differ, the reply has
// no finish reason.
func (r *replyReader) end(reasons []string) error {
	finish, hasReason := protocol.FinishUnknown, false
	for _, word := range reasons {
		reason := protocol.ParseFinishReason(word)
		switch {
		case reason == protocol.FinishUnknown:
			continue
		case reason == "error" && !r.finished:
			f := faultf(KindServer, "reports an error in the middle of the reply, and no reason")
			f.temporary = true
			return f
		case !reason.Complete() && reason != protocol.FinishLength:
			reason = protocol.FinishReason(r.secrets.Line(string(reason), maxID)) // the server's own word
		}
		if hasReason && reason != finish {
			reason = protocol.FinishUnknown
		}
		finish, hasReason = reason, true
	}
	switch {
	case !hasReason || r.finished && finish == r.finish:
		return nil
	case r.finished: // another Finished delta tells the engine that the reasons differ
		r.finish = protocol.FinishUnknown
		r.deltas = append(r.deltas, engine.Delta{Finished: true})
		return nil
	}
	calls := r.calls.all()
	if len(calls) > 0 && !r.native {
		return faultf(KindResponse,
			"made a native call of %q, but was offered no tools; tools are called in the text of a reply here",
			calls[0].Name)
	}
	r.finished, r.finish = true, finish
	r.addDelta(r.reasoning.end(finish))
	for _, call := range calls {
		r.deltas = append(r.deltas, engine.Delta{Call: &call})
	}
	r.deltas = append(r.deltas, engine.Delta{Finish: finish, Finished: true})
	return nil
}
