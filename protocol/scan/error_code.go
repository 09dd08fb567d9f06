package scan

// ErrorCode says why a request is invalid.
type ErrorCode string

// The codes. If several apply, the first in this order is reported.
const (
	CodeLimitExceeded   ErrorCode = "limit_exceeded"
	CodeAfterAmbiguous  ErrorCode = "after_ambiguous"
	CodeAmbiguousValue  ErrorCode = "ambiguous_value"
	CodeUnclosedValue   ErrorCode = "unclosed_value"
	CodeBadTag          ErrorCode = "bad_tag"
	CodeUnclosedBlock   ErrorCode = "unclosed_block"
	CodeStrayCloser     ErrorCode = "stray_closer"
	CodeNoFields        ErrorCode = "no_fields"
	CodeBadKey          ErrorCode = "bad_key"
	CodeBareValue       ErrorCode = "bare_value"
	CodeDuplicateKey    ErrorCode = "duplicate_key"
	CodeMissingToolName ErrorCode = "missing_tool_name"
	CodeRepairRefused   ErrorCode = "repair_refused"
	// CodeBadArguments is a native call whose arguments are not one JSON object. No protocol
	// reports it.
	CodeBadArguments ErrorCode = "bad_arguments"
	// CodeTruncated is a request of a reply that is not complete. The engine reports it; no
	// protocol does.
	CodeTruncated ErrorCode = "truncated"
)

// errorRank gives the position of a code in the order above.
var errorRank = map[ErrorCode]int{
	CodeLimitExceeded: 1, CodeAfterAmbiguous: 2, CodeAmbiguousValue: 3, CodeUnclosedValue: 4, CodeBadTag: 5, CodeUnclosedBlock: 6,
	CodeStrayCloser: 7, CodeNoFields: 8, CodeBadKey: 9, CodeBareValue: 10, CodeDuplicateKey: 11, CodeMissingToolName: 12,
	CodeRepairRefused: 13, CodeBadArguments: 14, CodeTruncated: 15,
}

// Before reports whether c is reported instead of d if both apply. The empty code comes after all
// others.
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
