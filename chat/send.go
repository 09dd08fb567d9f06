package chat

import (
	"context"
	"iter"
	"strings"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// Send adds the user's text to the history and has the model answer it, tools included, as engine.Session.Run says: the same
// events, the last of them an EventRunDone, with the first error where there was one. Building the sequence does nothing; each time
// that it is ranged over, it sends. When a turn's EventTurnDone is told, its messages are in the history.
//
// Breaking off, or the end of ctx, cancels the model and the tools, and waits for those that heed their context; requests that had
// begun get results all the same. Requests that wait for an answer are denied, since the user went on without
// them, and told as Answer tells them.
//
// A turn that cannot begin is one item, an empty Event with the error: ErrBusy or ErrEmptyText. Then the history is as it was.
func (c *Conversation) Send(ctx context.Context, message string) iter.Seq2[engine.Event, error] {
	return c.turn(ctx, func(ctx context.Context) ([]engine.Event, error) {
		if strings.TrimSpace(message) == "" {
			return nil, c.refuse(ErrEmptyText)
		}
		events, err := c.denyPending(ctx)
		if err != nil {
			return nil, err
		}
		c.add(Message{Role: protocol.RoleUser, Time: now(), Content: text.Valid(message)})
		return events, nil
	})
}

// Continue has the model go on from the history as it is, as Send does: after a turn that failed, was canceled or ended
// Incomplete. A turn that cannot begin gives ErrBusy, ErrPending or ErrNothingToContinue.
func (c *Conversation) Continue(ctx context.Context) iter.Seq2[engine.Event, error] {
	return c.turn(ctx, func(context.Context) ([]engine.Event, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if handedOut(c.history) != nil {
			return nil, c.refuse(ErrPending)
		}
		if n := len(c.history); n == 0 || c.history[n-1].Role == protocol.RoleAssistant && !c.history[n-1].unfinished() {
			return nil, c.refuse(ErrNothingToContinue)
		}
		return nil, nil
	})
}

// unfinished reports whether an assistant message leaves something open.
func (m *Message) unfinished() bool {
	return m.Incomplete || len(m.ToolCallsRequested) > 0
}

// turn runs one turn on the goroutine that ranges over it. begin readies the history, and returns what is to be told of that; or it
// refuses the turn and leaves the history as it is.
func (c *Conversation) turn(ctx context.Context, begin func(context.Context) ([]engine.Event, error)) iter.Seq2[engine.Event, error] {
	return func(yield func(engine.Event, error) bool) {
		if err := c.acquire(); err != nil {
			yield(engine.Event{}, err)
			return
		}
		defer c.release()
		ctx, cancel := context.WithCancel(ctx)
		l := &listener{cancel: cancel, yield: yield}
		// However the turn ends, a panic of the listener included, nothing goes on in its name, and what was seen of it stays.
		defer func() {
			cancel()
			if l.seen.Len() > 0 {
				text := text.Valid(l.seen.String())
				c.add(Message{Role: protocol.RoleAssistant, Time: now(), Content: text, Text: text, Incomplete: true})
			}
		}()
		events, err := begin(ctx)
		if err != nil {
			l.tell(engine.Event{}, err)
			return
		}
		for _, ev := range events {
			l.tell(ev, nil)
		}
		for ev, err := range c.tools.session.Run(ctx, c.shown()) {
			switch ev.Kind {
			case engine.EventText:
				l.seen.WriteString(ev.Text)
			case engine.EventReclassified:
				l.seen.Reset()
			case engine.EventTurnDone:
				l.seen.Reset()
				c.add(recordTurn(ev.Turn)...)
			default:
			}
			l.tell(ev, err)
		}
	}
}

// listener is who ranges over a turn.
type listener struct {
	cancel context.CancelFunc
	yield  func(engine.Event, error) bool
	gone   bool // yield has returned false and must not be called again

	seen strings.Builder // the text of a reply that is not recorded yet
}

// tell passes an item on. A listener who leaves cancels the turn, whose end is still awaited: only then are all results known.
func (l *listener) tell(ev engine.Event, err error) {
	if !l.gone && !l.yield(ev, err) {
		l.gone = true
		l.cancel()
	}
}
