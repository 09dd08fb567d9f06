package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
)

// Journal stores what happens in a session. Each step is stored before it has an effect. So a turn
// that a crash interrupted can be finished (Session.Resume), and no call happens twice unless its
// method is tool.Idempotent.
//
// The entries of a session form one sequence. The functions of Session that add entries, such as
// Run, wait until Append returns.
type Journal interface {
	// Append adds entries: all of them, or none and an error. They are durable when it returns. The
	// journal may keep what they refer to, and must not change it. ctx carries the values of the
	// run's context, but is not canceled with it. Several goroutines call Append at once only if
	// several use the session.
	//
	// After an error, nothing more runs in the session and nothing more is appended: a run ends
	// with StopJournalError.
	Append(ctx context.Context, entries ...Entry) error
}

// EntryKind says what an Entry is.
type EntryKind string

// The kinds of entries. A turn is an EntryUser, then replies, and an EntryEnd. After each reply
// come the entries about its requests. The names after a colon are the fields of the Entry that the
// kind sets.
const (
	// EntryUser is the user's message: User. The application records it.
	EntryUser EntryKind = "user"
	// EntryReply is a reply of the model: Reply. Nothing of it has run yet.
	EntryReply EntryKind = "reply"
	// EntryApprovalAsked is a question about a call: RequestID, Asked.
	EntryApprovalAsked EntryKind = "approval_asked"
	// EntryApprovalAnswered is the answer to the last EntryApprovalAsked with the same RequestID:
	// RequestID, Answered.
	EntryApprovalAnswered EntryKind = "approval_answered"
	// EntryCallStarted is the start of a call: RequestID, Call.
	EntryCallStarted EntryKind = "call_started"
	// EntryResult is the result of a request: RequestID, Result. Requests of a reply that is NotRun
	// get none. For requests of a reply that is Dispatched the application records it.
	EntryResult EntryKind = "result"
	// EntryNote is what the engine tells the model about a reply: Note.
	EntryNote EntryKind = "note"
	// EntryEnd ends a turn: End.
	EntryEnd EntryKind = "end"
)

// Entry is one step of a session, as data. The constant of its Kind names the fields that are set.
// Secret arguments are masked in all fields, as tool.Entry.MaskArguments says. Their values are
// also masked in the rest of the reply that contains the request. They are not masked in messages
// of the user, in results of tools, or in later sentences of the model. A Journal that stores
// entries must mask such secrets itself, as package chat does with Engine.Secrets. The JSON form
// has stable names.
type Entry struct {
	Kind EntryKind `json:"kind"`
	Time time.Time `json:"time"`
	// RequestID is the engine's own id of the request: executor.Request.ID.
	RequestID string                `json:"requestId,omitempty"`
	User      *protocol.Message     `json:"user,omitempty"`
	Reply     *RecordedReply        `json:"reply,omitempty"`
	Asked     *executor.PendingCall `json:"asked,omitempty"`
	Answered  *RecordedAnswer       `json:"answered,omitempty"`
	Call      *RecordedCall         `json:"call,omitempty"`
	Result    *executor.Result      `json:"result,omitempty"`
	Note      *RecordedNote         `json:"note,omitempty"`
	End       *RecordedEnd          `json:"end,omitempty"`
}

// RecordedReply is a reply of the model.
type RecordedReply struct {
	// Number is the number of the reply in its session. The ids of its requests begin with it.
	Number int `json:"number"`
	// Message is the reply as a message for the conversation: Iteration.Assistant.
	Message protocol.Message `json:"message"`
	// Raw is the reply as the model wrote it. Text is what people see of it. Nil means that the
	// text is the same as the Content of Message.
	Raw  *string `json:"raw,omitempty"`
	Text *string `json:"text,omitempty"`
	// Reasoning is Iteration.Reasoning.
	Reasoning string `json:"reasoning,omitempty"`
	// Finish is the finish reason. Unless it is complete, nothing of the reply runs.
	Finish protocol.FinishReason `json:"finish"`
	// Requests are those of Iteration. Dispatched means that the engine does not run them because
	// of mode manual. NotRun means that they do not run because the reply was interrupted or tools
	// were not available.
	Requests   []RecordedRequest `json:"requests,omitempty"`
	Dispatched bool              `json:"dispatched,omitempty"`
	NotRun     bool              `json:"notRun,omitempty"`
	// Requested is the number of requests in the reply. It is more than Config.MaxRequests if some
	// were not read because of that limit, and 0 if tools were not available.
	Requested int `json:"requested,omitempty"`
	// Usage is the cost that the server reports. Tokens is the cost that counts against
	// Config.MaxTokens.
	Usage  *Usage `json:"usage,omitempty"`
	Tokens int    `json:"tokens,omitempty"`
	// Continued is Iteration.Continued.
	Continued int `json:"continued,omitempty"`
}

// texts returns the reply as the model wrote it, and what people see of it.
func (r *RecordedReply) texts() (raw, text string) {
	raw, text = r.Message.Content, r.Message.Content
	if r.Raw != nil {
		raw = *r.Raw
	}
	if r.Text != nil {
		text = *r.Text
	}
	return raw, text
}

// setTexts sets Raw and Text. Message must be set before.
func (r *RecordedReply) setTexts(raw, text string) {
	r.Raw, r.Text = nil, nil
	if raw != r.Message.Content {
		r.Raw = &raw
	}
	if text != r.Message.Content {
		r.Text = &text
	}
}

// RecordedRequest is a request of a reply.
type RecordedRequest struct {
	executor.Request
	// Method is the full name of the method that the request names; "" if it names no method.
	Method string `json:"method,omitempty"`
}

// RecordedAnswer is a decision about a call. Digest identifies the call.
type RecordedAnswer struct {
	Digest executor.Digest `json:"digest"`
	executor.Decision
}

// RecordedCall is the start of a call.
type RecordedCall struct {
	Method    string          `json:"method"` // its full name
	Arguments json.RawMessage `json:"arguments"`
	Digest    executor.Digest `json:"digest"`
	// Attempt counts the starts of the call, from 1. Only a crash leads to another start, and only
	// if the method is tool.Idempotent.
	Attempt int `json:"attempt"`
}

// RecordedNote is what the engine tells the model in addition to results.
type RecordedNote struct {
	Content  string                 `json:"content,omitempty"`
	Examples []protocol.ToolRequest `json:"examples,omitempty"` // requests in the correct form
	// Unrun says that the note is about requests that did not run because of their place or form.
	Unrun bool `json:"unrun,omitempty"`
}

// RecordedEnd says why a turn ended.
type RecordedEnd struct {
	Stop  StopReason `json:"stop"`
	Limit Limit      `json:"limit,omitempty"`
}

// JournalError is the failure of a session's journal. The session runs nothing more: open it again
// from what the journal contains.
type JournalError struct {
	SessionID string
	Err       error // the error of Journal.Append
}

// Error names the session.
func (e *JournalError) Error() string {
	return fmt.Sprintf("engine: session %q: the journal failed, so nothing more runs in this session: %v",
		e.SessionID, e.Err)
}

// Unwrap returns the error of the journal.
func (e *JournalError) Unwrap() error { return e.Err }
