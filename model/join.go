package model

import (
	"crypto/rand"
	"encoding/json"
	"fmt"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

// Limits of the native calls of one reply: those of requests in text.
const (
	maxCalls     = 64
	maxArguments = 4 << 20  // bytes of the arguments of one call
	maxCallBytes = 16 << 20 // bytes of all calls: ids, names and arguments
)

// A callPiece is a part of a native call, as servers send it.
type callPiece struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name string `json:"name"`
		// Arguments are a piece of JSON text, in a JSON string. Some servers send the object itself, whole.
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// join puts the pieces of native calls together. By the API a piece belongs to the call of its index, whose first piece has its id and
// name; servers also leave out the index, give every call the same one, repeat the id and the name with each piece, or make up an id for
// each piece.
type join struct {
	calls []openCall
	bytes int         // of all calls
	last  int         // the call of the last piece
	at    map[int]int // indexes to the call of the last piece that had it
	name  func(string) string
}

type openCall struct {
	index     *int   // of its first piece
	id, wire  string // wire is the name as the server has it
	arguments jsonText
}

// piece takes one piece and returns it as the engine is shown it.
func (j *join) piece(p *callPiece) (engine.CallPart, error) {
	arguments := argumentText(p.Function.Arguments)
	at := j.place(p)
	if at < 0 {
		if len(j.calls) == maxCalls {
			return engine.CallPart{}, &bodyError{kind: KindAnswer, message: fmt.Sprintf("makes more than %d native calls in one reply", maxCalls)}
		}
		at = len(j.calls)
		j.calls = append(j.calls, openCall{index: p.Index})
	}
	if j.last = at; p.Index != nil {
		if j.at == nil {
			j.at = map[int]int{}
		}
		j.at[*p.Index] = at
	}
	c := &j.calls[at]
	part := engine.CallPart{Index: at, Arguments: arguments}
	if j.bytes += len(p.ID) + len(p.Function.Name) + len(arguments); j.bytes > maxCallBytes {
		return part, &bodyError{kind: KindAnswer, message: fmt.Sprintf("makes native calls of more than %d bytes in one reply", maxCallBytes)}
	}
	if c.id == "" {
		c.id = p.ID
	}
	if c.wire == "" && p.Function.Name != "" {
		c.wire = p.Function.Name
		part.Name = j.name(c.wire)
	}
	if len(c.arguments.text)+len(arguments) > maxArguments {
		return part, &bodyError{kind: KindAnswer, message: fmt.Sprintf("makes a native call with more than %d bytes of arguments", maxArguments)}
	}
	c.arguments.add(arguments)
	return part, nil
}

// place returns which call a piece belongs to; -1 is a new one.
func (j *join) place(p *callPiece) int {
	at, ok := j.withID(p)
	if !ok {
		at, ok = j.last, len(j.calls) > 0
		if p.Index != nil {
			at, ok = j.at[*p.Index]
		}
	}
	if !ok || j.calls[at].over(p) {
		return -1
	}
	return at
}

// withID returns the last call that has the id of a piece. Where its index says otherwise the id is believed, unless the piece begins a
// call: some servers give all calls one id.
func (j *join) withID(p *callPiece) (at int, ok bool) {
	if p.ID == "" {
		return 0, false
	}
	begins := false
	if p.Index != nil {
		_, seen := j.at[*p.Index]
		begins = !seen && p.Function.Name != ""
	}
	same := false // the index, too
	for i := range j.calls {
		c := &j.calls[i]
		if c.id != p.ID {
			continue
		}
		if p.Index == nil || c.index == nil || *p.Index == *c.index {
			at, ok, same = i, true, true
		} else if !same && !begins {
			at, ok = i, true
		}
	}
	return at, ok
}

// over reports whether a piece that seems to belong to a call begins another one.
func (c *openCall) over(p *callPiece) bool {
	named := c.wire != "" && p.Function.Name != ""
	switch {
	case p.ID != "" && c.id != "" && p.ID != c.id:
		// Without an index the id is all there is to go by.
		return p.Index == nil || named
	case !named:
		return false
	case p.Function.Name != c.wire:
		return true
	case p.ID != "" && c.id != "":
		return false
	case c.id == "" && len(c.arguments.text) == 0 && argumentText(p.Function.Arguments) == "":
		return true // two calls without arguments
	}
	return c.arguments.whole()
}

// whole returns the calls of a reply that is complete. Each gets an id that no other call of the reply has.
func (j *join) whole() []protocol.ToolCall {
	var list []protocol.ToolCall
	taken := map[string]bool{}
	for _, c := range j.calls {
		for c.id == "" || taken[c.id] {
			c.id = "call_" + rand.Text()[:12]
		}
		taken[c.id] = true
		list = append(list, protocol.ToolCall{ID: c.id, Name: j.name(c.wire), Arguments: string(c.arguments.text)})
	}
	return list
}

func argumentText(raw json.RawMessage) string {
	var text string
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}
