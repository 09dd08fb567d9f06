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

// styleOf returns no styles unless out is a terminal with colors and NO_COLOR is not set.
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

// oneLine returns text for one line of a terminal: line breaks become blanks, and control
// characters are removed.
func oneLine(text string) string { return printable(strings.Join(strings.Fields(text), " ")) }

// visible returns foreign text for a line of vcp: invisible characters and those that change the
// order of reading are escaped.
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

// unseen reports whether a character other than a blank is invisible, or changes the order of
// reading.
func unseen(r rune) bool {
	return r != ' ' && (!unicode.IsGraphic(r) || unicode.IsSpace(r) || blank(r))
}

// escape writes a character as Go does: \n, \u202e.
func escape(r rune) string {
	quoted := strconv.QuoteRuneToASCII(r)
	return quoted[1 : len(quoted)-1]
}

// blank reports whether a character is invisible although Unicode classifies it as a letter, mark
// or symbol. These are fillers, and empty signs of Braille, of music and of the Khitan script.
func blank(r rune) bool {
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) || r == 0x2800 || r == 0x1d159 || r == 0x16fe4
}
