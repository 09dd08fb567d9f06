package scan

import "slices"

// ErrorCode says why a request is invalid.
type ErrorCode string

// The codes. If several apply, the first in this order is reported.
const (
	CodeLimitExceeded   ErrorCode = "limit_exceeded"    // the request passes a limit of size or number
	CodeAfterAmbiguous  ErrorCode = "after_ambiguous"   // it may be text of an ambiguous value before it
	CodeAmbiguousValue  ErrorCode = "ambiguous_value"   // it is unclear where a value ends
	CodeUnclosedValue   ErrorCode = "unclosed_value"    // a value has no end
	CodeBadTag          ErrorCode = "bad_tag"           // the mark of a value is damaged beyond repair
	CodeUnclosedBlock   ErrorCode = "unclosed_block"    // the request has no end
	CodeStrayCloser     ErrorCode = "stray_closer"      // a stray closer or end mark follows: a value may have ended too early
	CodeNoFields        ErrorCode = "no_fields"         // it has no fields
	CodeBadKey          ErrorCode = "bad_key"           // the text in place of a key is not a key
	CodeBareValue       ErrorCode = "bare_value"        // a value has no marks
	CodeDuplicateKey    ErrorCode = "duplicate_key"     // a key occurs twice
	CodeMissingToolName ErrorCode = "missing_tool_name" // it names no method
	CodeRepairRefused   ErrorCode = "repair_refused"    // it needs a repair that is disabled or above the level
	// CodeBadArguments is a native call whose arguments are not one JSON object. No protocol
	// reports it.
	CodeBadArguments ErrorCode = "bad_arguments"
	// CodeTruncated is a request of a reply that is not complete. The engine reports it; no
	// protocol does.
	CodeTruncated ErrorCode = "truncated"
)

var errorCodes = [...]ErrorCode{
	CodeLimitExceeded, CodeAfterAmbiguous, CodeAmbiguousValue, CodeUnclosedValue, CodeBadTag, CodeUnclosedBlock,
	CodeStrayCloser, CodeNoFields, CodeBadKey, CodeBareValue, CodeDuplicateKey, CodeMissingToolName,
	CodeRepairRefused, CodeBadArguments, CodeTruncated,
}

// ErrorCodes returns all codes, in the order above. They belong to the caller.
func ErrorCodes() []ErrorCode { return slices.Clone(errorCodes[:]) }

// Before reports whether c is reported instead of d if both apply. The empty code comes after all
// others.
func (c ErrorCode) Before(d ErrorCode) bool {
	if c == "" || d == "" {
		return c != ""
	}
	return slices.Index(errorCodes[:], c) < slices.Index(errorCodes[:], d)
}

// Messages are the sentences of a protocol, in one language, that tell a model how to correct a
// request, by the code of its error. The key "" has the sentence for all other codes.
type Messages map[ErrorCode]string

// For returns the sentence for a code, or the one for all other codes.
func (m Messages) For(code ErrorCode) string {
	if message, ok := m[code]; ok {
		return message
	}
	return m[""]
}

// RequestError says what is wrong with a request, in words that a model can act on.
type RequestError struct {
	Code    ErrorCode `json:"code"`
	Message string    `json:"message"`
}

// Error returns the code and the message.
func (e *RequestError) Error() string { return string(e.Code) + ": " + e.Message }
