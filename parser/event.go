package parser

import (
	"log/slog"

	"github.com/vcpgo/vcp/protocol"
)

// EventKind says what an Event tells.
type EventKind uint8

// The kinds of event, in the order in which a request's come.
const (
	// EventText is visible text: Data.
	EventText EventKind = iota + 1
	// EventReasoning is text of a reasoning section: Data.
	EventReasoning
	// EventRequestStarted tells that a request was found and how it is named: Request and Name. It is sent at most once a
	// request, and for display only. A request that stands in code, in a quotation or in reasoning is text, or reasoning, first:
	// of it only EventRequestDone tells.
	EventRequestStarted
	// EventArgumentDelta is a piece of an argument's final text: Request, Name and Data. For display only.
	EventArgumentDelta
	// EventRequestDone tells what was read: Request and Result. Its status may still change until Close.
	EventRequestDone
	// EventDropped is a part that is neither shown nor run: Data and Reason.
	EventDropped
	// EventReclassified tells that all text and all requests before it were reasoning.
	EventReclassified
	// EventArgumentVoided takes back the deltas of an argument: Request and Name.
	EventArgumentVoided
	// EventNotice is a remark: Notice.
	EventNotice
	// EventError tells that the protocol failed: Err. What follows is text.
	EventError
)

// Event is one step in the reading of a reply. Data and Name are valid until the next call of the parser that made the event.
type Event struct {
	Kind    EventKind
	Request string // the request's ID
	Name    []byte
	Data    []byte
	Result  *Request
	Reason  DropReason
	Notice  *Notice
	Err     error
}

// Options set up a Parser. The zero value reads at level safe, skips quoted requests and ignores those in reasoning.
type Options struct {
	Tolerance protocol.Tolerance
	// Disabled names repairs to switch off. A name that the protocol does not know is an error of New.
	Disabled  []string
	Quoted    QuotedPolicy
	Reasoning ReasoningPolicy
	Limits    Limits
	// Finish is the finish reason for ParseToolRequests; "" is taken as FinishUnknown.
	Finish protocol.FinishReason
	// TakesArgument is passed on to the scanner.
	TakesArgument func(toolName, argument string) bool
	// Logger receives a protocol's failures; nil is slog.Default.
	Logger *slog.Logger
}

// Limits bound what one reply may cost; 0 is the default.
type Limits struct {
	BlockBytes int // 4 MiB
	Blocks     int // 64 a reply
	Fields     int // 256 a block
	KeyBytes   int // 128
}
