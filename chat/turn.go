package chat

import (
	"context"
	"iter"
	"strings"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// turn runs one turn on the goroutine that ranges over it. prepare changes the history and returns
// the events of that change, or it refuses the turn and changes nothing.
func (c *Conversation) turn(
	ctx context.Context, prepare func(context.Context) ([]engine.Event, error),
) iter.Seq2[engine.Event, error] {
	return func(yield func(engine.Event, error) bool) {
		if err := c.acquire(); err != nil {
			yield(engine.Event{}, err)
			return
		}
		defer c.release()
		ctx, cancel := context.WithCancel(ctx)
		l := &listener{cancel: cancel, yield: yield}
		// At its end, even if yield panics, the turn is canceled, and the part that was seen is kept.
		defer func() {
			cancel()
			if l.seen.Len() > 0 {
				text := text.Valid(l.seen.String())
				c.add(Message{Role: protocol.RoleAssistant, Time: now(), Content: text, Text: text, Incomplete: true})
			}
		}()
		events, err := prepare(ctx)
		if err != nil {
			l.send(engine.Event{}, err)
			return
		}
		for _, ev := range events {
			l.send(ev, nil)
		}
		for ev, err := range c.tools.session.Run(ctx, c.messages()) {
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
			l.send(ev, err)
		}
	}
}

// A listener is the code that ranges over a turn.
type listener struct {
	cancel  context.CancelFunc
	yield   func(engine.Event, error) bool
	stopped bool            // yield returned false and must not be called again
	seen    strings.Builder // text of a reply that is not recorded yet
}

// send passes an item to the listener. If the listener stops, the turn is canceled, but it still
// runs to its end, because only then all results are known.
func (l *listener) send(ev engine.Event, err error) {
	if !l.stopped && !l.yield(ev, err) {
		l.stopped = true
		l.cancel()
	}
}
