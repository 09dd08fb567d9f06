package main

import (
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/engine"
)

// view shows a run to a person: the model's words as they come, and one line for each tool call:
//
//	[tool] files_list path="docs" ... ok, 1.2ms: docs/a.md (and 3 more lines)
//
// It is safe for concurrent use: a question may be asked while a tool reports its progress.
type view struct {
	mu    sync.Mutex
	out   io.Writer
	style style
	// forPerson is false if a program reads the output: it gets no reasoning and no details.
	forPerson bool

	part   part
	lead   []byte // blanks before the next text, on its line
	breaks int    // line breaks at the end of the text so far, held back until more text comes
	inLine bool   // the cursor is not at the start of a line
	open   string // the request with an open line, which waits for the outcome
	err    error  // the first error of out
}

// part is the kind of text that the view is showing.
type part uint8

const (
	partNone part = iota
	partText
	partReasoning
	partLines
)

func newView(out io.Writer) *view {
	return &view{out: out, style: styleOf(out), forPerson: isTerminal(out)}
}

// show shows one event.
func (v *view) show(e engine.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch e.Kind {
	case engine.EventText:
		v.words(partText, e.Text)
	case engine.EventReasoning:
		if v.forPerson {
			v.words(partReasoning, e.Text)
		}
	case engine.EventToolStarted:
		v.begin(e.RequestID, v.toolText(e.Name, argumentsText(e.Method.MaskArguments(e.Arguments), shownValue)))
	case engine.EventToolProgress:
		v.line("[tool] " + visible(truncated(e.Text, shownResult)))
	case engine.EventToolDone:
		v.done(e)
	case engine.EventReclassified:
		if v.forPerson {
			v.line(v.style.dim + "[note] the text above was reasoning" + v.style.reset)
		}
	case engine.EventDropped:
		v.line(v.style.dim + "[note] omitted a tool result that the model fabricated" + v.style.reset)
	case engine.EventNotice:
		v.line(v.style.dim + "[note] " + visible(e.Notice.Message) + v.style.reset)
	case engine.EventProtocolError:
		v.line(v.style.bad + "[note] the reply could not be read, and nothing in it runs: " + visible(e.Err.Error()) + v.style.reset)
	}
}

// note shows a line of vcp.
func (v *view) note(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.line(text)
}

// call shows a call that is not run, or not yet.
func (v *view) call(name, arguments, remark string) {
	v.note(v.toolText(name, arguments) + remark)
}

// failure shows why there is no answer.
func (v *view) failure(text string) {
	v.note(v.style.bad + "[error] " + text + v.style.reset)
	v.part = partNone
}

// pause stops the output until release is called, because output would scroll an open question
// away.
func (v *view) pause() (release func()) {
	v.mu.Lock()
	if v.forPerson { // the question may be on the same terminal
		v.endLine()
		v.part = partLines
	}
	return v.mu.Unlock
}

// blank shows an empty line.
func (v *view) blank() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.write("\n")
}

// end ends the line and returns the first error of the output.
func (v *view) end() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.endLine()
	v.part = partNone
	if v.err != nil {
		return &outputError{v.err}
	}
	return nil
}

// words shows a piece of text. It omits line breaks at the start and the end, which were around
// requests.
func (v *view) words(p part, text string) {
	text = printable(text)
	if v.part != p {
		text = v.afterBlanks(text)
		if text == "" {
			return
		}
		text = string(v.lead) + text
		gap := v.part == partLines
		v.endLine()
		if gap {
			v.write("\n")
		}
		v.part = p
		if p == partReasoning {
			v.write(v.style.dim + "[reasoning] " + v.style.reset)
		}
	}
	body := strings.TrimRight(text, "\n")
	if body != "" {
		body = strings.Repeat("\n", v.breaks) + body
		v.breaks = 0
		if p == partReasoning {
			v.write(v.style.dim + body + v.style.reset)
		} else {
			v.write(body)
		}
		v.inLine = true
	}
	v.breaks += len(text) - len(strings.TrimRight(text, "\n"))
}

// maxLead is how much of a line's indentation is kept, in bytes.
const maxLead = 1024

// afterBlanks returns text after its blanks. Those of its first line are kept in v.lead; blank
// lines are dropped.
func (v *view) afterBlanks(text string) string {
	rest := strings.TrimLeftFunc(text, unicode.IsSpace)
	blanks := text[:len(text)-len(rest)]
	if i := strings.LastIndexByte(blanks, '\n'); i >= 0 {
		v.lead, blanks = v.lead[:0], blanks[i+1:]
	}
	for _, r := range blanks {
		if len(v.lead) < maxLead {
			v.lead = utf8.AppendRune(v.lead, r)
		}
	}
	return rest
}

func (v *view) toolText(name, arguments string) string {
	return v.style.tool + "[tool] " + visible(name) + v.style.reset + arguments
}

// begin shows a call without an outcome yet. Its line stays open.
func (v *view) begin(id, text string) {
	v.startLine()
	v.write(text + " ... ")
	v.inLine, v.open = true, id
}

// done shows the outcome of a call, at the end of its line if that is still open.
func (v *view) done(e engine.Event) {
	word, rest := outcomeText(e.Result)
	color := v.style.good
	if word != "ok" {
		color = v.style.bad
	}
	text := color + word + v.style.reset + rest
	if v.open == "" || v.open != e.RequestID {
		v.startLine()
		name := e.Result.ToolName
		if name == "" {
			name = "(unnamed)"
		}
		v.write(v.toolText(name, "") + " ... ")
	}
	v.write(text + "\n")
	v.inLine, v.open = false, ""
	for _, f := range e.Result.Files {
		v.write(v.style.dim + fileText(f) + v.style.reset + "\n")
	}
	if details := detailsText(e.Result); v.forPerson && details != "" {
		v.write(v.style.dim + details + v.style.reset + "\n")
	}
}

// line shows a separate line.
func (v *view) line(text string) {
	v.startLine()
	v.write(text + "\n")
	v.inLine = false
}

func (v *view) startLine() {
	gap := v.part == partText || v.part == partReasoning
	v.endLine()
	if gap {
		v.write("\n")
	}
	v.part = partLines
}

func (v *view) endLine() {
	if v.inLine {
		v.write("\n")
	}
	v.inLine, v.open, v.breaks, v.lead = false, "", 0, v.lead[:0]
}

func (v *view) write(text string) {
	if _, err := io.WriteString(v.out, text); err != nil && v.err == nil {
		v.err = err
	}
}
