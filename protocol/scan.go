package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"unicode"
)

// ErrShort is returned by Scanner.Scan when more input could change the answer.
var ErrShort = errors.New("protocol: more input could change the token")

// History is how many bytes before the next token a Scanner may look back at.
const History = 1024

// A Scanner cuts one reply into tokens. It belongs to one goroutine.
type Scanner interface {
	// Scan returns the token that begins at src[from] and its length n. The token is the scanner's, valid until its next call. What
	// stands before from has been returned as tokens already: the caller keeps the last History bytes of it there, or all where there
	// is less, and the scanner looks at no more. n is 0 only for a token that marks a place.
	//
	// ErrShort means that more input could change the answer; it is never returned when atEOF. After it, src[from:] begins with
	// the same bytes the next time, and the scanner remembers how far it has looked: the work is linear in the input, however
	// it is cut. With nothing left and atEOF the kind of the token is TokenNone.
	//
	// Neither Scan nor Extend changes src, which may be memory that nobody can write to, nor keeps it: the next call may pass another.
	// Slices of the token alias src or the scanner's memory.
	Scan(src []byte, from int, atEOF bool) (n int, tok *Token, err error)

	// Extend reports whether src[from:] is nothing but more of what the last token was a piece of, a TokenText or a TokenValue that
	// ended at src[from], and takes it as one more piece. It is asked for each piece of a stream while nothing is pending but for an angle
	// bracket at src[from] that Scan has not settled (ErrShort), so it answers fast; false where it is in doubt is right. src is as for
	// Scan, and more may follow it.
	Extend(src []byte, from int) bool

	// Leave tells the scanner that the caller has ended the open request on its own account: the next token is read as text and
	// begins back bytes before the last one ended.
	Leave(back int)

	// Requests reads the fields of one ended block: one request, or several where the protocol has batches.
	//
	// The list is the scanner's, valid until Requests or Close is called. What a reading points to, its arguments and its error, is the
	// caller's.
	Requests(fields []Field) []Reading

	// Close tells the scanner that it is not called again, so that another may have its memory. It is not called on a scanner that
	// has failed.
	Close()
}

// TokenKind says what a token is.
type TokenKind uint8

// The kinds of token. Outside a request come TokenText and the marks named Text…, inside it the others.
const (
	TokenNone TokenKind = iota

	// TokenText is what stands outside of requests.
	TokenText
	// TokenTextCloser is the closing mark of a value standing in text: text all the same, but one whose opener is missing casts
	// doubt on the blocks before it.
	TokenTextCloser
	// TokenTextField is a field that names a tool, opener included, standing in text outside of a block.
	TokenTextField
	// TokenTextEnd is the end mark of a request standing in text, where no request is open.
	TokenTextEnd
	// TokenResultStart is the opening mark of a result, which only the engine may write. It is returned only where it stands as
	// one would: its line holds nothing else but emphasis and requests, or a field follows it directly (DIALECT B14).
	TokenResultStart
	// TokenDefinitionStart and TokenDefinitionEnd are the marks of a definition: requests between them are quoted. The end counts inside of
	// a request too, where it is a part of the open value, or filler.
	TokenDefinitionStart
	TokenDefinitionEnd

	// TokenRequestStart opens a request. The scanner returns it only when it knows that a request follows.
	TokenRequestStart
	// TokenNoRequest tells that the mark that opened the request opened none after all, which only a TokenRequestStart that is
	// Tentative may come to: what follows that mark is read again, as text. n is 0.
	TokenNoRequest
	// TokenUnclosed marks the place where an open request cannot go on: another begins. n is 0. It is mended by the Repairs of the token;
	// without any, as the level has it.
	TokenUnclosed
	// TokenRequestEnd ends it.
	TokenRequestEnd
	// TokenFiller is what stands between fields and means nothing.
	TokenFiller
	// TokenField is a field's key up to and including the opener of its value: Name, Rule and Form are set.
	TokenField
	// TokenWholeField is a field from filler before it to the closer of its value, which needs no other token: it stands for a
	// TokenFiller, a TokenField, a TokenValue and a TokenFieldEnd in a row. Lead, ValueStart and ValueEnd are set besides what a
	// TokenField has.
	TokenWholeField
	// TokenWholeRequest is a request from its start mark to its end mark, which needs no other token: it stands for a TokenRequestStart, a
	// TokenWholeField or more, a TokenFiller and a TokenRequestEnd in a row. Fields is set, and Start and End. It is returned only where
	// ScanOptions.WholeRequests is set.
	TokenWholeRequest
	// TokenValue is a piece of the open value.
	TokenValue
	// TokenSkip are bytes of the open value that are not part of its text; Instead stands in their place.
	TokenSkip
	// TokenFieldEnd closes the open value.
	TokenFieldEnd
	// TokenPossibleEnd is a request's end mark inside an open value: part of the value, unless the value is never closed.
	TokenPossibleEnd
	// TokenValueOpener and TokenValueCloser stand inside an open value and are part of it: a keyed opener, and a closer that
	// is not the value's own. They are evidence that a mark was lost.
	TokenValueOpener
	TokenValueCloser
	// TokenDefect is something between fields that makes the request invalid: Code says why.
	TokenDefect
	// TokenBodyEnd is filler at whose end all that the request is made of has been read: its end mark alone is due, and a request
	// that has none ends here. What follows may tell otherwise. A protocol whose requests end at their last value needs it not.
	TokenBodyEnd
)

