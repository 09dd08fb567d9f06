package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"net/http"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/protocol"
)

// usageWait bounds the wait for what follows a finish reason: the reply is complete, and some servers keep the connection open.
const usageWait = time.Second

// Stream implements engine.Model. Every error is an *Error. A connection that ends cleanly, without a finish reason, is no error:
// the sequence ends without a Finished delta.
//
// A request that fails before the first delta is sent again, as Options say; after it, never.
func (c *Client) Stream(ctx context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		ctx, cancel := c.within(ctx)
		defer cancel()
		name, err := c.Name(ctx)
		if err != nil {
			yield(engine.Delta{}, err)
			return
		}
		o, err := c.offerFor(req)
		if err != nil {
			yield(engine.Delta{}, c.fail(ctx, "chat", &exchange{client: c}, err))
			return
		}
		preset := c.presetFor(name)
		send := c.request(name, &preset, o, req)
		if err := c.persist(ctx, "chat", func() attempt { return c.stream(ctx, name, send, o, yield) }); err != nil {
			yield(engine.Delta{}, err)
		}
	}
}

// stream sends the request once and yields its reply. Where yield breaks off, it is as if the reply had ended there.
func (c *Client) stream(
	ctx context.Context, name string, req openai.ChatCompletionRequest, o *offer, yield func(engine.Delta, error) bool,
) (a attempt) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	x := &exchange{client: c, patience: newPatience(c.idle, cancel)}
	defer x.patience.stop()
	preset := c.presetFor(name)
	config := *c.config
	config.HTTPClient = x
	// The event reader lets only data lines through, so the library's count of other lines never grows.
	stream, err := openai.NewClientWithConfig(config).CreateChatCompletionStream(ctx, req)
	if err != nil {
		a.err = c.refused(ctx, name, x, err)
		return a
	}
	defer func() { _ = stream.Close() }()

	enough := time.AfterFunc(math.MaxInt64, func() { cancel(nil) })
	defer enough.Stop()
	r := reading{hide: c.secrets, offer: o, join: join{name: o.fullName}, lift: newLift(&preset.Reasoning), field: preset.Reasoning.Field}
	for {
		line, err := stream.RecvRaw()
		if err == nil {
			err = r.take(line)
		}
		switch {
		case err != nil && r.finished, errors.Is(err, io.EOF) && r.begun:
			// After a finish reason the reply is complete, whatever becomes of the connection.
			return a
		case errors.Is(err, io.EOF):
			a.err = c.fail(ctx, "chat", x, &bodyError{kind: KindAnswer, message: "sent no reply in its answer", temporary: r.values == 0})
			return a
		case err != nil:
			a.err = c.fail(ctx, "chat", x, err)
			return a
		}
		if r.over && !r.finished {
			r.finished, a.finished = true, true
			enough.Reset(usageWait)
		}
		for _, d := range r.deltas {
			if a.delivered = true; d.Usage == nil {
				x.body.empty = 0
			}
			if !yield(d, nil) {
				return a
			}
		}
	}
}

// refused tells of a request that got no reply. A server that does not have the model says so in many ways, and most do not name
// those that it has.
func (c *Client) refused(ctx context.Context, name string, x *exchange, err error) *Error {
	e := c.fail(ctx, "chat", x, err)
	if ctx.Err() != nil || x.status != http.StatusNotFound && errorCode(x.errorBody) != "model_not_found" {
		return e
	}
	names, err := c.Models(ctx)
	if err != nil {
		return e
	}
	for _, have := range names {
		if have == name {
			return e
		}
	}
	choice := c.choices(name, names)
	choice.Op, choice.Status = e.Op, e.Status
	return choice
}

// A chunk is one value of an answer: a piece of a streamed reply, or a whole one from a server that does not stream.
type chunk struct {
	Error   json.RawMessage `json:"error"`
	Usage   json.RawMessage `json:"usage"`
	Choices choices         `json:"choices"`
}

// choices are at most maxChoices: one was asked for.
type choices []choice

type choice struct {
	Index        int         `json:"index"`
	Delta        content     `json:"delta"`
	Message      content     `json:"message"`
	FinishReason finishWords `json:"finish_reason"`
}

// finishWords are the finish reasons of one choice: one, or as many as the value has members of that name.
type finishWords []string

// UnmarshalJSON reads one more.
func (w *finishWords) UnmarshalJSON(raw []byte) error {
	var word string
	err := json.Unmarshal(raw, &word)
	*w = append(*w, word)
	return err
}

type content struct {
	Content          speech           `json:"content"`
	ReasoningContent string           `json:"reasoning_content"`
	Reasoning        string           `json:"reasoning"` // as some servers spell it
	Refusal          string           `json:"refusal"`
	ToolCalls        array[callPiece] `json:"tool_calls"`
}

// speech is what a model says: a text or, as some servers have it, a list of parts, of which those that are text count.
type speech string

// UnmarshalJSON reads either form.
func (s *speech) UnmarshalJSON(raw []byte) error {
	if !bytes.HasPrefix(raw, []byte("[")) {
		return json.Unmarshal(raw, (*string)(s))
	}
	var parts array[struct{ Type, Text, Refusal string }]
	if err := json.Unmarshal(raw, &parts); err != nil {
		return err
	}
	var whole strings.Builder
	for _, p := range parts {
		switch p.Type {
		case "text", "":
			whole.WriteString(p.Text)
		case "refusal":
			whole.WriteString(p.Refusal)
		}
	}
	*s = speech(whole.String())
	return nil
}

// How many choices one value may hold, and how many items any other array in it: an item may take a hundred times the
// memory of its text.
const (
	maxChoices = 16
	maxItems   = 4096
)

