package hermes

type mode uint8

const (
	modeText   mode = iota // outside of requests
	modeBody               // between the values of a request
	modeValue              // in a value
	modeBroken             // after what cannot be read: only a tag ends the request
)

// textState describes the text since the last request.
type textState struct {
	since int  // bytes of this text so far
	blank bool // there was a request, and only white space follows it
	quote bool // the line on which the request ended begins with the mark of a blockquote
}

// pass records text.
func (t *textState) pass(b []byte) {
	t.since += len(b)
	t.blank = t.blank && spaces(b) == len(b)
}

// bodyState describes the open request.
type bodyState struct {
	start    int  // offset in the stream of its start tag
	quoted   bool // it is in a blockquote, whose marks are white space
	next     expect
	comma    int  // offset in the stream of the comma before the next member or call, or -1
	list     bool // the calls are in a list
	complete bool // all brackets are closed
	// Which members of the open call have been read: its name, its id and its arguments.
	named, identified, arguments bool
	wrapper                      wrapper
	fence                        byte // mark of the fence before the body, or 0 if no fence opens it
	fenceClosed                  bool // the fence has been closed
	fields                       int  // number of fields emitted so far
	starts                       []callBracket
	reportedUnclosed             bool // a defect for the missing end was emitted
	quoteNext                    bool // the text after the request is in a blockquote (see textState.quote)
	quoteEnd                     bool // the line of the last bracket begins with the mark of a blockquote
	raw                          int  // number of raw control characters in its strings
	end                          int  // offset in the stream of the body's end
	escaped                      bool // a key of a call contains an escape
	bracket                      bracketState
	bracketRepaired              bool // a missing or surplus bracket at the end of the call was repaired
}

// callBracket is the first bracket of a call.
type callBracket struct {
	at     int // offset in the stream
	fields int // number of fields before it
}

// wrapper says how far the object around the open call was read (J19).
type wrapper uint8

const (
	wrapperNone   wrapper = iota
	wrapperOpen           // the call in it is being read
	wrapperClosed         // the call has ended
)

// expect says what may come next in a body.
type expect uint8

const (
	expectBody     expect = iota // the first bracket, or a fence
	expectCall                   // in a list: an object
	expectKey                    // of a call
	expectComma                  // after a member of a call
	expectArgument               // a key of the arguments
	expectArgumentComma
	expectEnd // after a call: the end tag, another call, the list's end
)

// bracketState says whether a bracket in the open call could be a wrong one. Then a missing or
// surplus bracket at the end of the call has more than one repair (J20, J21).
type bracketState struct {
	doubt              bool // the wrong bracket could be one before the end of the call
	argumentsAreObject bool
	object             bool // the last argument is an object
	callKey            bool // the last argument has the name of a member of a call
}

// value records the value of an argument. An object of several members casts doubt on its brackets:
// some of the members could belong to the object around it.
func (b *bracketState) value(v *valueState) {
	b.doubt = b.doubt || v.severalMembers
	b.object = v.object
}

// allowsBracketRepair reports whether a missing or surplus bracket at the end of the open call has
// one repair only. The call must be the only one of its request, without a list, a fence or an
// object around it. Its arguments must be an object, and no bracket before its end may be in doubt.
func (b *bodyState) allowsBracketRepair() bool {
	return b.bracket.argumentsAreObject && !b.list && len(b.starts) == 1 && b.fence == 0 && !b.fenceClosed &&
		b.wrapper == wrapperNone && !b.bracket.doubt
}

// mayLackBracket reports whether the end tag may take the place of the call's last bracket (J20).
func (b *bodyState) mayLackBracket() bool {
	return b.next == expectComma && b.allowsBracketRepair() && !b.bracket.callKey
}

// mayHaveSurplus reports whether one more bracket may come after the call (J21).
func (b *bodyState) mayHaveSurplus() bool {
	return b.next == expectEnd && b.allowsBracketRepair() && !b.bracketRepaired
}

// keyState is the progress of reading a key. Offsets are relative to the token's start, which is
// the key's opening quote.
type keyState struct {
	end   int    // end of the key's closing quote; 0 until it is found
	name  []byte // the decoded key, in its own memory
	colon bool   // the colon has been read
}
