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
	// EventRequestDone tells what was read: RequestID, Request. Statuses are final only with EventTurnDone.
	EventRequestDone
	// EventReclassified tells that all text and all requests of this reply so far were reasoning.
	EventReclassified
	// EventDropped is a part of the reply that is neither shown nor run: Text, Reason.
	EventDropped
	// EventNotice is a remark on the reply: Notice.
	EventNotice
	// EventProtocolError tells that the protocol failed to read the reply: Err. What follows is text, and nothing of it runs.
	EventProtocolError
	// EventApprovalNeeded tells that Options.Approver is asked for leave: RequestID, Name, Method, Arguments, Approval. The call waits
	// for its answer, and each question is told of.
	EventApprovalNeeded
	// EventToolStarted tells that a tool begins to run: RequestID, Name, Method, Arguments.
	EventToolStarted
	// EventToolDispatched tells that the application is to run a host-run method, and to answer with Session.Complete: RequestID, Name,
	// Method, Arguments.
	EventToolDispatched
	// EventToolProgress is what a running tool tells: RequestID, Text.
	EventToolProgress
	// EventToolDone is the outcome of a request, refused ones included: RequestID, Name, Result. Name is what the model wrote where it named
	// no method, and may be "" then.
	EventToolDone
	// EventTurnDone closes a reply and what came of it: Turn. It comes also where the reply was cut short.
	EventTurnDone
	// EventRunDone is the last item of every run: Stop, and Limit where the run reached a bound. An error, where there is one, comes along
	// with it.
	EventRunDone
)

var eventKinds = [...]string{
	EventText: "text", EventReasoning: "reasoning", EventRequestStarted: "request_started", EventArgumentDelta: "argument_delta",
	EventArgumentVoided: "argument_voided", EventRequestDone: "request_done", EventReclassified: "reclassified",
	EventDropped: "dropped", EventNotice: "notice", EventProtocolError: "protocol_error", EventApprovalNeeded: "approval_needed",
	EventToolStarted: "tool_started", EventToolDispatched: "tool_dispatched", EventToolProgress: "tool_progress",
	EventToolDone: "tool_done", EventTurnDone: "turn_done", EventRunDone: "run_done",
}

// String returns the kind in words joined by underscores, such as "tool_done".
func (k EventKind) String() string {
	if int(k) < len(eventKinds) && eventKinds[k] != "" {
		return eventKinds[k]
	}
	return fmt.Sprintf("EventKind(%d)", uint8(k))
}

// Event is one step of a run. Which fields are set beside the first three depends on Kind: those that its constant names, and no others.
// What it points to is the receiver's.
type Event struct {
	Kind EventKind
	Time time.Time
	// Iteration counts the replies of the run, from 1.
	Iteration int

	// RequestID is the engine's own id of a request: executor.Request.ID.
	RequestID string
	// Name is the name of an argument or, elsewhere, of a tool: a method's full name once it is known which method is meant.
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
	Turn      *Turn
	Stop      StopReason
	Limit     Limit
}

// Turn is one reply and what came of it.
type Turn struct {
	Iteration int
	Started   time.Time
	Duration  time.Duration
	// Raw is the reply as the model wrote it.
	Raw string
	// Reply is what was read in it. Unless Reply.Finish is complete, nothing ran, and no request is ready.
	Reply parser.Reply
	// Reasoning is what the server sent apart, followed by Reply.Reasoning.
	Reasoning string
	// Usage is nil where the server does not tell.
	Usage *Usage
	// Continued is how often the model was asked to go on with this reply, since it was cut at the token limit in a request. Raw holds
	// all parts as one text, and Usage is of all.
	Continued int
	// Requests are what the reply asks for, requests that could not be read included. Quoted ones are not among them.
	Requests []executor.Request
	// Results hold one for each of Requests, in order, unless nothing was to be run.
	Results []executor.Result
	// Dispatched tells that mode manual leaves Requests to the application, which must answer all of them before the model is asked
	// again.
	Dispatched bool
	// Assistant is the reply as it belongs into the conversation: without what was dropped, and without requests that are neither
	// answered nor handed out. Its Content may be "".
	Assistant protocol.Message
	// ToolMessages tell the model of the Results of native calls, one message a call, in the
	// model's order. They are data, not neutralized yet.
	ToolMessages []protocol.Message
	// ResultMessage tells the model of the Results of requests in text, and what else it has to
	// know; nil if there is nothing. It is data: Results and Examples are written as text when the
	// model is shown them, and Session.Render shows how.
	ResultMessage *protocol.Message

	calls     []protocol.ToolCall // native ones, sound or not
	requested int                 // how many requests there were, those included that were not read
	rewritten []parser.Span       // requests that the model gave up and wrote anew
}

// Messages returns what the turn adds to the conversation: the reply, then the outcomes of native calls, then those of requests in text.
func (t *Turn) Messages() []protocol.Message {
	list := make([]protocol.Message, 0, len(t.ToolMessages)+2)
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
	// StopMaxIterations is a run that reached a bound, which Event.Limit names. Mostly the model has had one last reply without tools.
	StopMaxIterations StopReason = "max_iterations"
	// StopCanceled is a run whose context ended. The error is the context's cause.
	StopCanceled StopReason = "canceled"
	// StopNoProgress is a run that turned in a circle: the model made the same calls with the same results three times, or asked
	// three times in a row for nothing that could run. Event.Limit says which. All requests have been answered.
	StopNoProgress StopReason = "no_progress"
	// StopModelError is a model that failed, or none at all. The error says why.
	StopModelError StopReason = "model_error"
	// StopIncomplete is a reply that ended before the model did: without a finish reason, with two different ones, or with one that does
	// not mean the end, such as content_filter. Nothing in it ran. It is also a text that was truncated at the token limit. A reply longer
	// than Config.MaxReplyBytes is truncated, and Event.Limit says so.
	StopIncomplete StopReason = "incomplete"
	// StopManual is a reply whose requests are handed out in mode manual. The application answers them and goes on with another
	// run.
	StopManual StopReason = "manual"
)

// Limit names the bound that a run has reached.
type Limit string

// The limits, by the fields of Config that set them. Those of LimitRepeats and LimitMistakes are fixed.
const (
	LimitIterations Limit = "maxIterations"
	LimitRequests   Limit = "maxRequests"
	LimitReplyBytes Limit = "maxReplyBytes"
	LimitCalls      Limit = "maxCalls"
	LimitTime       Limit = "maxTime"
	LimitTokens     Limit = "maxTokens"
	LimitRepeats    Limit = "repeats"
	LimitMistakes   Limit = "mistakes"
)
