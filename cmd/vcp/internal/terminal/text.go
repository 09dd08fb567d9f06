package terminal

import (
	"os"

	"github.com/vcpgo/vcp/internal/text"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// Prompt begins a line that a person types.
const Prompt = "> "

// style are the escape sequences that a view uses; all are empty for output without colors.
type style struct {
	tool, good, bad, dim, reset string
}

// styleOf returns no styles unless out is a terminal with colors and NO_COLOR is not set.
func styleOf(out any) style {
	if !cli.IsTerminal(out) || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" || os.Getenv("TERM") == "" {
		return style{}
	}
	return style{tool: "\x1b[36m", good: "\x1b[32m", bad: "\x1b[31m", dim: "\x1b[2m", reset: "\x1b[0m"}
}

// OneLine returns text for one line of a terminal: each run of white space becomes one blank, and
// control characters are removed.
func OneLine(foreign string) string { return cli.Printable(text.OneLine(foreign)) }

// Visible returns foreign text for a line of vcp. It escapes invisible characters and bidirectional
// controls.
func Visible(foreign string) string { return text.EscapeHidden(foreign, "") }