// TextRule says how the text of a value is cut out of what stands between its opener and its closer.
type TextRule uint8

const (
	// TextExact takes every byte.
	TextExact TextRule = iota
	// TextLine takes every byte but one "\n" or "\r\n" at the very start.
	TextLine
	// TextTrim cuts the white space around the value. Where a line break is left after that, it takes the value as TextLine does
	// instead: text of several lines is kept as it is.
	TextTrim
)

// noSpace tells of a byte that a text which begins or ends with it neither begins nor ends with white space. A letter of several bytes is in
// doubt where a space begins or ends like it.
var noSpace = func() (t [256]bool) {
	for c := range t {
		t[c] = c > ' '
	}
	for _, r := range unicode.White_Space.R16 {
		for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
			space := string(c)
			t[space[0]], t[space[len(space)-1]] = false, false
		}
	}
	return t
}()

// Cut returns the range of raw that is the text of the value.
func (r TextRule) Cut(raw []byte) (start, end int) {
	if r == TextExact {
		return 0, len(raw)
	}
	if r == TextTrim {
		if len(raw) > 0 && noSpace[raw[0]] && noSpace[raw[len(raw)-1]] {
			return 0, len(raw)
		}
		left := bytes.TrimLeftFunc(raw, unicode.IsSpace)
		text := bytes.TrimRightFunc(left, unicode.IsSpace)
		if bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\r') < 0 {
			start = len(raw) - len(left)
			return start, start + len(text)
		}
	}
	switch {
	case bytes.HasPrefix(raw, []byte("\n")):
		start = 1
	case bytes.HasPrefix(raw, []byte("\r\n")):
		start = 2
	}
	return start, len(raw)
}

// Token is what Scan found. Which fields are set depends on Kind.
type Token struct {
	Kind TokenKind

	// Form and Rule say how the value of a TokenField is to be read.
	Form Form
	Rule TextRule
	// NamesTool is set on a TokenField whose value is the tool's name, which may be shown as soon as it is read.
	NamesTool bool
	// Hidden is set on a TokenField that is commented out: its value is read and is no part of the request.
	Hidden bool
	// Quiet is set on a TokenField whose value is not told of while it is read: it is no argument by itself.
	Quiet bool

	// Matched is set on a TokenTextCloser whose opener stands before it in the same text.
	Matched bool
	// Tentative is set on a TokenRequestStart that only its end can confirm.
	Tentative bool
	// Closes is set on a TokenPossibleEnd that may stand for the end of the value and of the request, as far as can be seen from
	// its surroundings.
	Closes bool

	// Back is set on a TokenFieldEnd whose value ended that many bytes before the token, and on a TokenRequestEnd whose request did: they
	// are no part of it. It is at most History.
	Back int
	// Code is set on a TokenDefect, and on any other token of a request that was read and cannot be trusted. With CodeLimitExceeded the rest of
	// the request is read on without being stored.
	Code ErrorCode
	// Instead is what stands in the place of a TokenSkip, whose value then has the rule TextExact.
	Instead []byte
	// Name is the key of a TokenField, without decoration; NameStart and NameEnd are where it stands, relative to the token's
	// start. On a TokenTextField they may be negative.
	Name               []byte
	NameStart, NameEnd int
	// Lead is how long the filler before a TokenWholeField is; its value lies from ValueStart to ValueEnd. All are relative to the
	// token's start.
	Lead, ValueStart, ValueEnd int
	// Fields are those of a TokenWholeRequest. Each begins where the one before ends, the first at Start, where the request's start mark
	// ends; the end mark begins at End. The slice is the scanner's, valid until its next call.
	Fields     []WholeField
	Start, End int
	// Repairs are the tolerances applied to read the token. The slice is the scanner's, valid until its next call.
	Repairs []TokenRepair
}

