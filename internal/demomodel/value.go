package demomodel

// A kind is the kind of value that a parameter takes, or that a piece of a question is.
type kind uint8

const (
	kindText kind = iota
	kindOption
	kindSwitch
	kindList
	kindObject // a question has none
	kindNumber
	kindArithmetic
	kindPath
	kindGlob
	kindDate
	kindZone
	kindQuoted
	kindName // capitalized words
	kindCode // an identifier, a URL or an address
	kindWord
	kindFormat // the file extension of a language or format
	kindFirst  // a number that begins a range, as in "lines 5 to 8"
	kindLast   // a number that ends a range
)

// A value is a piece of a question that may become an argument.
type value struct {
	span
	kind kind
	text string // as an argument, which may differ from the question
	unit string // what a range counts, as "lines"
}

// solid are the kinds of values that must not be split.
var solid = map[kind]bool{kindQuoted: true, kindGlob: true, kindPath: true, kindDate: true}

// written reports whether a value has a form that ordinary words do not have.
func (x value) written() bool { return solid[x.kind] || x.kind == kindArithmetic }
