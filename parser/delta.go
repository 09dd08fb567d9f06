package parser

// delta determines which part of the open value's text is final.
type delta struct {
	at   int // offset up to which the value was reported
	sent int // number of bytes of the value's text that were reported
	// spaceTo is the offset up to which the value was searched for white space at its end. breakTo
	// is, in deltaHeld, the offset up to which it was searched for a line break.
	spaceTo, breakTo int
	void             bool // what was reported was withdrawn, and no more is reported
	state            deltaState
}

type deltaState uint8

const (
	deltaStart deltaState = iota // only white space so far
	deltaHeld                    // white space came first: a line break in the value decides whether it stays
	deltaBody                    // the text began without white space before it
	deltaLines                   // the value has a line break: white space at its start stays
)
