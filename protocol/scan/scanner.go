// Package scan is the contract between a text protocol and the parser that drives it. A protocol's
// Scanner cuts a reply into tokens and reads the fields of each request. It is for those who write
// a protocol. Others use parts of it: the error of a request, the tolerance of a reader, and the
// default limits.
package scan

import "errors"

// ErrShort is returned by Scanner.Scan if more input could change the token.
var ErrShort = errors.New("scan: more input could change the token")

// History is how many bytes before the next token a Scanner may look back at.
const History = 1024

// A Scanner cuts one reply into tokens. It is not safe for concurrent use.
type Scanner interface {
	// Scan returns the token that begins at src[from:] and its length n in bytes. It is called
	// again with the offset after that token. n may be 0 for a token that marks a place; at most 8
	// such tokens come in a row.
	//
	// ErrShort means that more input could change the token. It is never returned if atEOF. In the
	// next call src[from:] begins with the same bytes. The scanner remembers how far it has
	// examined them, so the work is linear in the input, however it is cut.
	//
	// The bytes before src[from] were returned as tokens. The caller keeps the last History bytes
	// of them in src, or all if there are fewer, and the scanner looks back no further. The scanner
	// neither changes src, which may be read-only memory, nor keeps it: the next call may pass
	// other memory. The token is the scanner's, valid until its next call. Slices of the token
	// alias src or memory of the scanner.
	Scan(src []byte, from int, atEOF bool) (n int, tok *Token, err error)

	// Abort ends the open request and returns the scanner to text, because the caller decided that
	// the request ends here or is not a request. The next token begins the given number of bytes
	// before the end of the last one.
	Abort(back int)

	// Requests reads the fields of one ended request: one reading, or several if the protocol has
	// batches. If the caller ends the request itself, Abort comes first. Some or all fields may be
	// missing if the reply ended in the request or the request is over a limit. The list and the
	// arguments of its readings are valid until the next call of the scanner; they may share the
	// memory of fields. The error of a reading belongs to the caller.
	Requests(fields []Field) []Reading
}

// An Extender is a Scanner that makes streams of small pieces fast.
type Extender interface {
	// Extend reports whether all of src[from:] continues the last token, a TokenText or TokenValue
	// that ended at src[from], and if so reads it. False is always allowed. src is as for Scan, and
	// more input may follow. The caller may also call it after ErrShort, if Scan has decided
	// everything except an angle bracket at src[from].
	Extend(src []byte, from int) bool
}

// A Meter is a Scanner that counts its work. The conformance kit needs it to show that the work is
// linear.
type Meter interface {
	// Examined returns how many bytes the scanner examined. Bytes that are examined twice count
	// twice.
	Examined() int
}

// A Releaser is a Scanner whose memory may be used for another reply.
type Releaser interface {
	// Release makes the memory available again. Afterwards the caller uses neither the scanner nor
	// its readings.
	Release()
}

// Options configure a Scanner.
type Options struct {
	Tolerance Tolerance
	// Disabled are the repairs that are switched off: bit i stands for Protocol.Repairs()[i].
	Disabled uint64
	// TakesArgument reports whether the method of that full name takes an argument of this name.
	// The scanner does not interpret such an argument, even if it looks like one of the protocol's
	// own. nil means that no method takes it. It is called from the scanner's goroutine.
	TakesArgument func(toolName, argument string) bool
	// MaxKey limits the length of a key, in bytes; 0 or less is MaxKeyBytes. A field with a longer
	// key has CodeLimitExceeded. All other limits are the caller's.
	MaxKey int
	// BlockBytes is the caller's limit for one request, in bytes from its start mark; 0 means no
	// limit. A scanner that replaces many bytes by one TokenValue ends that token at the limit.
	// So the events of a request up to the limit do not depend on how the input is cut.
	BlockBytes int
}

// WithDefaults returns the options with the default in place of a MaxKey of 0 or less.
func (o Options) WithDefaults() Options {
	if o.MaxKey <= 0 {
		o.MaxKey = MaxKeyBytes
	}
	return o
}

// A Field is one key and its value, as Scanner.Requests takes it.
type Field struct {
	Name  string
	Value string
	JSON  bool      // Value is one JSON value, as the model wrote it
	Role  FieldRole // not FieldComment
}

// A Reading is one request as read from the fields of a block.
type Reading struct {
	// ToolName, Command and Label are those of a protocol.ToolRequest.
	ToolName, Command, Label string
	// Arguments contain everything else, in the order written. Their Role means nothing.
	Arguments []Field
	// CommandAt is one more than how many of Arguments were written before the command, or 0 if no
	// command was written.
	CommandAt int
	// Repairs lists the repairs that it took to read the fields.
	Repairs []FieldRepair
	// Err says why the request cannot be trusted. It is nil if it can. If its Message is "", the
	// request gets the message of Protocol.ErrorMessage.
	Err *RequestError
}

// FieldRepair is a repair that concerns a whole field.
type FieldRepair struct {
	Field  int // index into the fields given to Requests
	Repair int // index into Protocol.Repairs
}

// Fail sets the error of the reading, unless it has one that is as serious or more so. The message
// may be "".
func (r *Reading) Fail(code ErrorCode, message string) {
	if r.Err == nil || code.Before(r.Err.Code) {
		r.Err = &RequestError{Code: code, Message: message}
	}
}

// ShareError sets the most serious error of the readings for all of them. Requests that a model
// writes in one block are trusted together or not at all.
func ShareError(readings []Reading) {
	var worst *RequestError
	for i := range readings {
		if err := readings[i].Err; err != nil && (worst == nil || err.Code.Before(worst.Code)) {
			worst = err
		}
	}
	for i := range readings {
		readings[i].Err = worst
	}
}
