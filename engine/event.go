package engine

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// EventKind says what an Event reports.
type EventKind uint8

// The kinds of event. Those up to EventProtocolError are sent while the model writes. The EventTool
// kinds follow when its reply is complete.
const (
	// EventText is a piece of what a person sees: Text.
	EventText EventKind = iota + 1
	// EventReasoning is a piece of reasoning, from the server's own field or from the reply: Text.
	EventReasoning
	// EventRequestStarted reports that a request was found: RequestID, and Name as the model wrote
	// it. For display only.
	EventRequestStarted
	// EventArgumentDelta is a piece of an argument: RequestID, Name, Text. For display only. For a
	// native call it is a piece of the JSON of all arguments, without Name.
	EventArgumentDelta
	// EventArgumentVoided withdraws the deltas of an argument: RequestID, Name.
	EventArgumentVoided
	// EventRequestDone reports what was read: RequestID, Request. Statuses are final only with
	// EventTurnDone.
	EventRequestDone
	// EventReclassified reports that all text and all requests of this reply so far were reasoning.
	EventReclassified
	// EventDropped is a part of the reply that is neither shown nor run: Text, Reason.
	EventDropped
	// EventNotice is a remark on the reply: Notice.
	EventNotice
	// EventProtocolError reports that the protocol failed to read the reply: Err. The rest is plain
	// text, and nothing of it runs.
	EventProtocolError
	// EventApprovalNeeded reports that Options.Approver is asked for approval: RequestID, Name,
	// Method, Arguments, Approval. The call waits for the decision. Each question is reported.
	EventApprovalNeeded
	// EventToolStarted reports that a tool starts to run: RequestID, Name, Method, Arguments.
	EventToolStarted
	// EventToolDispatched asks the application to run a host-run method and to call
	// Session.Complete: RequestID, Name, Method, Arguments.
	EventToolDispatched
	// EventToolProgress is an update from a running tool: RequestID, Text.
	EventToolProgress
	// EventToolDone is the outcome of a request, refused ones included: RequestID, Name, Result.
	// Name is what the model wrote if it named no method, and may be "" then.
	EventToolDone
	// EventTurnDone ends one reply and its calls, an aborted one too: Turn. A run can have several.
	EventTurnDone
	// EventRunDone is the last item of every run: Stop, Limit if the run reached one, and Err if it
	// failed, which also comes with the event.
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

// Event is one step of a run. Kind, Time and Iteration are always set; the constant of its Kind
// names the others. The receiver owns what an event points to. An event has a JSON form with stable
// names, for pages and programs in other languages.
type Event struct {
	Kind EventKind
	Time time.Time
	// Iteration counts the replies of the run, from 1.
	Iteration int

	// RequestID is the engine's own id of a request: executor.Request.ID.
	RequestID string
	// Name is the name of an argument or of a tool. Once the method is known, it is the method's
	// full name.
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

// Turn is one reply and its results. A user's message can lead to several.
type Turn struct {
	Iteration int
	Started   time.Time
	Duration  time.Duration
	// Raw is the reply as the model wrote it.
	Raw string
	// Reply is what the parser read. Unless Reply.Finish is complete, nothing ran and no request is
	// ready.
	Reply parser.Reply
	// Reasoning is what the server sent as reasoning, followed by Reply.Reasoning.
	Reasoning string
	// Usage is nil if the server does not report it.
	Usage *Usage
	// Continued is how often the model was asked to continue this reply, because the token limit
	// truncated it in a request. Raw holds all parts as one text, and Usage adds them up.
	Continued int
	// Requests are what the reply requests, unreadable requests included. Quoted ones are not among
	// them.
	Requests []executor.Request
	// Results hold one for each of Requests, in order, unless nothing was to run.
	Results []executor.Result
	// Dispatched reports that mode manual leaves Requests to the application. It must supply all
	// results before the model is asked again.
	Dispatched bool
	// Assistant is the reply as it belongs in the conversation. It omits what was dropped, and
	// requests that neither have a result nor were dispatched. Its Content may be "".
	Assistant protocol.Message
	// ToolMessages contain the Results of native calls, one message a call, in the model's order.
	// They are data and not neutralized yet.
	ToolMessages []protocol.Message
	// ResultMessage contains the Results of requests in text and the engine's remarks; nil if there
	// are none. It is data: Results and Examples become text when the model is shown them, as by
	// Session.Render.
	ResultMessage *protocol.Message

	runs      bool                // Requests get results here
	calls     []protocol.ToolCall // native calls, valid or not
	requested int                 // how many requests there were, unread ones included
	missed    []missedRequest     // requests that did not run because of their place or form
	rewritten []parser.Span       // truncated or repeated requests that the model wrote again
}

// Messages returns what the turn adds to the conversation: the reply, then the results of native
// calls, then those of requests in text.
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
	// StopDone is a reply that requests nothing more.
	StopDone StopReason = "done"
	// StopMaxIterations is a run that reached a limit, which Event.Limit names. Usually the model
	// has written one last reply without tools.
	StopMaxIterations StopReason = "max_iterations"
	// StopCanceled is a run whose context ended. The error is the context's cause.
	StopCanceled StopReason = "canceled"
	// StopNoProgress is a run that loop detection ended. The model made the same calls with the
	// same results three times, or nothing could run in too many replies in a row. Event.Limit says
	// which. The model has written one last reply without tools.
	StopNoProgress StopReason = "no_progress"
	// StopModelError is a model that failed, or a missing one. The error says why.
	StopModelError StopReason = "model_error"
	// StopJournalError is a run whose journal failed. The error is a *JournalError. What had not
	// started was canceled.
	StopJournalError StopReason = "journal_error"
	// StopIncomplete is a reply that ended before the model did. It has no finish reason, two
	// different ones, or one that does not mean the end, such as content_filter. A text that was
	// truncated at the token limit is incomplete too. So is a reply longer than
	// Config.MaxReplyBytes, and Event.Limit says so. Nothing of such a reply ran.
	StopIncomplete StopReason = "incomplete"
	// StopManual is a reply whose requests are dispatched in mode manual. The application supplies
	// the results and continues with another run.
	StopManual StopReason = "manual"
)

// Limit names the limit that a run has reached.
type Limit string

// The limits, named after the fields of Config that set them. LimitRepeats and LimitMistakes are
// fixed.
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

// omittedSpans returns the parts of the reply that the model must not see again.
func (t *Turn) omittedSpans() []parser.Span {
	if len(t.Reply.Dropped) == 0 {
		return t.rewritten
	}
	spans := slices.Clone(t.rewritten)
	for _, d := range t.Reply.Dropped {
		spans = append(spans, d.Span)
	}
	return spans
}

// settle decides what becomes of the requests of a reply, and so how it belongs in the
// conversation. stop is why the run ends with it, if it does, and tools says that tools are
// available. The model wrote its requests in the protocol with that ID.
func (t *Turn) settle(stop StopReason, tools bool, protocolID string) {
	t.Dispatched = stop == StopManual
	t.runs = stop == "" && tools && len(t.Requests) > 0
	t.Assistant = protocol.Message{
		Role: protocol.RoleAssistant, Origin: protocol.OriginModel, Protocol: protocolID, Content: omitSpans(t.Raw, t.omittedSpans()),
	}
	switch {
	case t.runs, t.Dispatched:
		t.Assistant.ToolCalls = t.calls
	case len(t.Requests) > 0:
		// A request without a result would confuse the model. The text around the requests must not
		// join to form a new one.
		t.Assistant.Content, t.Assistant.Protocol = t.Reply.Text.String(), protocol.NoProtocol
	}
}

// isEmpty reports whether the model wrote nothing.
func (t *Turn) isEmpty() bool {
	return t.Raw == "" && t.Reasoning == "" && len(t.Requests) == 0 && len(t.calls) == 0
}

// omitSpans returns the reply without the spans.
func omitSpans(raw string, spans []parser.Span) string {
	if len(spans) == 0 {
		return raw
	}
	slices.SortFunc(spans, func(a, b parser.Span) int { return a.Start - b.Start })
	var kept strings.Builder
	at := 0
	for _, s := range spans {
		start, end := min(s.Start, len(raw)), min(s.End, len(raw))
		if start > at {
			kept.WriteString(raw[at:start])
		}
		at = max(at, end)
	}
	kept.WriteString(raw[at:])
	return kept.String()
}
