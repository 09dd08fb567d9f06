package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/executor"
)

// Error is the response to a request that is refused, as JSON: {"error":{"code":…,"message":…}}.
type Error struct {
	Status  int    `json:"-"` // the HTTP status
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Error returns the code and the message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// The codes of errors. They are stable.
const (
	CodeBadRequest        = "bad_request"
	CodeUnauthenticated   = "unauthenticated"
	CodeCrossOrigin       = "cross_origin"
	CodeNotFound          = "not_found"
	CodeBusy              = "busy"
	CodeInUse             = "in_use"
	CodeNothingToContinue = "nothing_to_continue"
	CodePending           = "pending"
	CodeStaleDecision     = "stale_decision"
	CodeBadDecision       = "bad_decision"
	CodeBadBranch         = "bad_branch"
	CodeTooLarge          = "too_large"
	CodeTooMany           = "too_many"
	CodeStorage           = "storage"
	CodeClosed            = "closed"
	CodeInternal          = "internal"
)

func badRequest(format string, args ...any) *Error {
	return &Error{http.StatusBadRequest, CodeBadRequest, fmt.Sprintf(format, args...)}
}

var (
	errNotFound = &Error{http.StatusNotFound, CodeNotFound, "there is no such conversation, or it belongs to another user"}
	errBusy     = &Error{http.StatusConflict, CodeBusy, "a turn is running; wait for its end, or stop it"}
	errNotAsked = &Error{http.StatusConflict, CodeStaleDecision, "the turn was interrupted, so no question is open now; " +
		"continue the turn (POST …/continue): it asks its open questions again, with the same request IDs and digests"}
	errClosed = &Error{http.StatusServiceUnavailable, CodeClosed, "the server is shutting down; try again"}
)

// errorOf returns the response for an error. The user does not see the text of an error that is not
// listed here.
func errorOf(err error) *Error {
	var (
		own      *Error
		tooLarge *http.MaxBytesError
		decision *executor.DecisionError
		lease    *chat.LeaseError
		invalid  *chat.InvalidError
		storage  *chat.StoreError
	)
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &tooLarge):
		return &Error{http.StatusRequestEntityTooLarge, CodeTooLarge, fmt.Sprintf("the request is longer than %d bytes", tooLarge.Limit)}
	case errors.Is(err, chat.ErrNoConversation):
		return errNotFound
	case errors.Is(err, chat.ErrNoEntry):
		return &Error{http.StatusNotFound, CodeNotFound, "there is no such message"}
	case errors.Is(err, chat.ErrBusy):
		return errBusy
	case errors.Is(err, chat.ErrEmptyText):
		return badRequest("the text is empty")
	case errors.Is(err, chat.ErrNothingToContinue):
		return &Error{http.StatusConflict, CodeNothingToContinue, "the model has finished, or was not asked anything; send a message"}
	case errors.Is(err, chat.ErrPending):
		return &Error{http.StatusConflict, CodePending, "calls wait for decisions"}
	case errors.As(err, &decision) && decision.Stale:
		return &Error{http.StatusConflict, CodeStaleDecision, decision.Error()}
	case errors.As(err, &decision):
		return &Error{http.StatusBadRequest, CodeBadDecision, decision.Error()}
	case errors.As(err, &lease):
		return &Error{http.StatusConflict, CodeInUse, lease.Error()}
	case errors.Is(err, chat.ErrBranchPoint):
		return &Error{http.StatusConflict, CodeBadBranch, "no branch begins there: \"edit\" must be the seq of a user's message, " +
			"\"regenerate\" that of a reply or of its results, \"after\" that of a user's message, of a reply without calls, or of the results of all calls of a reply"}
	case errors.Is(err, chat.ErrChanged):
		return &Error{http.StatusConflict, CodeInUse, "another process continues the conversation; try again"}
	case errors.As(err, &invalid):
		return badRequest("%v", invalid)
	case errors.As(err, &storage):
		return &Error{http.StatusServiceUnavailable, CodeStorage, fmt.Sprintf("the store of conversations failed (%s)", storage.Problem)}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &Error{http.StatusServiceUnavailable, CodeInternal, "the request took too long, or was canceled"}
	}
	return &Error{http.StatusInternalServerError, CodeInternal, "the request failed; the server's log says why"}
}
