package terminal

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// part is the kind of text that a transcript shows.
type part uint8

const (
	partNone part = iota
	partText
	partReasoning
	partLines
	partReply // the end of a reply: an empty line comes next
)

// transcript writes text and lines, with empty lines between different kinds.
type transcript struct {
	out       io.Writer
	style     style
	reasoning string // the label before reasoning

	part      part   // of the last text
	lead      []byte // the indentation of the next text, which is not written yet
	breaks    int    // line breaks at the end of the text so far, held back until more text comes
	inLine    bool   // the cursor is not at the start of a line
	open      string // the ID of the request whose line is open until its outcome is known, or ""
	about     string // the ID of the request in the last line, or ""; that request's next line omits the name
	openCells int    // the width of the open line
	spinner   spinner
	err       error // the first error of out
}

// words shows a piece of text. It omits line breaks at the start and the end, because they
// surrounded requests, which are not shown.
func (t *transcript) words(kind part, text string) {
	text = cli.Printable(text)
	if t.part != kind {
		text = t.afterBlanks(text)
		if text == "" {
			return
		}
		text = string(t.lead) + text
		gap := t.part != partNone
		t.endLine()
		if gap {
			t.write("\n")
		}
		t.part = kind
		if kind == partReasoning {
			t.write(t.style.dim + t.reasoning + t.style.reset)
		}
	}
	body := strings.TrimRight(text, "\n")
	if body != "" {
		shown := strings.Repeat("\n", t.breaks) + body
		if kind == partReasoning {
			shown = t.style.dim + shown + t.style.reset
		}
		t.write(shown)
		t.breaks, t.inLine = 0, true
	}
	t.breaks += len(text) - len(body)
}

// maxLead is how much of a line's indentation is kept, in bytes.
const maxLead = 1024

// afterBlanks returns text without the blanks at its start. It drops blank lines, and keeps the
// indentation of the first line with text in t.lead.
func (t *transcript) afterBlanks(text string) string {
	rest := strings.TrimLeftFunc(text, unicode.IsSpace)
	blanks := text[:len(text)-len(rest)]
	if i := strings.LastIndexByte(blanks, '\n'); i >= 0 {
		t.lead, blanks = t.lead[:0], blanks[i+1:]
	}
	for _, r := range blanks {
		if len(t.lead) < maxLead {
			t.lead = utf8.AppendRune(t.lead, r)
		}
	}
	return rest
}

// line shows a separate line.
func (t *transcript) line(text string) {
	t.startLine()
	t.write(text + "\n")
	t.inLine = false
}

// startLine begins a line that is not a part of the model's text.
func (t *transcript) startLine() {
	gap := t.part == partText || t.part == partReasoning || t.part == partReply
	t.endLine()
	if gap {
		t.write("\n")
	}
	t.part = partLines
}

// endLine moves the cursor to the start of a line.
func (t *transcript) endLine() {
	if t.inLine {
		t.write("\n")
	}
	t.inLine, t.open, t.about, t.breaks, t.lead = false, "", "", 0, t.lead[:0]
}

// write erases the spinner and writes text. It records the first error in t.err.
func (t *transcript) write(text string) {
	text = t.spinner.erase() + text
	if text == "" {
		return
	}
	if _, err := io.WriteString(t.out, text); err != nil && t.err == nil {
		t.err = err
	}
}
