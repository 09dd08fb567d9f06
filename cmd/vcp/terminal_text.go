package main

import (
	"os"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// isTerminal reports whether a standard stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// style are the escape sequences that a view uses; all are empty if there is no color.
type style struct {
	tool, good, bad, dim, reset string
}

// styleOf is plain unless out is a terminal that shows colors and nobody said no.
func styleOf(out any) style {
	if !isTerminal(out) || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" || os.Getenv("TERM") == "" {
		return style{}
	}
	return style{tool: "\x1b[36m", good: "\x1b[32m", bad: "\x1b[31m", dim: "\x1b[2m", reset: "\x1b[0m"}
}

// printable removes control characters from foreign text, and those that change the order of
// reading, so that it cannot steer a terminal. It keeps line breaks and tabs, and the invisible
// characters that people write with: joiners and the variants of emoji.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		if unicode.In(r, unicode.Cc, unicode.Bidi_Control) {
			return -1
		}
		return r
	}, text)
}

// oneLine makes text fit for one line of a terminal: line breaks become blanks, and what steers a
// terminal goes.
func oneLine(text string) string { return printable(strings.Join(strings.Fields(text), " ")) }

// visible is foreign text in a line of ours: what cannot be seen, or changes the order in which the
// line is read, is escaped.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unseen(r) {
			b.WriteString(escape(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unseen reports whether a character other than a blank shows nothing, or changes the order of
// reading.
func unseen(r rune) bool {
	return r != ' ' && (!unicode.IsGraphic(r) || unicode.IsSpace(r) || blank(r))
}

// escape writes a character as Go does: \n, \u202e.
func escape(r rune) string {
	quoted := strconv.QuoteRuneToASCII(r)
	return quoted[1 : len(quoted)-1]
}

// blank reports whether a character shows nothing although Unicode counts it among the letters,
// marks and symbols. These are the ones that fonts omit, and the empty ones of Braille, of music
// and of the Khitan script.
func blank(r rune) bool {
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) || r == 0x2800 || r == 0x1d159 || r == 0x16fe4
}
