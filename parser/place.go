package parser

// place is where a byte of the text stands.
type place uint8

const (
	placeText place = iota
	placeFence
	placeQuote
	placeReasoning
)

// next says what follows the text at hand.
type next uint8

const (
	nextUnknown next = iota // more text may follow
	nextMark                // a token that is no request
	nextRequest
	nextResult
	nextEOF
)
