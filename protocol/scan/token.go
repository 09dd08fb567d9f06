package scan

// TokenKind says what a token is.
type TokenKind uint8

// The kinds of token. TokenText and TokenRequestStart come outside requests, TokenNone and
// TokenEvidence come anywhere, and the others come inside a request.
const (
	// TokenNone is the end of the input.
	TokenNone TokenKind = iota
	// TokenText is text outside requests.
	TokenText
	// TokenEvidence is a mark that is part of the text, the filler or the value around it.
	// Token.Evidence says what the mark shows.
	TokenEvidence
	// TokenRequestStart opens a request. The scanner returns it only if it knows that a request
	// follows, or if the token is Tentative.
	TokenRequestStart
	// TokenRequestEnd ends the request. Token.Outcome says how.
	TokenRequestEnd
	// TokenFiller is text outside of fields that means nothing.
	TokenFiller
	// TokenDefect is something outside of fields that makes the request invalid: Token.Code says
	// why.
	TokenDefect
	// TokenField is the key of a field, up to and including the opener of its value.
	TokenField
	// TokenValue is a piece of the open value.
	TokenValue
	// TokenFieldEnd closes the open value.
	TokenFieldEnd
)

// Evidence is what a mark shows if it is neither an error nor part of a request's structure. It may
// cast doubt on other requests, or decide their status at the end of the reply.
type Evidence uint8

// The kinds of evidence.
const (
	// EvidenceOpener is, in a value, a key and the opener of another value. A closer may be
	// missing.
	EvidenceOpener Evidence = iota + 1
	// EvidenceCloser is the closer of another kind of value, or a closer in text when no value is
	// open. An opener may be missing, or a value ended too early.
	EvidenceCloser
	// EvidenceMatchedCloser is a closer in text after its opener in the same text.
	EvidenceMatchedCloser
	// EvidenceEnd is the end mark of a request, in text where no request is open, or in a value.
	EvidenceEnd
	// EvidencePossibleEnd is an end mark in a value that may end both the value and its request, as
	// far as the bytes around it show. One line break before the mark belongs to the mark. In a
	// value with the rule TextExact the token includes that line break; in other values the parser
	// removes it.
	EvidencePossibleEnd
	// EvidenceField is, in text, a field that names a tool, including its opener.
	EvidenceField
	// EvidenceResult is, in text or between fields, the opening mark of a result, which only the
	// engine may write. It is evidence only in a place in which a result may begin; a mention in a
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
	// OutcomeUnclosed is a place at which the request cannot continue, because another request or a
	// result begins. The token has no bytes. Its Repairs make the request valid. If there are none,
	// the tolerance decides whether it is valid.
	OutcomeUnclosed
	// OutcomeNone is a Tentative request that turns out not to be a request. The token has no
	// bytes. The input after the start mark is read again as text.
	OutcomeNone
)

// FieldRole says what the value of a field is for.
type FieldRole uint8

const (
	// FieldArgument is an argument, which is reported while it is read.
	FieldArgument FieldRole = iota
	// FieldToolName is the tool's name as written, which is reported as soon as it is read.
	FieldToolName
	// FieldReserved is a field of the protocol, such as a label, or a field that only the other
	// fields explain. It is not reported while it is read.
	FieldReserved
	// FieldComment is not part of the request: it is commented out, or has no name.
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
	// Quiet is set on a TokenField that is not reported while it is read, although fields of its
	// role are. The field belongs to a later request of a batch, which has no ID yet.
	Quiet bool
	// Unmarked is set on a TokenField whose value has no marks of its own around it. Its text may
	// contain what looks like the end of its request and like further requests. So an end mark in
	// later text casts doubt on the request.
	Unmarked bool

	// Tentative is set on a TokenRequestStart that only the end of the request can confirm.
	Tentative bool
	// Complete is set on a TokenFiller after which only the end mark is missing: a request without
	// one ends at the end of that filler. On an OutcomeUnclosed it means that the request reaches
	// up to the token. It is for protocols whose requests do not end at their last value.
	Complete bool
	// Replaced is set on a TokenValue if Instead is the value's text in place of the token's bytes.
	// The value then has the rule TextExact.
	Replaced bool
	// Instead is the replacement. It may be empty.
	Instead []byte

	// Back is, on a TokenFieldEnd or TokenRequestEnd, how many bytes before the token the value or
	// the request ended. It is at most History.
	Back int
	// Code is the error of a TokenDefect, or of another token in a request that cannot be trusted.
	// After CodeLimitExceeded the rest of the request is read and not stored.
	Code ErrorCode

	// Name is the key of a TokenField, without decoration. NameStart and NameEnd are its offsets
	// from the token's start. They may be negative for a key before the token, and are equal if
	// there is no key. An EvidenceField has the offsets without the Name.
	Name               []byte
	NameStart, NameEnd int

	// Repairs are the repairs applied to read the token. The slice is the scanner's, valid until
	// its next call.
	Repairs []TokenRepair
}

// TokenRepair is a repair that was needed to read a token.
type TokenRepair struct {
	Repair     int // index into Protocol.Repairs
	Start, End int // what was repaired, as offsets from the token's start
}
