package protocol

// Status is what became of a request in a reply.
type Status string

const (
	// StatusReady is a request that is complete, or was made complete by repairs that the level allows. Only it may run.
	StatusReady Status = "ready"
	// StatusInvalid is a request that cannot be trusted. It has an error that tells the model how to mend it.
	StatusInvalid Status = "invalid"
	// StatusIncomplete is a request that the reply was cut in.
	StatusIncomplete Status = "incomplete"
	// StatusQuoted is a request that stands in code, in a quotation or in a definition.
	StatusQuoted Status = "quoted"
	// StatusReasoning is a request that stands in a reasoning section.
	StatusReasoning Status = "reasoning"
)

// ErrorCode says why a request is invalid (DIALECT section 8).
type ErrorCode string

// The codes, in the order in which the first that holds is reported.
const (
	ErrLimitExceeded   ErrorCode = "limit_exceeded"
	ErrAfterAmbiguous  ErrorCode = "after_ambiguous"
	ErrAmbiguousValue  ErrorCode = "ambiguous_value"
	ErrUnclosedValue   ErrorCode = "unclosed_value"
	ErrBadTag          ErrorCode = "bad_tag"
	ErrUnclosedBlock   ErrorCode = "unclosed_block"
	ErrStrayCloser     ErrorCode = "stray_closer"
	ErrNoFields        ErrorCode = "no_fields"
	ErrBadKey          ErrorCode = "bad_key"
	ErrBareValue       ErrorCode = "bare_value"
	ErrDuplicateKey    ErrorCode = "duplicate_key"
	ErrMissingToolName ErrorCode = "missing_tool_name"
	ErrRepairRefused   ErrorCode = "repair_refused"
	// ErrBadArguments is a native call whose arguments are not one JSON object, so no protocol reports it.
	ErrBadArguments ErrorCode = "bad_arguments"
)

// errorRank gives the position of a code in the order above.
var errorRank = map[ErrorCode]int{
	ErrLimitExceeded: 1, ErrAfterAmbiguous: 2, ErrAmbiguousValue: 3, ErrUnclosedValue: 4, ErrBadTag: 5, ErrUnclosedBlock: 6,
	ErrStrayCloser: 7, ErrNoFields: 8, ErrBadKey: 9, ErrBareValue: 10, ErrDuplicateKey: 11, ErrMissingToolName: 12,
	ErrRepairRefused: 13, ErrBadArguments: 14,
}

// Before reports whether c is reported rather than d where both hold. The empty code comes after all others.
func (c ErrorCode) Before(d ErrorCode) bool {
	if c == "" || d == "" {
		return c != ""
	}
	return errorRank[c] < errorRank[d]
}

// RequestError says what is wrong with a request, in words that a model can act on.
type RequestError struct {
	Code    ErrorCode `json:"code"`
	Message string    `json:"message"`
}

// Error returns the code and the message.
func (e *RequestError) Error() string { return string(e.Code) + ": " + e.Message }
