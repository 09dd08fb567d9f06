package engine

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// EventKind says what an Event tells.
type EventKind uint8

// The kinds of event. Those up to EventProtocolError come while the model writes, the EventTool kinds after its reply is complete.
const (
	// EventText is a piece of what a person sees: Text.
	EventText EventKind = iota + 1
	// EventReasoning is a piece of reasoning, whether the server sent it apart or it stands in the reply: Text.
	EventReasoning
	// EventRequestStarted tells that a request was found: RequestID, and Name as the model wrote it. For display only.
	EventRequestStarted
	// EventArgumentDelta is a piece of an argument: RequestID, Name, Text. For display only. Of a native call it is a piece of the JSON
	// text of all arguments, without Name.
	EventArgumentDelta
	// EventArgumentVoided takes back the deltas of an argument: RequestID, Name.
	EventArgumentVoided
	// EventRequestDone tells what was read: RequestID, Request. Statuses are final only in the Turn.
	EventRequestDone
	// EventReclassified tells that all text and all requests of this reply so far were reasoning.
	EventReclassified
	// EventDropped is a part of the reply that is neither shown nor run: Text, Reason.
	EventDropped
	// EventNotice is a remark on the reply: Notice.
	EventNotice
	// EventProtocolError tells that the protocol failed to read the reply: Err. What follows is text, and nothing of it runs.
	EventProtocolError
	// EventToolStarted tells that a tool begins to run: RequestID, Method, Arguments.
	EventToolStarted
	// EventToolHandedOut tells that the application is to run a host-run method, and to answer with Session.Answer: RequestID, Name,
	// Method, Arguments.
	EventToolHandedOut
	// EventToolProgress is what a running tool tells: RequestID, Text.
	EventToolProgress
	// EventToolDone is the outcome of a request, refused ones included: RequestID, Result.
	EventToolDone
	// EventTurnDone closes a reply and what came of it: Turn. It comes also where the reply was cut short.
	EventTurnDone
	// EventRunDone is the last item of every run: Stop. An error, where there is one, comes along with it.
	EventRunDone
)

var eventKinds = [...]string{
	EventText: "text", EventReasoning: "reasoning", EventRequestStarted: "request_started", EventArgumentDelta: "argument_delta",
	EventArgumentVoided: "argument_voided", EventRequestDone: "request_done", EventReclassified: "reclassified",
	EventDropped: "dropped", EventNotice: "notice", EventProtocolError: "protocol_error", EventToolStarted: "tool_started",
	EventToolHandedOut: "tool_handed_out", EventToolProgress: "tool_progress", EventToolDone: "tool_done", EventTurnDone: "turn_done", EventRunDone: "run_done",
}

// String returns the kind in words joined by underscores, such as "tool_done".
func (k EventKind) String() string {
	if int(k) < len(eventKinds) && eventKinds[k] != "" {
		return eventKinds[k]
	}
	return fmt.Sprintf("EventKind(%d)", uint8(k))
}

// Event is one step of a run. Which fields are set beside the first three depends on Kind. What it points to is the receiver's.
type Event struct {
	Kind EventKind
	Time time.Time
	// Iteration counts the replies of the run, from 1.
	Iteration int

	// RequestID is the engine's own id of a request: executor.Request.ID.
	RequestID string
	// Name is the name of a tool or of an argument.
	Name      string
	Text      string
	Request   *parser.Request
	Method    *tool.Entry
	Arguments json.RawMessage
	Result    *executor.Result
	Reason    parser.DropReason
	Notice    *parser.Notice
	Err       error
	Turn      *Turn
	Stop      StopReason
}

// Turn is one reply and what came of it.
type Turn struct {
	Iteration int
	Started   time.Time
	Duration  time.Duration
	// Raw is the reply as the model wrote it.
	Raw string
	// Reply is what was read in it. Reply.Finish is protocol.FinishUnknown where the reply was cut short: then nothing ran.
	Reply parser.Reply
	// Reasoning is what the server sent apart, followed by Reply.Reasoning.
	Reasoning string
	Usage     *Usage // nil where the server does not tell
	// Requests are what the reply asks for, requests that could not be read included. Quoted ones are not among them.
	Requests []executor.Request
	// Results hold one for each of Requests, in order, unless nothing was to be run.
	Results []executor.Result
	// HandedOut tells that mode manual leaves Requests to the application, which must answer all of them before the model is asked
	// again.
	HandedOut bool
	// Assistant is the reply as it belongs into the conversation: without what was dropped, and without requests that are neither
	// answered nor handed out. Its Content may be "".
	Assistant protocol.Message
	// ToolMessages tell the model of the Results of native calls, one message a call, in the model's order.
	ToolMessages []protocol.Message
	// ResultMessage tells the model of the Results of requests in text; nil where there are none.
	ResultMessage *protocol.Message

	calls []protocol.ToolCall // native ones, sound or not
}

// Messages returns what the turn adds to the conversation: the reply, then the outcomes of native calls, then those of requests in text.
func (t *Turn) Messages() []protocol.Message {
	var list []protocol.Message
	if t.Assistant.Content != "" || len(t.Assistant.ToolCalls) > 0 {
		list = append(list, t.Assistant)
	}
	list = append(list, t.ToolMessages...)
	if t.ResultMessage != nil {
		list = append(list, *t.ResultMessage)
	}
	return list
}

// StopReason says why a run ended.
type StopReason string

const (
	// StopDone is a reply that asks for nothing more.
	StopDone StopReason = "done"
	// StopMaxIterations is a run whose last reply had to do without tools.
	StopMaxIterations StopReason = "max_iterations"
	// StopCanceled is a run whose context ended. The error is the context's cause.
	StopCanceled StopReason = "canceled"
	// StopModelError is a model that failed, or none at all. The error says why.
	StopModelError StopReason = "model_error"
	// StopIncomplete is a reply that ended before the model did: cut off without a finish reason, in which case nothing in it ran,
	// or a text ended for another reason than that the model had said all, such as a token limit.
	StopIncomplete StopReason = "incomplete"
	// StopManual is a reply whose requests are handed out in mode manual. The application answers them and goes on with another
	// run.
	StopManual StopReason = "manual"
)
