package server

import (
	"cmp"
	"context"
	"net/http"
	"time"
)

// stream sends the events of a conversation as they happen, as server-sent events.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, u *User, rm *room) error {
	if !s.streams.acquire(u.ID, u.Limits.Streams) {
		return &Error{http.StatusTooManyRequests, CodeTooMany, "too many of your streams are open at once; close a page"}
	}
	defer s.streams.release(u.ID)

	// sent is the number of the last event that the page has; known says that sent is a number of
	// this log.
	sent, known := rm.log.last(), true
	if after := cmp.Or(r.Header.Get("Last-Event-ID"), r.FormValue("after")); after != "" {
		sent, known = rm.log.number(after)
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no") // for proxies that buffer responses
	if r.ProtoMajor == 1 {
		h.Set("Connection", "close") // the stream's deadlines would also end later responses on this connection
	}
	c := http.NewResponseController(w)
	ctx, cancel := context.WithTimeout(r.Context(), streamTime)
	defer cancel()
	defer context.AfterFunc(s.closing, func() {
		_ = c.SetWriteDeadline(time.Now().Add(closeTime))
		cancel()
	})()
	write := func(data []byte) error {
		_ = c.SetWriteDeadline(time.Now().Add(writeTime)) // not every ResponseWriter has deadlines
		// If the server has begun to close meanwhile, closeTime must replace writeTime.
		if s.closing.Err() != nil {
			_ = c.SetWriteDeadline(time.Now().Add(closeTime))
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
		return c.Flush()
	}
	if write([]byte("retry: 1000\n\n")) != nil { // the browser waits 1000 ms before it reconnects
		return nil // the page has gone
	}
	ping := time.NewTicker(pingTime)
	defer ping.Stop()
	for {
		events, more, closed, missed := rm.log.after(sent)
		if missed || !known {
			sent, known = rm.seenEvent(), true
			if write(frame(rm.log.id(sent), []byte(resetEvent))) != nil {
				return nil
			}
			continue
		}
		for _, data := range events {
			sent++
			if write(frame(rm.log.id(sent), data)) != nil {
				return nil
			}
		}
		if len(events) > 0 {
			continue
		}
		if closed {
			return nil
		}
		select {
		case <-more:
		case <-ping.C:
			if write([]byte(": ping\n\n")) != nil {
				return nil
			}
		case <-ctx.Done():
			return nil
		}
	}
}
