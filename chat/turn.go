package chat

import (
	"context"
	"iter"
	"strings"
	"sync"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// A runFunc runs a turn of a conversation.
type runFunc func(context.Context) iter.Seq2[engine.Event, error]

// run lets the model continue from the history.
func (c *Conversation) run(ctx context.Context) iter.Seq2[engine.Event, error] {
	return c.tools.session.Run(ctx, c.messages())
}

// turn returns a sequence that runs one turn on the goroutine that ranges over it. prepare changes
// the history, and returns the events of that change and the function that runs the turn. If
// prepare returns an error, the turn does not run. message is the user's message that adds a new
// conversation to the store; if it is blank, the turn adds none.
func (c *Conversation) turn(
	ctx context.Context, message string, prepare func(context.Context) ([]engine.Event, runFunc, error),
) iter.Seq2[engine.Event, error] {
	message = strings.TrimSpace(message)
	return func(yield func(engine.Event, error) bool) {
		ctx, cancelCause := context.WithCancelCause(ctx)
		cancel := func() { cancelCause(nil) }
		defer cancel()
		if err := c.acquire(cancel); err != nil {
			yield(engine.Event{}, err)
			return
		}
		l := &listener{cancel: cancel, yield: yield}
		// However the turn ends, even if yield panics, the text that the listener got is kept.
		endLease := func() {}
		end := sync.OnceFunc(func() {
			if c.stored != nil {
				c.recordSeen(ctx, l.seen.String())
				c.settleHistory()
				endLease()
			} else if l.seen.Len() > 0 {
				text := text.Valid(l.seen.String())
				c.add(Message{Role: protocol.RoleAssistant, Time: now(), Content: text, Text: text, Incomplete: true})
			}
			c.release()
		})
		defer end()
		// Only a message of the user adds a new conversation to the store. Without a message,
		// prepare refuses the turn.
		if c.stored != nil && (message != "" || !c.stored.isNew) {
			title := ""
			if c.stored.isNew {
				title = c.titleOf(message)
			}
			release, err := c.beginStored(ctx, title, cancelCause)
			if err != nil {
				l.send(engine.Event{}, err)
				return
			}
			endLease = release
		}
		events, run, err := prepare(ctx)
		if err != nil {
			l.send(engine.Event{}, err)
			return
		}
		for _, ev := range events {
			l.send(ev, nil)
		}
		for ev, err := range run(ctx) {
			switch ev.Kind {
			case engine.EventText:
				l.seen.WriteString(ev.Text)
			case engine.EventReclassified: // the text so far was reasoning
				l.seen.Reset()
			case engine.EventIterationDone:
				l.seen.Reset()
				c.record(ev.Iteration)
			case engine.EventRunDone:
				end() // the listener may begin the next turn at this event
			default:
			}
			l.send(ev, err)
		}
	}
}

// record adds a reply with its results to the history.
func (c *Conversation) record(iteration *engine.Iteration) {
	c.keepUnmasked(iteration)
	if c.stored != nil {
		c.settleHistory()
	} else {
		c.add(messagesOfIteration(iteration)...)
	}
}

// keepUnmasked keeps the requests that an iteration dispatches, because the store contains them
// only with their secrets masked.
func (c *Conversation) keepUnmasked(iteration *engine.Iteration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unmasked = nil
	if iteration.Dispatched && c.stored != nil {
		c.unmasked = make(map[string]executor.Request, len(iteration.Requests))
		for _, r := range iteration.Requests {
			c.unmasked[r.ID] = r
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
