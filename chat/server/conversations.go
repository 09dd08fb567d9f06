package server

import (
	"cmp"
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"slices"
	"strconv"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/executor"
)

// pageSize is how many conversations or messages a response contains by default, and maxPage how
// many it contains at most. Messages with results of calls do not count.
const pageSize, maxPage = 50, 200

// queryNumber returns a parameter of the query, which must not be negative. It returns byDefault if
// the parameter is missing.
func queryNumber(r *http.Request, name string, byDefault int64) (int64, error) {
	if value := r.FormValue(name); value != "" {
		return number(name, value)
	}
	return byDefault, nil
}

// number returns the value of a parameter, which must not be negative.
func number(name, value string) (int64, error) {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 0 {
		return 0, badRequest("%s must be a number that is not negative (got %q)", name, value)
	}
	return n, nil
}

// queryLimit returns the size of a page.
func queryLimit(r *http.Request) (int, error) {
	n, err := queryNumber(r, "limit", pageSize)
	if err == nil && n == 0 {
		return 0, badRequest("limit must be a number from 1 (got 0)")
	}
	return int(min(n, maxPage)), err
}

// list responds with a page of the user's conversations, the most recently updated ones first.
func (s *Server) list(w http.ResponseWriter, r *http.Request, u *User) error {
	n, err := queryLimit(r)
	if err != nil {
		return err
	}
	page, err := base64.RawURLEncoding.DecodeString(r.FormValue("page"))
	if err != nil {
		return badRequest("page must be the value of next in an earlier response (got %q)", r.FormValue("page"))
	}
	list, next, err := s.o.Store.List(r.Context(), chat.ListOptions{Owner: u.ID, Limit: n, Page: string(page)})
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(m chat.Metadata) bool { return m.Unfinished() })
	if list == nil {
		list = []chat.Metadata{}
	}
	writeJSON(w, http.StatusOK, struct {
		Conversations []chat.Metadata `json:"conversations"`
		Next          string          `json:"next,omitempty"`
	}{list, base64.RawURLEncoding.EncodeToString([]byte(next))})
	return nil
}

// create adds a conversation.
func (s *Server) create(w http.ResponseWriter, r *http.Request, u *User) error {
	var in struct {
		Title string `json:"title"`
	}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	m := chat.Metadata{ID: rand.Text(), Title: chat.MaskSecrets(s.o.Engine, in.Title), Owner: u.ID}
	if err := s.o.Store.Create(r.Context(), m); err != nil {
		return err
	}
	m, err := s.o.Store.Metadata(r.Context(), m.ID)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusCreated, m)
	return nil
}

// conversationJSON is the response of show.
type conversationJSON struct {
	chat.Metadata
	// Messages are a page of messages of the current branch, oldest first. A request with Before as
	// the parameter "before" returns the page before this one; 0 means that this is the first page.
	Messages []pageMessage `json:"messages"`
	Before   int64         `json:"before,omitempty"`
	// Pending are the calls that wait for a decision.
	Pending []executor.PendingCall `json:"pending"`
	// Running says that a turn runs in this process. CanContinue says that the model can continue
	// without a message, for example after a crash.
	Running     bool `json:"running"`
	CanContinue bool `json:"canContinue"`
	// EventID is the id of the last event whose effect Messages contains. A web page that streams
	// the events after it misses none.
	EventID string `json:"eventId"`
}

// show responds with a conversation.
func (s *Server) show(w http.ResponseWriter, r *http.Request, u *User, rm *room) error {
	n, err := queryLimit(r)
	if err != nil {
		return err
	}
	before, err := queryNumber(r, "before", 0)
	if err != nil {
		return err
	}
	if !rm.isRunning() { // a turn publishes its own changes; other processes may have made some, too
		if err := s.publish(r.Context(), rm); err != nil {
			return err
		}
	}
	conv, err := s.conversation(r.Context(), rm, u)
	if err != nil {
		return err
	}
	var out conversationJSON
	// The messages are read below. If no turn runs, they include the effect of all events so far.
	event := rm.log.last()
	rm.mu.Lock()
	tip, seen := rm.tip, rm.seen
	out.Running = rm.running
	rm.mu.Unlock()
	if out.Running {
		event = seen
	}
	out.EventID = rm.log.id(rm.log.available(event))
	out.Pending, out.CanContinue = conv.Pending(), conv.CanContinue() == nil
	if out.Metadata, err = s.o.Store.Metadata(r.Context(), rm.id); err != nil {
		return err
	}
	page, older, err := chat.ReadPage(r.Context(), s.o.Store, rm.id, cmp.Or(before, tip), n)
	if err != nil {
		return err
	}
	out.Messages, out.Before = s.shown(page), older
	writeJSON(w, http.StatusOK, out)
	return nil
}

// remove deletes a conversation.
func (s *Server) remove(w http.ResponseWriter, r *http.Request, _ *User, rm *room) error {
	rm.turnMu.Lock()
	defer rm.turnMu.Unlock()
	if rm.isRunning() {
		return errBusy
	}
	if err := chat.DeleteConversation(r.Context(), s.o.Store, rm.id); err != nil {
		return err
	}
	s.mu.Lock()
	delete(s.rooms, rm.id)
	s.mu.Unlock()
	rm.log.add([]byte(`{"kind":"deleted"}`))
	rm.log.close()
	writeBody(w, http.StatusNoContent, nil)
	return nil
}
