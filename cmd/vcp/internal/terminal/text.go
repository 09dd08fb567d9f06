package terminal

import (
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"

	"github.com/vcpgo/vcp/internal/text"
)

// Prompt begins a line that a person types.
const Prompt = "> "

// IsTerminal reports whether a standard stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// style are the escape sequences that a view uses; all are empty for output without colors.
type style struct {
	tool, good, bad, dim, reset string
}

// styleOf returns no styles unless out is a terminal with colors and NO_COLOR is not set.
func styleOf(out any) style {
	if !IsTerminal(out) || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" || os.Getenv("TERM") == "" {
		return style{}
	}
	return style{tool: "\x1b[36m", good: "\x1b[32m", bad: "\x1b[31m", dim: "\x1b[2m", reset: "\x1b[0m"}
}

// Printable removes control characters and bidirectional controls from foreign text, so that the
// text cannot control a terminal. It keeps line breaks and tabs. It also keeps the invisible
// characters that people use in writing, such as joiners and variation selectors of emoji.
func Printable(text string) string {
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

// OneLine returns text for one line of a terminal: each run of white space becomes one blank, and
// control characters are removed.
func OneLine(text string) string { return Printable(strings.Join(strings.Fields(text), " ")) }

// Visible returns foreign text for a line of vcp. It escapes invisible characters and bidirectional
// controls.
func Visible(foreign string) string { return text.EscapeHidden(foreign, "") }

// These names are needed where a parameter called text hides the package.
var (
	unseen = text.Hidden
	escape = text.Escape
)