// WholeField is a field of a TokenWholeRequest. All places are relative to the token's start.
type WholeField struct {
	Lead, NameEnd        int // the name lies from Lead to NameEnd; before it stands filler
	ValueStart, ValueEnd int
	End                  int // where its closer ends
	Rule                 TextRule
	NamesTool, Quiet     bool
}

// TokenRepair is a tolerance applied to read a token.
type TokenRepair struct {
	Repair     int // index into Protocol.Repairs
	Start, End int // what was mended, relative to the token's start
}

// A Field is one key and its value, as a Scanner's Requests method takes it.
type Field struct {
	Name  string
	Value string
	Form  Form
}

// A Reading is one request as read from the fields of a block.
type Reading struct {
	Request ToolRequest
	// CommandAt is one more than how many of Request.Arguments were written before the command; 0 where no command was written.
	CommandAt int
	// Repairs lists what was mended to read the fields, each with the index of its field.
	Repairs []FieldRepair
	// Err says why the request cannot be trusted; nil where it can.
	Err *RequestError
}

// FieldRepair is a repair that concerns a whole field.
type FieldRepair struct {
	Field  int // index into the fields given to Requests
	Repair int // index into Protocol.Repairs
}

// Tolerance is how much damage a reader mends. Clean input reads the same at every level.
type Tolerance uint8

// The levels: Safe mends all that Strict does, which is nothing, and Greedy all that Safe does.
const (
	// Safe mends what text inside of a value cannot bring about. It is the default.
	Safe Tolerance = iota
	// Strict mends nothing.
	Strict
	// Greedy mends all that can be guessed.
	Greedy
)

var tolerances = [...]string{Safe: "safe", Strict: "strict", Greedy: "greedy"}

// String returns "strict", "safe" or "greedy".
func (t Tolerance) String() string {
	if int(t) < len(tolerances) {
		return tolerances[t]
	}
	return fmt.Sprintf("Tolerance(%d)", uint8(t))
}

// ParseTolerance is the inverse of String; "" is Safe.
func ParseTolerance(s string) (Tolerance, error) {
	switch s {
	case "", "safe":
		return Safe, nil
	case "strict":
		return Strict, nil
	case "greedy":
		return Greedy, nil
	}
	return Safe, fmt.Errorf("tolerance %q is not one of strict, safe, greedy", s)
}

// MarshalText returns String. A value that has no name is an error.
func (t Tolerance) MarshalText() ([]byte, error) {
	_, err := ParseTolerance(t.String())
	return []byte(t.String()), err
}

// UnmarshalText is ParseTolerance.
func (t *Tolerance) UnmarshalText(text []byte) (err error) {
	*t, err = ParseTolerance(string(text))
	return err
}

// Allows reports whether a reader at level t applies a repair of level r.
func (t Tolerance) Allows(r Tolerance) bool {
	return t == Greedy || t == Safe && r == Safe
}

// A Repair is one named tolerance for damaged input.
type Repair struct {
	Name string
	// Level is Safe or Greedy: the lowest level that applies it.
	Level Tolerance
	// Doc says in one sentence what is mended.
	Doc string
}

// The names of the two repairs that the parser applies by itself, since only the end of a message can tell of them. It applies them where
// Protocol.Repairs lists them; a request that would need one of a protocol that does not is invalid.
const (
	// RepairMissingBlockEnd ends a request whose end mark is missing (DIALECT B9, B11).
	RepairMissingBlockEnd = "missing_block_end"
	// RepairUnclosedValue closes a request's last value at the end mark, which a TokenPossibleEnd has told of (DIALECT V9).
	RepairUnclosedValue = "unclosed_value"
)

// ScanOptions set up a Scanner.
type ScanOptions struct {
	Tolerance Tolerance
	// Disabled are repairs switched off, as bits of Protocol.Repairs.
	Disabled uint64
	// TakesArgument, if set, reports whether the method of that full name takes an argument of this name, so that an argument
	// that looks like the protocol's own is left alone. It is called from the scanner's goroutine.
	TakesArgument func(toolName, argument string) bool
	// MaxKey bounds the length of a key, in bytes; 0 is the protocol's default.
	MaxKey int
	// BlockBytes is the caller's limit of a request's size, in bytes from the first of its start mark; 0 is none. A scanner that gives one
	// TokenSkip for what could be several ends it there: what is told of a request up to the limit does not depend on how it is cut.
	BlockBytes int
	// WholeRequests is set where the caller takes a TokenWholeRequest.
	WholeRequests bool
}
