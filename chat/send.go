package chat

import (
	"context"
	"iter"
	"strings"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// Send adds the user's text to the history and lets the model answer it with its tools. It yields
// the events of engine.Session.Run. The last is an EventRunDone; if the turn failed, its error
// comes with that event. The user's text is in the history when the first event is yielded. A reply
// and its results are in the history when their EventIterationDone is yielded. After the
// EventRunDone the next turn may begin. Send itself does nothing: the text is sent each time that
// the sequence is ranged over.
//
// The values of ctx reach tools, middlewares and approvers. If the caller stops ranging, or ctx
// ends, the model and the tools are canceled, and Send waits for those that respect their context.
// Requests that had begun still get results.
//
// If dispatched requests of an earlier turn still wait for a decision, Send first denies them and
// yields their outcomes as Resolve does.
//
// If the turn cannot begin, the sequence contains one item, an empty Event with the error: ErrBusy,
// ErrEmptyText, ErrChanged or an error of the store.
func (c *Conversation) Send(ctx context.Context, message string) iter.Seq2[engine.Event, error] {
	return c.turn(ctx, message, func(ctx context.Context) ([]engine.Event, runFunc, error) {
		if strings.TrimSpace(message) == "" {
			return nil, nil, c.withID(ErrEmptyText)
		}
		events, err := c.denyPending(ctx)
		if err == nil {
			err = c.addUser(ctx, text.Valid(message))
		}
		return events, c.run, err
	})
}

// addUser adds a message of the user.
func (c *Conversation) addUser(ctx context.Context, content string) error {
	if c.stored != nil {
		return c.recordUser(ctx, content)
	}
	c.add(Message{Role: protocol.RoleUser, Time: now(), Content: content})
	return nil
}

// Continue lets the model continue from the history as it is, and yields events as Send does. It is
// for a turn that failed, was canceled or ended Incomplete. A turn that cannot begin yields
// ErrBusy, ErrPending, ErrNothingToContinue, ErrChanged or an error of the store. A turn that was
// interrupted continues as with Resume.
func (c *Conversation) Continue(ctx context.Context) iter.Seq2[engine.Event, error] {
	return c.turn(ctx, "", func(context.Context) ([]engine.Event, runFunc, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.interrupted() {
			return nil, c.resume, nil
		}
		return nil, c.run, c.continuable()
	})
}

// CanContinue returns nil if Continue can begin a turn now, and otherwise ErrBusy, ErrPending or
// ErrNothingToContinue. It does not read the store.
func (c *Conversation) CanContinue() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stop != nil {
		return c.withID(ErrBusy)
	}
	if c.interrupted() {
		return nil
	}
	return c.continuable()
}

// continuable returns an error that says why the model cannot continue from the history, or nil if
// it can. c.mu is held.
func (c *Conversation) continuable() error {
	if dispatched(c.history) != nil {
		return c.withID(ErrPending)
	}
	if n := len(c.history); n == 0 || c.history[n-1].isFinal() {
		return c.withID(ErrNothingToContinue)
	}
	return nil
}

// isFinal reports whether m is a complete reply without requests, so that the model has nothing to
// continue.
func (m *Message) isFinal() bool {
	return m.Role == protocol.RoleAssistant && !m.Incomplete && len(m.ToolCallsRequested) == 0
}

// titleOf makes the title of a stored conversation from its first message. It masks secrets before
// it shortens the message, because the filter would not find a part of a secret. It removes NUL,
// because no store takes it in a title.
func (c *Conversation) titleOf(message string) string {
	const maxTitleRunes, maxReadBytes = 80, 8 << 10 // the title is made from the first bytes of the message
	message = c.stored.secrets.current().Text(message)
	message = text.Valid(message[:min(len(message), maxReadBytes)])
	return text.TruncateRunes(text.OneLine(strings.ReplaceAll(message, "\x00", "")), maxTitleRunes)
}
