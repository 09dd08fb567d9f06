package model

import (
	"crypto/rand"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

// Limits of the native calls of one reply. The first two also hold for requests in text.
const (
	maxCalls     = 64
	maxArguments = 4 << 20  // bytes of the arguments of one call
	maxCallBytes = 16 << 20 // bytes of the ids, names, arguments and indexes of all calls
	indexBytes   = 32       // what an index counts as, since it takes about this memory
)

// nativeCalls joins the pieces of native calls. In the API, a piece belongs to the call of its
// index, and the first piece has the call's id and name. Servers differ. Some omit the index, or
// give every call the same index. Others repeat id and name with each piece, or generate an id for
// each piece.
type nativeCalls struct {
	calls    []nativeCall
	bytes    int                 // of all calls
	last     int                 // the call of the last piece
	byIndex  map[int]int         // the call of the last piece with that index
	fullName func(string) string // of a method, from its name in the API
}

type nativeCall struct {
	index     *int // the index that its first piece has
	id, name  string
	arguments jsonText
}

// add joins a piece to its call, and returns the piece in the form of the engine.
func (n *nativeCalls) add(p *callPiece) (engine.CallPart, error) {
	at := n.callOf(p)
	if at < 0 {
		if len(n.calls) == maxCalls {
			return engine.CallPart{}, faultf(KindResponse, "makes more than %d native calls in one reply", maxCalls)
		}
		at = len(n.calls)
		n.calls = append(n.calls, nativeCall{index: p.Index})
	}
	if n.last = at; p.Index != nil {
		if n.byIndex == nil {
			n.byIndex = map[int]int{}
		}
		if _, seen := n.byIndex[*p.Index]; !seen {
			n.bytes += indexBytes
		}
		n.byIndex[*p.Index] = at
	}
	c := &n.calls[at]
	f := &p.Function
	part := engine.CallPart{Index: at, Arguments: string(f.Arguments)}
	if n.bytes += len(p.ID) + len(f.Name) + len(f.Arguments); n.bytes > maxCallBytes {
		return part, faultf(KindResponse, "makes native calls of more than %d bytes in one reply", maxCallBytes)
	}
	if c.id == "" {
		c.id = p.ID
	}
	if c.name == "" && f.Name != "" {
		c.name = f.Name
		part.Name = n.fullName(c.name)
	}
	if len(c.arguments.text)+len(f.Arguments) > maxArguments {
		return part, faultf(KindResponse, "makes a native call with more than %d bytes of arguments", maxArguments)
	}
	c.arguments.add(part.Arguments)
	return part, nil
}

// callOf returns the index of the call that a piece belongs to, or -1 if the piece begins a call.
func (n *nativeCalls) callOf(p *callPiece) int {
	at, ok := n.callWithID(p)
	if !ok {
		at, ok = n.last, len(n.calls) > 0
		if p.Index != nil {
			at, ok = n.byIndex[*p.Index]
		}
	}
	if !ok || n.calls[at].endsBefore(p) {
		return -1
	}
	return at
}

// callWithID returns the last call with the id of a piece, preferably one with its index. Some
// servers give all calls one id, so a call with another index counts only if the piece does not
// begin a call.
func (n *nativeCalls) callWithID(p *callPiece) (at int, ok bool) {
	if p.ID == "" {
		return 0, false
	}
	begins := false
	if p.Index != nil {
		_, seen := n.byIndex[*p.Index]
		begins = !seen && p.Function.Name != ""
	}
	sameIndex := false
	for i := range n.calls {
		c := &n.calls[i]
		if c.id != p.ID {
			continue
		}
		if p.Index == nil || c.index == nil || *p.Index == *c.index {
			at, ok, sameIndex = i, true, true
		} else if !sameIndex && !begins {
			at, ok = i, true
		}
	}
	return at, ok
}

// endsBefore reports whether a piece that seems to belong to the call begins the next one.
func (c *nativeCall) endsBefore(p *callPiece) bool {
	bothNamed := c.name != "" && p.Function.Name != ""
	bothIDs := c.id != "" && p.ID != ""
	switch {
	case bothIDs && p.ID != c.id:
		// Without an index, only the id distinguishes calls. With an index, another id alone begins
		// no call, because some servers generate an id for each piece.
		return p.Index == nil || bothNamed
	case !bothNamed:
		return false
	case p.Function.Name != c.name:
		return true
	case bothIDs:
		return false
	case c.id == "" && len(c.arguments.text) == 0 && p.Function.Arguments == "":
		return true // two calls without arguments
	}
	return c.arguments.whole() // only after whole arguments, the same name again begins a call
}

// all returns the calls of a complete reply. Each gets an id that no other call of the reply has.
func (n *nativeCalls) all() []protocol.ToolCall {
	var list []protocol.ToolCall
	taken := map[string]bool{}
	for _, c := range n.calls {
		for c.id == "" || taken[c.id] {
			c.id = "call_" + rand.Text()[:12]
		}
		taken[c.id] = true
		list = append(list, protocol.ToolCall{ID: c.id, Name: n.fullName(c.name), Arguments: string(c.arguments.text)})
	}
	return list
}
