package scan

// Match is the result of a recognizer that examines the start of its input.
type Match uint8

// The results.
const (
	MatchNo Match = iota
	MatchYes
	// MatchShort means that with more input it could be a match.
	MatchShort
)

// ShortUnless returns MatchShort, or MatchNo if the input has ended.
func ShortUnless(atEOF bool) Match {
	if atEOF {
		return MatchNo
	}
	return MatchShort
}
