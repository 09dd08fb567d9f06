package engine

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/tool"
)

// EventKind says what an Event reports.
type EventKind uint8

// The kinds of event. Those up to EventProtocolError are about the reply, and most are sent while
// the model writes it. Those about approval and tools follow when the reply is complete. The names
// after a colon are the fields of the Event that the kind sets.
const (
	// EventText is a piece of what a person sees: Text.
	EventText EventKind = iota + 1
	// EventReasoning is a piece of reasoning, which the server sent apart from the reply or which
	// the reply contains: Text.
	EventReasoning
	// EventRequestStarted reports that a request was found: RequestID, and Name as the model wrote
	// it. It is for display only.
	EventRequestStarted
	// EventArgumentDelta is a piece of an argument: RequestID, Name, Text. It is for display only.
	// For a native call it is a piece of the JSON of all arguments, without Name.
	EventArgumentDelta
	// EventArgumentVoided withdraws the deltas of an argument: RequestID, Name.
	EventArgumentVoided
	// EventRequestDone reports a request that was read: RequestID, Request. The Status of a request
	// is final only with EventIterationDone.
	EventRequestDone
	// EventReclassified reports that all text and all requests of this reply so far belong to the
	// model's reasoning.
	EventReclassified
	// EventDropped is a part of the reply that is neither shown nor run: Text, Reason.
	EventDropped
	// EventNotice is a note on the reply, for people: Notice.
	EventNotice
	// EventProtocolError reports that the protocol failed to read the reply: Err. The rest of the
	// reply is plain text, and nothing of the reply runs.
	EventProtocolError
	// EventApprovalNeeded reports that Options.Approver is asked for approval: RequestID, Name,
	// Method, Arguments, Approval. The call waits for the decision. A call for which the Approver
	// is asked twice has two such events.
	EventApprovalNeeded
	// EventToolStarted reports that a tool starts to run: RequestID, Name, Method, Arguments.
	EventToolStarted
	// EventToolDispatched asks the application to run a host-run method and to call
	// Session.Complete: RequestID, Name, Method, Arguments.
	EventToolDispatched
	// EventToolProgress is an update from a running tool: RequestID, Text.
	EventToolProgress
	// EventToolDone is the outcome of a request, also of a refused one: RequestID, Name, Result. If
	// the request named no method, Name is what the model wrote, and may be "".
	EventToolDone
	// EventIterationDone ends a reply and its calls, even if the reply was aborted: Iteration.
	EventIterationDone
	// EventRunDone is the last item of every run: Stop, Limit if the run reached one, and Err if
	// the run failed. The sequence yields the same error with the event.
	EventRunDone
)

var eventKinds = [...]string{
	EventText: "text", EventReasoning: "reasoning", EventRequestStarted: "request_started",
	EventArgumentDelta: "argument_delta", EventArgumentVoided: "argument_voided",
	EventRequestDone: "request_done", EventReclassified: "reclassified", EventDropped: "dropped",
	EventNotice: "notice", EventProtocolError: "protocol_error", EventApprovalNeeded: "approval_needed",
	EventToolStarted: "tool_started", EventToolDispatched: "tool_dispatched", EventToolProgress: "tool_progress",
	EventToolDone: "tool_done", EventIterationDone: "iteration_done", EventRunDone: "run_done",
}

// String returns the kind in words joined by underscores, such as "tool_done".
func (k EventKind) String() string {
	if int(k) < len(eventKinds) && eventKinds[k] != "" {
		return eventKinds[k]
	}
	return fmt.Sprintf("EventKind(%d)", uint8(k))
}

// Event is one step of a run. Each event of a run has a Kind, a Time and an IterationNumber. The
// constant of the Kind names the other fields that may be set. The receiver may keep what an event
// points to, and must not change it. An event has a JSON form with stable names, for pages and
// programs in other languages.
type Event struct {
	Kind EventKind
	Time time.Time
	// IterationNumber counts the replies of the run, from 1. It is 0 before the first reply, as in
	// the results that chat.Conversation.Resolve yields first.
	IterationNumber int

	// RequestID is the engine's own id of a request: executor.Request.ID.
	RequestID string
	// Name is the name of an argument, or of the tool of a request. Once the method of the request
	// is known, the tool's name is the full name of that method.
	Name      string
	Text      string
	Request   *parser.Request
	Method    *tool.Entry
	Arguments json.RawMessage
	Approval  *executor.Question
	Result    *executor.Result
	Reason    parser.DropReason
	Notice    *parser.Notice
	Err       error
	Iteration *Iteration
	Stop      StopReason
	Limit     Limit
}
