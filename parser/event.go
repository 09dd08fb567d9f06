package parser

import (
	"fmt"
	"log/slog"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// EventKind says what an Event reports.
type EventKind uint8

// The kinds of event.
const (
	// EventText is visible text: Data.
	EventText EventKind = iota + 1
	// EventReasoning is text of a reasoning section: Data.
	EventReasoning
	// EventRequestStarted reports a request and its name: RequestID and Name. It is sent at most
	// once per request, and for display only. For a request in code, in a blockquote or in
	// reasoning it is sent at the request's end, if the policies let the request run. If not, the
	// request is text or reasoning, and only EventRequestDone reports it.
	EventRequestStarted
	// EventArgumentDelta is a piece of an argument's final text: RequestID, Name and Data. Name is
	// the key as written. If a request of a batch or a misspelled key means another name,
	// EventRequestDone says which. It is for display only.
	EventArgumentDelta
	// EventRequestDone is a request as it was read: RequestID and Request. Its status may still
	// change until Close.
	EventRequestDone
	// EventDropped is a part that is neither shown nor run: Data and Reason.
	EventDropped
	// EventReclassified says that all text before it was reasoning, and so were all requests,
	// except those past a limit.
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
	EventText: "text", EventReasoning: "reasoning", EventRequestStarted: "request_started", EventArgumentDelta: "argument_delta",
	EventRequestDone: "request_done", EventDropped: "dropped", EventReclassified: "reclassified", EventArgumentVoided: "argument_voided",
	EventNotice: "notice", EventError: "error", EventReply: "reply",
}

// String returns the name of the kind: "text", "request_done", ….
func (k EventKind) String() string { return valueName(eventKinds[:], k, "EventKind") }

// valueName returns the name of a value, or its type and number if it has none.
func valueName[T ~uint8](names []string, value T, kind string) string {
	if int(value) < len(names) && names[value] != "" {
		return names[value]
	}
	return fmt.Sprintf("%s(%d)", kind, uint8(value))
}

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

// Options configure a Parser. The zero value reads at level safe, skips quoted requests and ignores
// those in reasoning.
type Options struct {
	Tolerance scan.Tolerance
	// Disabled names repairs to switch off. A name that the protocol does not know is an error of
	// New.
	Disabled  []string
	Quoted    QuotedPolicy
	Reasoning ReasoningPolicy
	Limits    Limits
	// StopAtResult ends the reading at a result that the model fabricated. The text after its
	// opening mark is dropped and not read, so it does not matter how much of that text arrived.
	StopAtResult bool
	// Finish is the finish reason for ParseToolRequests and Events; a Parser takes it in Close. The
	// words of model servers mean what protocol.ParseFinishReason says, and are kept in
	// Reply.Finish.
	Finish protocol.FinishReason
	// TakesArgument is passed on to the scanner. If it panics, that counts as a panic of the
	// protocol.
	TakesArgument func(toolName, argument string) bool
	// Logger receives a protocol's failures; nil is slog.Default.
	Logger *slog.Logger
}

// maxKeyBytes is the largest limit of a key: a scanner looks back no further for its start.
const maxKeyBytes = scan.History / 2

// check returns an error for an option that has no meaning.
func (o *Options) check() error {
	switch {
	case o.Tolerance > scan.Greedy:
		return fmt.Errorf("parser: tolerance is %v; allowed are safe, strict and greedy", o.Tolerance)
	case o.Limits.KeyBytes > maxKeyBytes:
		return fmt.Errorf("parser: the limit of a key's size is %d bytes; allowed are up to %d", o.Limits.KeyBytes, maxKeyBytes)
	case int(o.Quoted) >= len(quotedPolicies):
		return fmt.Errorf("parser: the policy for quoted requests is %v; allowed are skip, run and auto", o.Quoted)
	case int(o.Reasoning) >= len(reasoningPolicies):
		return fmt.Errorf("parser: the policy for requests in reasoning is %v; allowed are ignore, run and run_if_nothing_else", o.Reasoning)
	}
	return nil
}

// Limits limit what one reply may cost; 0 or less means the default.
type Limits struct {
	BlockBytes int // scan.MaxBlockBytes
	Blocks     int // scan.MaxBlocks a reply
	Fields     int // scan.MaxFields a block
	KeyBytes   int // scan.MaxKeyBytes; at most 512
}

func (l *Limits) setDefaults() {
	if l.BlockBytes <= 0 {
		l.BlockBytes = scan.MaxBlockBytes
	}
	if l.Blocks <= 0 {
		l.Blocks = scan.MaxBlocks
	}
	if l.Fields <= 0 {
		l.Fields = scan.MaxFields
	}
}
