package executor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/vcpgo/vcp/tool"
)

// HandedOutCall is a call of a host-run method that waits for its application's answer.
type HandedOutCall struct {
	// ID is the request's.
	ID     string
	Method *tool.Entry
	// Arguments are the receiver's own copy.
	Arguments json.RawMessage
	// Deadline is when the answer is no longer waited for.
	Deadline time.Time
}

// NotHandedOutError is an answer that nobody waits for: no call of that id was handed out, it has been answered already, or its
// time is over.
type NotHandedOutError struct{ ID string }

func (e *NotHandedOutError) Error() string {
	return fmt.Sprintf("executor: no call with the id %q waits for an answer: it was not handed out, was answered already, or its time is over", e.ID)
}

// handedOut is a call that waits for its answer.
type handedOut struct {
	call   HandedOutCall
	answer chan answer // has room for the one answer that counts
}

type answer struct {
	out tool.Output
	err error
}

var errNobodyAnswers = errors.New("this method is run by the application, and there is none here that could")

// HandedOut returns the calls that wait for an answer, those first whose time is over first.
func (m *Memory) HandedOut() []HandedOutCall {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []HandedOutCall
	for _, h := range m.handedOut {
		c := h.call
		c.Arguments = bytes.Clone(c.Arguments)
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b HandedOutCall) int { return a.Deadline.Compare(b.Deadline) })
	return list
}

// Answer gives the result of a call that was handed out: out or, where err is not nil, that it failed, in words for the model. The
// first answer to a call counts; for every other one, and for one that is late, Answer returns a *NotHandedOutError.
func (m *Memory) Answer(id string, out tool.Output, err error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	h := m.handedOut[id]
	if h == nil {
		return &NotHandedOutError{ID: id}
	}
	delete(m.handedOut, id)
	h.answer <- answer{out, err}
	return nil
}

// takeBack ends the wait for an answer, and reports whether it has: not where an answer has been taken, or nobody waits any more.
func (m *Memory) takeBack(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, waits := m.handedOut[id]
	delete(m.handedOut, id)
	return waits
}

// handingOut is the handler of a host-run method. The call is handed out as what leave was given for, whatever a middleware makes of it,
// but for its arguments, which middlewares may change. tell is called when the application can answer.
func handingOut(m *Memory, id string, method *tool.Entry, tell func()) tool.Handler {
	return func(ctx context.Context, call *tool.Call) (tool.Output, error) {
		if m == nil {
			return tool.Output{}, errNobodyAnswers
		}
		h := &handedOut{call: HandedOutCall{ID: id, Method: method, Arguments: bytes.Clone(call.Arguments)}, answer: make(chan answer, 1)}
		h.call.Deadline, _ = ctx.Deadline()
		m.mu.Lock()
		if m.handedOut[id] != nil {
			m.mu.Unlock()
			return tool.Output{}, fmt.Errorf("another call with the id %q waits for its answer", id)
		}
		if m.handedOut == nil {
			m.handedOut = map[string]*handedOut{}
		}
		m.handedOut[id] = h
		m.mu.Unlock()
		tell()
		select {
		case a := <-h.answer:
			return a.out, a.err
		case <-ctx.Done():
		}
		m.takeBack(id)
		select { // an answer may just have been taken
		case a := <-h.answer:
			return a.out, a.err
		default:
			return tool.Output{}, ctx.Err()
		}
	}
}
