package parser

// place is the kind of text that a byte belongs to.
type place uint8

const (
	placeText      place = iota // plain text
	placeFence                  // fenced code
	placeQuote                  // a blockquote or a code span
	placeReasoning              // a reasoning section
)

// next says what follows the available text.
type next uint8

const (
	nextUnknown next = iota // more text may follow
	nextMark                // a token other than the start of a request and the mark of a result
	nextRequest
	nextResult
	nextEOF
)
