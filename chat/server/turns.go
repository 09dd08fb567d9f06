package server

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"strings"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/text"
)

// titleBytes limits the title that a conversation gets from its first message.
const titleBytes = 80

// sendJSON is the body of a request that send handles.
type sendJSON struct {
	Text string `json:"text"`
	Edit int64  `json:"edit"`
}

// send begins a turn with a message of the user. If the request names an earlier message to edit,
// the new message replaces that one.
func (s *Server) send(w http.ResponseWriter, r *http.Request, u *User, rm *room, in sendJSON) error {
	return s.turn(w, r, u, rm, in.Text, func(ctx context.Context, c *chat.Conversation) iter.Seq2[engine.Event, error] {
		if in.Edit != 0 {
			return c.Edit(ctx, in.Edit, in.Text)
		}
		return c.Send(ctx, in.Text)
	})
}

// continueJSON is the body of a request that proceed handles.
type continueJSON struct {
	Regenerate int64 `json:"regenerate"`
}

// proceed begins a turn without a message. If the request names a reply to regenerate, the model
// writes another one in its place.
func (s *Server) proceed(w http.ResponseWriter, r *http.Request, u *User, rm *room, in continueJSON) error {
	return s.turn(w, r, u, rm, "", func(ctx context.Context, c *chat.Conversation) iter.Seq2[engine.Event, error] {
		if in.Regenerate != 0 {
			return c.Regenerate(ctx, in.Regenerate)
		}
		return c.Continue(ctx)
	})
}

// turn begins a turn, and responds when it has begun. If the conversation has no title, the
// beginning of message becomes its title, unless message is "".
func (s *Server) turn(
	w http.ResponseWriter, r *http.Request, u *User, rm *room, message string, turn turnFunc,
) error {
	err := s.change(r.Context(), rm, u, func(c *chat.Conversation) error {
		return s.begin(r.Context(), rm, u, c, turn)
	})
	if err != nil {
		return err
	}
	message = strings.ReplaceAll(text.Valid(message), "\x00", "") // no store takes NUL in a title
	title := text.TruncateBytes(text.OneLine(chat.MaskSecrets(s.o.Engine, message)), titleBytes)
	if title != "" {
		s.setMissingTitle(r.Context(), rm.id, title)
	}
	writeJSON(w, http.StatusAccepted, map[string]string{"eventId": rm.log.id(rm.seenEvent())})
	return nil
}

// setMissingTitle sets the title of a conversation that has none.
func (s *Server) setMissingTitle(ctx context.Context, id, title string) {
	m, err := s.o.Store.Metadata(ctx, id)
	if err == nil && m.Title == "" {
		err = s.o.Store.ChangeMetadata(ctx, id, chat.MetadataChange{Title: &title})
	}
	if err != nil {
		s.o.Logger.WarnContext(ctx, "the title of a conversation cannot be set", "conversation", id, "error", err)
	}
}

// decisionJSON is the body of a request that decide handles.
type decisionJSON struct {
	RequestID string            `json:"requestId"`
	Digest    executor.Digest   `json:"digest"`
	Decision  executor.Decision `json:"decision"`
}

// decide answers the open question about a call.
func (s *Server) decide(w http.ResponseWriter, r *http.Request, u *User, rm *room, in decisionJSON) error {
	c, err := s.conversation(r.Context(), rm, u)
	if err != nil {
		return err
	}
	if err := c.Decide(in.RequestID, in.Digest, in.Decision); err != nil {
		if stale := (*executor.DecisionError)(nil); errors.As(err, &stale) && stale.Stale && c.Interrupted() {
			return errNotAsked
		}
		return err
	}
	writeBody(w, http.StatusNoContent, nil)
	return nil
}

// stop stops the turn that runs.
func (s *Server) stop(w http.ResponseWriter, _ *http.Request, _ *User, rm *room) error {
	c := rm.openConversation()
	writeJSON(w, http.StatusOK, map[string]bool{"stopped": c != nil && c.Stop()})
	return nil
}

// branches responds with the branches, newest first.
func (s *Server) branches(w http.ResponseWriter, r *http.Request, _ *User, rm *room) error {
	list, err := chat.ReadBranches(r.Context(), s.o.Store, rm.id)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, map[string][]chat.Branch{"branches": list})
	return nil
}

// branchJSON is the body of a request that branch handles.
type branchJSON struct {
	After *int64 `json:"after"`
}

// branch lets the conversation continue after one of its messages. What followed it is kept as a
// branch.
func (s *Server) branch(w http.ResponseWriter, r *http.Request, u *User, rm *room, in branchJSON) error {
	if in.After == nil || *in.After < 0 {
		return badRequest("after must be the seq of a message, or 0 for the beginning")
	}
	err := s.change(r.Context(), rm, u, func(c *chat.Conversation) error {
		if err := c.Branch(r.Context(), *in.After); err != nil {
			return err
		}
		return s.publish(r.Context(), rm)
	})
	if err != nil {
		return err
	}
	writeBody(w, http.StatusNoContent, nil)
	return nil
}
