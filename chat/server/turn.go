package server

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"time"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
)

// turnFunc begins a turn of a conversation, for example with Conversation.Send.
type turnFunc func(context.Context, *chat.Conversation) iter.Seq2[engine.Event, error]

var errTime = errors.New("the turn took too long")

// begin begins a turn, which continues after the context of the request has ended. It returns nil
// when the store contains what the user sent, and an error if the turn cannot begin. If neither
// happens within beginTime, it returns nil; an event reports a later error. rm.turnMu is held, and
// no turn runs.
func (s *Server) begin(request context.Context, rm *room, u *User, conv *chat.Conversation, turn turnFunc) error {
	if !s.turns.acquire(u.ID, u.Limits.Turns) {
		return &Error{http.StatusTooManyRequests, CodeTooMany, "too many of your turns run at once; wait for the end of one, or stop one"}
	}
	rm.setRunning(true)
	end := func() {
		rm.setRunning(false)
		s.turns.release(u.ID)
	}
	begun := make(chan error, 1)
	report := func(err error) bool {
		select {
		case begun <- err:
			return true
		default:
			return false // begun has its value already
		}
	}
	started := s.work(func() {
		last, err := s.run(request, rm, u, conv, turn, func() { report(nil) })
		end()
		if !report(err) && err != nil {
			last = failedEvent(err)
		}
		if last != nil { // added last, because a page that reads it may begin the next turn
			rm.log.add(last)
		}
	})
	if !started {
		end()
		return errClosed
	}
	late := time.NewTimer(beginTime)
	defer late.Stop()
	select {
	case err := <-begun:
		return err
	case <-late.C:
		if !report(nil) {
			return <-begun
		}
		return nil
	}
}

// run runs a turn. It calls begun when the turn has begun, and again with later events. It returns
// the last event, which is not in the log yet, or the error of a turn that cannot begin.
func (s *Server) run(
	request context.Context, rm *room, u *User, conv *chat.Conversation, turn turnFunc, begun func(),
) (last []byte, err error) {
	ctx, cancel := context.WithCancelCause(context.WithValue(context.WithoutCancel(request), userKey{}, u.ID))
	defer cancel(nil)
	defer time.AfterFunc(u.Limits.TurnTime, func() { cancel(errTime) }).Stop()
	defer context.AfterFunc(s.closing, func() { cancel(errClosed) })()
	publish := func() {
		if err := s.publish(ctx, rm); err != nil {
			s.o.Logger.ErrorContext(ctx, "new messages not sent to pages", "conversation", rm.id, "error", err)
		}
	}
	// The conversation's watchedStore calls the watcher after each change.
	ctx = context.WithValue(ctx, watcherKey{}, watcher(func(urgent bool) {
		if urgent {
			publish()
		}
		begun()
	}))
	for ev, err := range turn(ctx, conv) {
		if ev.Kind == 0 { // the turn cannot begin
			return nil, err
		}
		if ev.Kind == engine.EventIterationDone || ev.Kind == engine.EventRunDone {
			publish()
		}
		if ev.Kind == engine.EventRunDone {
			last = eventJSON(&ev) // the sequence ends here
			continue
		}
		rm.log.add(eventJSON(&ev))
		begun()
	}
	return last, nil
}

// failedEvent returns the event that tells pages that a turn could not begin.
func failedEvent(err error) []byte {
	data, _ := json.Marshal(struct {
		Kind  string    `json:"kind"`
		Time  time.Time `json:"time"`
		Error *Error    `json:"error"`
	}{"failed", time.Now().UTC(), errorOf(err)}) // strings and a time always encode
	return data
}

// eventJSON returns the JSON of an event for pages. It omits the texts of an iteration, which pages
// get as messages, and the data of files, which pages request separately. If an event is too long,
// its texts are omitted, or a resetEvent replaces it.
func eventJSON(ev *engine.Event) []byte {
	e := *ev
	if it := e.Iteration; it != nil {
		e.Iteration = &engine.Iteration{
			Number: it.Number, Started: it.Started, Duration: it.Duration, Usage: it.Usage, Continued: it.Continued,
		}
	}
	if e.Result != nil && len(e.Result.Files) > 0 {
		r := *e.Result
		r.Files = withoutData(r.Files)
		e.Result = &r
	}
	data, err := json.Marshal(e)
	if err == nil && len(data) <= eventBytes {
		return data
	}
	e.Text, e.Request, e.Arguments, e.Result, e.Notice, e.Iteration = "", nil, nil, nil, nil, nil
	if data, err = json.Marshal(e); err != nil || len(data) > eventBytes {
		return []byte(resetEvent)
	}
	return data
}