// UnmarshalJSON refuses more than maxChoices.
func (c *choices) UnmarshalJSON(raw []byte) error { return readArray((*[]choice)(c), raw, maxChoices) }

// array is a JSON array of at most maxItems.
type array[Item any] []Item

// UnmarshalJSON refuses more than maxItems.
func (a *array[Item]) UnmarshalJSON(raw []byte) error { return readArray((*[]Item)(a), raw, maxItems) }

// readArray reads a JSON array, and refuses a longer one before its items take memory.
func readArray[Item any](to *[]Item, raw []byte, most int) error {
	work.Add(len(raw))
	if !bytes.HasPrefix(raw, []byte("[")) {
		return json.Unmarshal(raw, to)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return err
	}
	*to = nil
	for d.More() {
		if len(*to) == most {
			return fmt.Errorf("an array holds more than %d items", most)
		}
		var item Item
		if err := d.Decode(&item); err != nil {
			return err
		}
		*to = append(*to, item)
	}
	return nil
}

// reading is the state of one reply.
type reading struct {
	hide     *secrets
	deltas   []engine.Delta // what the last value gave
	values   int            // that were read
	begun    bool           // the reply has begun: some value had a choice
	over     bool           // a finish reason was seen,
	finish   protocol.FinishReason
	finished bool // and what follows it is awaited
	offer    *offer
	join     join
	lift     lift
	field    string // one more member that holds reasoning
}

// take reads one value.
func (r *reading) take(line []byte) error {
	r.deltas = r.deltas[:0]
	r.values++
	work.Add(len(line))
	var v chunk
	if err := json.Unmarshal(line, &v); err != nil {
		return noPart(r.hide, line, err)
	}
	if reported(v.Error) {
		return serverError(r.hide, line)
	}
	others := r.others(line)
	var words finishWords
	for i := range v.Choices {
		choice := &v.Choices[i]
		if choice.Index != 0 {
			continue // only one was asked for
		}
		r.begun = true
		over := r.over || len(words) > 0
		words = append(words, choice.FinishReason...)
		if over {
			continue
		}
		if i < len(others) && others[i] != "" {
			r.lift.apart()
			r.give(engine.Delta{Reasoning: others[i]})
		}
		for _, p := range []*content{&choice.Delta, &choice.Message} {
			if err := r.piece(p); err != nil {
				return err
			}
		}
	}
	if err := r.end(words); err != nil {
		return err
	}
	if usage := usageOf(v.Usage); usage != nil {
		r.deltas = append(r.deltas, engine.Delta{Usage: usage})
	}
	return nil
}

func (r *reading) piece(p *content) error {
	reasoning := p.ReasoningContent
	if reasoning == "" {
		reasoning = p.Reasoning
	}
	if reasoning != "" {
		r.lift.apart()
		r.deltas = append(r.deltas, engine.Delta{Reasoning: reasoning})
	}
	text := string(p.Content)
	if text == "" {
		text = p.Refusal
	}
	if text != "" {
		r.give(r.lift.take(text))
	}
	for i := range p.ToolCalls {
		part, err := r.join.piece(&p.ToolCalls[i])
		if err != nil {
			return err
		}
		if r.offer != nil && (part.Name != "" || part.Arguments != "") {
			r.deltas = append(r.deltas, engine.Delta{CallPart: &part})
		}
	}
	return nil
}

// others returns what each choice of a value says in the member that the preset names for reasoning.
func (r *reading) others(line []byte) []string {
	if r.field == "" {
		return nil
	}
	work.Add(len(line))
	var v struct {
		Choices array[struct {
			Delta   map[string]json.RawMessage `json:"delta"`
			Message map[string]json.RawMessage `json:"message"`
		}] `json:"choices"`
	}
	if json.Unmarshal(line, &v) != nil {
		return nil
	}
	texts := make([]string, len(v.Choices))
	for i, c := range v.Choices {
		var text, whole string
		_ = json.Unmarshal(c.Delta[r.field], &text) // what is no text is no reasoning
		_ = json.Unmarshal(c.Message[r.field], &whole)
		texts[i] = text + whole
	}
	return texts
}

func (r *reading) give(d engine.Delta) {
	if d.Text != "" || d.Reasoning != "" {
		r.deltas = append(r.deltas, d)
	}
}

// end takes the finish reasons of a value. Its text comes before them, as a delta of its own. If the reasons of a reply differ, no reason
// could be believed, and the reply ends without one.
func (r *reading) end(words []string) error {
	var finish protocol.FinishReason
	known := false
	for _, word := range words {
		reason := protocol.ParseFinishReason(word)
		switch {
		case reason == protocol.FinishUnknown:
			continue
		case reason == "error" && !r.over:
			return &bodyError{kind: KindServer, message: "reports an error in the middle of the reply, and no reason", temporary: true}
		case !reason.Complete() && reason != protocol.FinishLength:
			reason = protocol.FinishReason(r.hide.Line(string(reason), maxID))
		}
		if known && reason != finish {
			reason = protocol.FinishUnknown
		}
		finish, known = reason, true
	}
	switch {
	case !known, r.over && finish == r.finish:
		return nil
	case r.over:
		r.finish = protocol.FinishUnknown
		r.deltas = append(r.deltas, engine.Delta{Finished: true})
		return nil
	}
	calls := r.join.whole()
	if len(calls) > 0 && r.offer == nil {
		return &bodyError{kind: KindAnswer, message: fmt.Sprintf(
			"answered with a native call of %q, which it was not offered; tools are called in the text of a reply here", calls[0].Name)}
	}
	r.over, r.finish = true, finish
	r.give(r.lift.end(finish))
	for _, call := range calls {
		r.deltas = append(r.deltas, engine.Delta{Call: &call})
	}
	r.deltas = append(r.deltas, engine.Delta{Finish: finish, Finished: true})
	return nil
}
