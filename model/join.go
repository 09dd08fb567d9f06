package model

import (
	"crypto/rand"
	"encoding/json"
	"fmt"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

// Bounds of the native calls of one reply: those of requests in text.
const (
	maxCalls     = 64
	maxArguments = 4 << 20 // bytes of one call's
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
// name; servers also leave out the index, or give every call the same one, and repeat the id and the name with each piece.
type join struct {
	calls []openCall
	at    map[int]int // indexes to places in calls
	name  func(string) string
}

type openCall struct {
	id, wire  string // wire is the name as the server has it
	arguments []byte
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
		j.calls = append(j.calls, openCall{})
		if p.Index != nil {
			if j.at == nil {
				j.at = map[int]int{}
			}
			j.at[*p.Index] = at
		}
	}
	c := &j.calls[at]
	part := engine.CallPart{Index: at, Arguments: arguments}
	if c.id == "" {
		c.id = p.ID
	}
	if c.wire == "" && p.Function.Name != "" {
		c.wire = p.Function.Name
		part.Name = j.name(c.wire)
	}
	if len(c.arguments)+len(arguments) > maxArguments {
		return part, &bodyError{kind: KindAnswer, message: fmt.Sprintf("makes a native call with more than %d bytes of arguments", maxArguments)}
	}
	c.arguments = append(c.arguments, arguments...)
	return part, nil
}

// place returns which call a piece belongs to; -1 is a new one.
func (j *join) place(p *callPiece) int {
	at := len(j.calls) - 1
	if p.Index != nil {
		known, ok := j.at[*p.Index]
		if !ok {
			return -1
		}
		at = known
	}
	switch {
	case at < 0:
		return -1
	case p.ID != "" && j.calls[at].id != "" && p.ID != j.calls[at].id:
		return -1
	case p.ID == "" && p.Function.Name != "" && j.calls[at].wire != "" && json.Valid(j.calls[at].arguments):
		return -1 // another call without an id, after one that is whole
	}
	return at
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
		list = append(list, protocol.ToolCall{ID: c.id, Name: j.name(c.wire), Arguments: string(c.arguments)})
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
