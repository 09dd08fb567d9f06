package builtin

import "strings"

// lineEnd returns the line end of a text: "\n", "\r\n" or "\r". It returns "" if the text has none,
// or several kinds.
func lineEnd(text string) string {
	pairs := strings.Count(text, "\r\n")
	feeds, returns := strings.Count(text, "\n"), strings.Count(text, "\r")
	switch {
	case feeds+returns == 0:
		return ""
	case feeds == pairs && returns == pairs:
		return "\r\n"
	case returns == 0:
		return "\n"
	case feeds == 0:
		return "\r"
	}
	return ""
}

var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// withLineFeeds turns each line end of a text into a line feed.
func withLineFeeds(text string) string { return lineFeeds.Replace(text) }

// withLineEnds turns each line end of a text into end. If end is "", the text stays as it is.
func withLineEnds(text, end string) string {
	if end == "" {
		return text
	}
	return strings.ReplaceAll(withLineFeeds(text), "\n", end)
}

// originalOffset converts n, an offset in withLineFeeds(text), to an offset in text.
func originalOffset(text string, n int) int {
	at := 0
	for ; n > 0; n-- {
		if strings.HasPrefix(text[at:], "\r\n") {
			at++
		}
		at++
	}
	return at
}
