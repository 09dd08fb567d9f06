package parser

import (
	"strings"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// Span is a half-open range of byte offsets into the reply.
type Span struct{ Start, End int }

// Reply is all that was read from one model reply. It owns its memory.
type Reply struct {
	// Requests are in the order written. Statuses are final.
	Requests []Request
	// Text is what a person sees: no reasoning, and no requests except quoted ones.
	Text Text
	// Reasoning are the reasoning sections without their tags, joined by a line break.
	Reasoning string
	// Dropped are the parts that are neither shown nor run.
	Dropped []Dropped
	// Notices are remarks on the reply as a whole.
	Notices []Notice
	// Finish is the finish reason that the parser was given.
	Finish protocol.FinishReason
}

// Text is a text in pieces. When a request is taken out of a reply, the text before and after it
// becomes two pieces: copying would cost more than reading the reply. The boundaries of
// pieces have no meaning, and no piece is empty. The pieces share the memory of the whole reply:
// clone a short text to keep it for long.
type Text []string

func newText(s string) Text {
	if s == "" {
		return nil
	}
	return Text{s}
}

// String returns the text, which is a copy if there are several pieces.
func (t Text) String() string {
	if len(t) == 1 {
		return t[0]
	}
	return strings.Join(t, "")
}

// Equal reports whether t and u are the same text, in whatever pieces.
func (t Text) Equal(u Text) bool { return t.String() == u.String() }

// MarshalText returns the text: as JSON it is one string.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Request is one request as found in a reply.
type Request struct {
	// ID is the request's ordinal in its reply, from "1". It is never what the model wrote as an
	// ID.
	ID string
	protocol.ToolRequest
	// RawBlock is the text of the block, marks included. Requests of one batch share it. It is ""
	// if the block is over a limit.
	RawBlock string
	Span     Span // of the block, from its start mark on
	Status   Status
	// Repairs are the repairs that the request needs, in the order of the text.
	Repairs []Repair
	// Err is set if Status is invalid.
	Err *scan.RequestError
	// Truncation is set if the reply ended in the request, whatever the status is.
	Truncation *Truncation
	// Fields are all fields of the block, as written, if the reply ended in the block or was
	// continued in it. Otherwise, and if the block is over a limit, Fields is nil. Requests of one
	// batch share the list.
	Fields []Field

	commandAt int // 1 plus the number of Arguments written before Command; 0 means no Command
}

// Truncation says how far the model wrote a request before the reply ended in it.
type Truncation struct {
	// At is the offset in the reply at which the last whole field ends. If the request has no whole
	// field, At is the offset of the request.
	At int
	// Argument is the name of the argument in which the reply ended, or "" if it ended in no
	// argument.
	Argument string
}

// Field is one field of a block: an argument, a name or a label. Which of these it is depends on
// the protocol.
type Field struct {
	// Name is the key as written, without decoration, or "" if the field has no key.
	Name string
	// Start is the offset of the name in the reply.
	Start int
	// Value is the text of the value, as far as it was written.
	Value string
	JSON  bool // Value is one JSON value
	Role  scan.FieldRole
	// Open is set if the reply ended in the value. Only the last field can be open, and then it is
	// not part of a request.
	Open bool
}

// Repair is a repair that was needed to read a request. If it is not allowed, the request is
// invalid.
type Repair struct {
	Name string
	Span Span
}

// Dropped is a part of a reply that is neither shown nor run.
type Dropped struct {
	Span   Span
	Reason DropReason
}

// DropReason names why a part of a reply was dropped.
type DropReason string

// DropFabricatedResult is a tool result that the model fabricated, and everything after it.
const DropFabricatedResult DropReason = "fabricated_result"

// Notice is a remark on a reply that concerns no request that will run.
type Notice struct {
	Code    NoticeCode
	Span    Span
	Message string
}

// NoticeCode names a kind of notice.
type NoticeCode string

const (
	// NoticeMalformedRequest is something that looks like a request and cannot be read as one.
	NoticeMalformedRequest NoticeCode = "malformed_request"
	// NoticeUnrunRequest is a request that is quoted or in reasoning, in a reply that has only such
	// requests. It is also a request that would have run if a lone closing tag had not made it
	// reasoning.
	NoticeUnrunRequest NoticeCode = "unrun_request"
	// NoticeForeignRequest is a request in the form of another protocol, which is never run. The
	// reply has no requests of the protocol in use, or only quoted ones and ones in reasoning.
	NoticeForeignRequest NoticeCode = "foreign_request"
	// NoticeUnreadRequests says how many requests over a limit are missing from Reply.Requests, and
	// where they are.
	NoticeUnreadRequests NoticeCode = "unread_requests"
)

// Ready returns the requests that may run, in order.
func (r *Reply) Ready() []Request {
	var ready []Request
	for _, q := range r.Requests {
		if q.Status == StatusReady {
			ready = append(ready, q)
		}
	}
	return ready
}

// RepairCounts returns how often each repair was needed, by name, over all requests of any status.
// What the requests of one batch share counts once. It is nil if nothing needed a repair.
func (r *Reply) RepairCounts() map[string]int {
	var counts map[string]int
	var seen map[Repair]bool
	for i := range r.Requests {
		for _, repair := range r.Requests[i].Repairs {
			if seen[repair] {
				continue
			}
			if counts == nil {
				counts, seen = map[string]int{}, map[Repair]bool{}
			}
			seen[repair] = true
			counts[repair.Name]++
		}
	}
	return counts
}
