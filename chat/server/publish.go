package server

import (
	"context"
	"encoding/json"
	"time"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
)

// watchedStore calls the watcher in a method's context after the method has appended entries or set
// the tip.
type watchedStore struct{ chat.Store }

// watcher is called after a change. urgent says that web pages must show the change at once: it is
// a message of the user, or a switch to another branch.
type watcher func(urgent bool)

type watcherKey struct{}

// changed calls the watcher in ctx, if there is one.
func changed(ctx context.Context, urgent bool) {
	if f, ok := ctx.Value(watcherKey{}).(watcher); ok {
		f(urgent)
	}
}

// Append implements chat.Store.
func (s *watchedStore) Append(ctx context.Context, l chat.Lease, parent int64, entries ...chat.Entry) (int64, error) {
	last, err := s.Store.Append(ctx, l, parent, entries...)
	if err == nil && len(entries) > 0 {
		changed(ctx, entries[len(entries)-1].Kind == string(engine.EntryUser))
	}
	return last, err
}

// SetTip implements chat.Store.
func (s *watchedStore) SetTip(ctx context.Context, l chat.Lease, seq int64) error {
	err := s.Store.SetTip(ctx, l, seq)
	if err == nil {
		changed(ctx, true)
	}
	return err
}

// maxPublished limits the replies and messages of the user in one event. Turns of this process add
// one at a time. More come at once only if another process has added them, or if this process has
// just opened the conversation.
const maxPublished = 16

// publish sends the web pages the messages that the store has and the web pages lack. If these
// messages are too many or too long, or if the branch has changed, it sends a resetEvent instead.
func (s *Server) publish(ctx context.Context, rm *room) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	rm.publishMu.Lock()
	defer rm.publishMu.Unlock()
	m, err := s.o.Store.Metadata(ctx, rm.id)
	if err != nil {
		return err
	}
	rm.mu.Lock()
	tip, stable := rm.tip, rm.stable
	rm.mu.Unlock()
	if m.Tip == tip {
		return nil
	}
	list, known, err := s.newMessages(ctx, rm.id, m.Tip, stable)
	if err != nil {
		return err
	}
	data := []byte(resetEvent)
	if known {
		event, err := json.Marshal(struct {
			Kind     string        `json:"kind"`
			Time     time.Time     `json:"time"`
			After    int64         `json:"after"`
			Messages []pageMessage `json:"messages"`
		}{"messages", time.Now().UTC(), stable, list})
		if err == nil && len(event) <= eventBytes {
			data = event
		}
	} else {
		stable = 0
	}
	if n := len(list); n >= 2 { // the last message may still change
		stable = list[n-2].Seq
	}
	rm.mu.Lock()
	defer rm.mu.Unlock()
	rm.seen, rm.tip, rm.stable = rm.log.add(data), m.Tip, stable
	return nil
}

// resetEvent tells a web page to load the conversation again.
const resetEvent = `{"kind":"reset"}`

// newMessages returns the messages after the last stable one. The argument stable is the Seq of
// that message, as in room. known is false if that message is not on the path to tip, because the
// branch has changed, or if too many messages follow it.
func (s *Server) newMessages(
	ctx context.Context, id string, tip, stable int64,
) (list []pageMessage, known bool, err error) {
	page, older, err := chat.ReadPage(ctx, s.o.Store, id, tip, maxPublished)
	if err != nil {
		return nil, false, err
	}
	for i := range page {
		if page[i].Seq == stable {
			page, known = page[i+1:], true
			break
		}
	}
	return s.shown(page), known || stable == 0 && older == 0, nil
}
