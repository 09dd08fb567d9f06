package protocol

import "unicode/utf8"

// A TokenEstimator estimates how many tokens a model makes of a text: 0 for an empty one, and never
// fewer for more text. It is safe for concurrent use, and takes time in proportion to the text.
type TokenEstimator func(text string) int

// EstimateTokens is the TokenEstimator for an unknown model. It counts one token for four ASCII
// characters, rounded up, and one for each other character, and adds 15 %, rounded up. The estimate
// is high on purpose; base64, many digits and rare scripts can still make more tokens. The text
// must be valid UTF-8.
func EstimateTokens(text string) int {
	ascii, others := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c < utf8.RuneSelf:
			ascii++
		case utf8.RuneStart(c):
			others++
		}
	}
	return (((ascii+3)/4+others)*115 + 99) / 100
}
