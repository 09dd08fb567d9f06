package scan

// TokenKind says what a token is.
type TokenKind uint8

// The kinds of token. TokenText and TokenRequestStart come outside requests, TokenEvidence comes
// anywhere, and the others come inside a request.
const (
	// TokenNone is the end of the input. It comes only at its end.
	TokenNone TokenKind = iota
	// TokenText is text outside requests.
	TokenText
	// TokenEvidence is a mark that stands in text, between fields or in a value, and belongs to it
	// like any other byte. Token.Evidence says what it shows.
	TokenEvidence
	// TokenRequestStart opens a request. The scanner returns it only if it knows that a request
	// follows, or if the token is Tentative.
	TokenRequestStart
	// TokenRequestEnd ends the request. Token.Outcome says how.
	TokenRequestEnd
	// TokenFiller is what stands between fields and means nothing.
	TokenFiller
	// TokenDefect is something between fields that makes the request invalid: Token.Code says why.
	TokenDefect
	// TokenField is the key of a field, up to and including the opener of its value.
	TokenField
	// TokenValue is a piece of the open value.
	TokenValue
	// TokenFieldEnd closes the open value.
	TokenFieldEnd
)

// Evidence is what a mark shows that is neither an error nor part of a request's structure. It
// casts doubt on other requests, or decides what becomes of them when the whole reply is known.
type Evidence uint8

// The kinds of evidence.
const (
	// EvidenceOpener, in a value, opens another value after a key. A closer may have been lost.
	EvidenceOpener Evidence = iota + 1
	// EvidenceCloser closes a value, but not this one, or stands in text where no value is open. An
	// opener may have been lost, or a value has ended too early.
	EvidenceCloser
	// EvidenceMatchedCloser is a closer in text whose opener stands before it in the same text.
	EvidenceMatchedCloser
	// EvidenceEnd is the end mark of a request, in text where no request is open, or in a value.
	EvidenceEnd
	// EvidencePossibleEnd is an end mark in a value that may end both the value and its request, as
	// far as the bytes around it show. The one line break before it belongs to it: in a value with the
	// rule TextExact the token includes that, in others the parser takes it.
	EvidencePossibleEnd
	// EvidenceField is, in text, a field that names a tool, its opener included.
	EvidenceField
	// EvidenceResult is, in text or between fields, the opening mark of a result, which only the
	// engine may write. It is evidence only where it stands as a result does; a mention within a
	// sentence is text.
	EvidenceResult
	// EvidenceDefinition and EvidenceDefinitionEnd are the marks of a definition. Requests between
	// them are quoted.
	EvidenceDefinition
	EvidenceDefinitionEnd
)

// Outcome says how a request ended.
type Outcome uint8

const (
	// OutcomeClosed is an end mark.
	OutcomeClosed Outcome = iota
	// OutcomeUnclosed is a place where the request cannot continue: another one begins, or a
	// result. The token has no bytes. Its Repairs end the request, and are listed at the request's end
	// at the latest; without them the tolerance decides.
	OutcomeUnclosed
	// OutcomeNone is a Tentative request that turns out to be none. The token has no bytes. What
	// follows the start mark is read again, as text.
	OutcomeNone
)

// FieldRole says what the value of a field is for.
type FieldRole uint8

const (
	// FieldArgument is an argument, told of while it is read.
	FieldArgument FieldRole = iota
	// FieldToolName is the tool's name as it is written, told of as soon as it is read.
	FieldToolName
	// FieldReserved is a field of the protocol, such as a label, or one whose meaning shows only
	// when all fields are known. It is not told of while it is read.
	FieldReserved
	// FieldComment is no part of the request: it is commented out, or has no name.
	FieldComment
)

// Token is what Scan found. Which members are set depends on Kind.
type Token struct {
	Kind     TokenKind
	Evidence Evidence // of a TokenEvidence
	Outcome  Outcome  // of a TokenRequestEnd

	// Role, JSON and Rule describe the value of a TokenField.
	Role FieldRole
	JSON bool // the value is one JSON value; else text
	Rule TextRule
	// Quiet is set on a TokenField that is not told of while it is read, although its role is: it
	// belongs to a later request of a batch, which has no ID yet.
	Quiet bool

	// Tentative is set on a TokenRequestStart that only the end of the request can confirm.
	Tentative bool
	// Complete is set on a TokenFiller after which only the end mark is due: a request without one
	// ends at the end of that filler. It is for protocols whose requests do not end at their last
	// value.
	Complete bool
	// Replaced is set on a TokenValue whose bytes are not part of the value's text: Instead is, in
	// their place. The value then has the rule TextExact.
	Replaced bool
	// Instead is the replacement. It may be empty.
	Instead []byte

	// Back is set on a TokenFieldEnd whose value ended that many bytes before the token, and on a
	// TokenRequestEnd whose request did. It is at most History.
	Back int
	// Code is the error of a TokenDefect, and of any other token inside a request that was read and
	// cannot be trusted. After CodeLimitExceeded the rest of the request is read without being
	// stored.
	Code ErrorCode

	// Name is the key of a TokenField, without decoration. It stands at NameStart to NameEnd,
	// offsets from the token's start. They may be negative for a key before the token, and are
	// equal if no key is written. An EvidenceField has the offsets without the Name.
	Name               []byte
	NameStart, NameEnd int

	// Repairs are the tolerances applied to read the token. The slice is the scanner's, valid until
	// its next call.
	Repairs []TokenRepair
}

// TokenRepair is a tolerance applied to read a token.
type TokenRepair struct {
	Repair     int // index into Protocol.Repairs
	Start, End int // what was repaired, as offsets from the token's start
}
