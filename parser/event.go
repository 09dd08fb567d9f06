package parser

// EventKind says what an Event reports.
type EventKind uint8

// The kinds of event. After a colon are the fields of Event that the kind sets.
const (
	// EventText is visible text: Data and At.
	EventText EventKind = iota + 1
	// EventReasoning is text of a reasoning section: Data and At.
	EventReasoning
	// EventRequestStarted reports a request and its name: RequestID and Name. It is sent at most
	// once per request, and for display only. For a request in code, in a blockquote or in
	// reasoning it is sent at the request's end, and only if the policies surely let the request
	// run. Otherwise only EventRequestDone reports the request.
	EventRequestStarted
	// EventArgumentDelta is a piece of an argument's final text: RequestID, Name and Data. Name is
	// the key as written. If a request of a batch or a misspelled key means another name,
	// EventRequestDone says which. The deltas are for display only.
	EventArgumentDelta
	// EventRequestDone is a request as it was read: RequestID and Request. Its status may still
	// change until Close.
	EventRequestDone
	// EventDropped is a part that is neither shown nor run: Data, At and Reason.
	EventDropped
	// EventReclassified says that all text before it was reasoning, and so were all requests,
	// except those over a limit.
	EventReclassified
	// EventArgumentVoided withdraws the deltas of an argument: RequestID and Name.
	EventArgumentVoided
	// EventNotice is a remark: Notice.
	EventNotice
	// EventError says that the protocol failed: Err. What follows is text.
	EventError
	// EventReply is the last event that the function Events yields: Reply, in which statuses are
	// final. Parser.Close returns the reply instead.
	EventReply
)

var eventKinds = [...]string{
	EventText: "text", EventReasoning: "reasoning",
	EventRequestStarted: "request_started", EventArgumentDelta: "argument_delta", EventRequestDone: "request_done",
	EventDropped: "dropped", EventReclassified: "reclassified", EventArgumentVoided: "argument_voided",
	EventNotice: "notice", EventError: "error", EventReply: "reply",
}

// String returns the name of the kind, such as "request_done".
func (k EventKind) String() string { return valueName(eventKinds[:], k, "EventKind") }

// Event is one step in the reading of a reply. Data and Name are valid until the next call of the
// parser that made the event.
type Event struct {
	Kind      EventKind
	RequestID string // the request's ID
	Name      []byte
	Data      []byte
	// At is the offset of Data in the reply, for EventText, EventReasoning and EventDropped.
	At      int
	Request *Request
	Reason  DropReason
	Notice  *Notice
	Err     error
	Reply   *Reply
}
