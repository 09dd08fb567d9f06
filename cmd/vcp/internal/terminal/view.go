// Package terminal shows a person what a model and its tools do, asks for approval, and reads what
// the person types.
package terminal

import (
	"cmp"
	"io"
	"strings"
	"sync"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// View shows a run to a person: the model's words as they come, and one line for each tool call:
//
//	[tool] files_list path="docs" ... ok, 1.2ms: docs/a.md (and 3 more lines)
//
// A call that reports its progress has more lines:
//
//	[tool] table_chart file="a.csv" ...
//	[tool] ... 10000 rows
//	[tool] ... ok, 1.2s: chart.png
//
// It is safe for concurrent use: a question may be asked while a tool reports its progress.
type View struct {
	mu sync.Mutex
	transcript
	phrases
	// forPerson is false if a program reads the output. A program gets no reasoning and no spinner.
	forPerson bool
	// File describes a file of a result, and may save it.
	File func(tool.File) string
	// Arguments shows the arguments of a request that no schema has checked; nil shows none.
	Arguments func(*protocol.ToolRequest) string

	requested bool            // the reply has requested a call, so its further text waits for the results
	held      strings.Builder // the text that waits for the results
	notes     []string        // the notes that wait for the end of the text
	// unread are notes on unreadable requests. A result of such a request replaces all of them.
	unread []string
	noted  map[string]bool      // the notes that this reply has had; each is shown once
	calls  map[string]knownCall // the reply's requests, by ID
}

const (
	// maxHeld limits the text that waits for results, in bytes. Further text is shown at once.
	maxHeld = 1 << 20
	// maxNotes limits the different notes of one reply.
	maxNotes = 100
	// maxArguments limits the arguments of a failed call, in characters.
	maxArguments = 400
)

// NewView returns a view on out, in a language. It shows reasoning and a spinner only if out is a
// terminal.
func NewView(out io.Writer, language string) *View {
	p := phrasesIn(language)
	return &View{
		transcript: transcript{out: out, style: styleOf(out), reasoning: p.Say("[reasoning] ")},
		phrases:    p, forPerson: cli.IsTerminal(out),
		File:  func(f tool.File) string { return FileText(language, f) },
		noted: map[string]bool{}, calls: map[string]knownCall{},
	}
}

// Show shows one event.
func (v *View) Show(e engine.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.spinner.restart(e.Kind)
	switch e.Kind {
	case engine.EventText:
		if v.requested && v.held.Len()+len(e.Text) <= maxHeld {
			v.held.WriteString(e.Text)
		} else {
			v.showHeld()
			v.words(partText, e.Text)
		}
	case engine.EventReasoning:
		if v.forPerson {
			v.words(partReasoning, e.Text)
		}
	case engine.EventRequestStarted:
		if v.forPerson {
			v.endLine() // so that the spinner can be shown while the model writes arguments
		}
	case engine.EventRequestDone:
		v.requested = true
		if v.Arguments != nil && e.Request != nil {
			v.remember(e.RequestID, e.Request.ToolName, v.Arguments(&e.Request.ToolRequest))
		}
	case engine.EventToolStarted:
		arguments := ArgumentsText(e.Method.MaskArguments(e.Arguments), MaxValue)
		v.remember(e.RequestID, e.Name, arguments)
		v.begin(e.RequestID, v.toolText(e.Name, arguments))
	case engine.EventToolProgress:
		v.progress(e)
	case engine.EventToolDone:
		v.done(e)
	case engine.EventIterationDone:
		v.endReply()
	case engine.EventReclassified:
		v.showHeld()
		if v.forPerson {
			v.line(v.noteLine(v.Say("the text above was reasoning")))
		}
	case engine.EventDropped:
		v.remark(v.Say("omitted a tool result that the model fabricated"))
	case engine.EventNotice:
		if e.Notice.Code == parser.NoticeMalformedRequest {
			v.unread = append(v.unread, v.notice(e.Notice))
			return
		}
		v.remark(v.notice(e.Notice))
	case engine.EventProtocolError:
		v.showHeld()
		reason := v.Say("the reply could not be read, and nothing in it runs: %s", Visible(e.Err.Error()))
		v.line(v.style.bad + v.Say("[note] ") + reason + v.style.reset)
	}
}

// remark shows a note on the reply, once. The note waits for the end of the text, because it is a
// line of its own.
func (v *View) remark(text string) {
	if v.noted[text] || len(v.noted) == maxNotes {
		return
	}
	v.noted[text] = true
	v.notes = append(v.notes, v.noteLine(text))
	if v.part != partText && v.part != partReasoning {
		v.showNotes()
	}
}

func (v *View) noteLine(text string) string {
	return v.style.dim + v.Say("[note] ") + text + v.style.reset
}

func (v *View) showNotes() {
	notes := v.notes
	v.notes = nil
	for _, text := range notes {
		v.line(text)
	}
}

// showHeld shows the text that waited for results.
func (v *View) showHeld() {
	v.words(partText, v.held.String())
	v.held.Reset()
	v.requested = false
}

// endReply shows what waited for the end of a reply and of its calls.
func (v *View) endReply() {
	v.showHeld()
	for _, text := range v.unread {
		v.remark(text)
	}
	v.unread = nil
	v.showNotes()
	if v.part == partText || v.part == partReasoning {
		v.endLine()
		v.part = partReply
	}
	clear(v.calls)
	clear(v.noted)
}

// knownCall is a request of the reply, as lines on the screen show it.
type knownCall struct{ name, arguments string }

// remember keeps a call until the end of its reply. The engine limits the calls of a reply.
func (v *View) remember(id, name, arguments string) {
	v.calls[id] = knownCall{name, text.TruncateRunes(arguments, maxArguments)}
}

// Note shows a note of vcp.
func (v *View) Note(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.line(v.noteLine(text))
}

// NotRun shows a call that the engine did not run, because the mode is manual.
func (v *View) NotRun(name, arguments string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.line(v.toolText(name, arguments) + v.Say(" ... not run: the mode is manual"))
}

// Failure shows why there is no reply.
func (v *View) Failure(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.line(v.style.bad + v.Say("[error] ") + text + v.style.reset)
	v.part = partNone
}

// Pause stops the output until release is called, because output would scroll an open question
// away.
func (v *View) Pause() (release func()) {
	v.mu.Lock()
	if v.forPerson { // the question may be on the same terminal
		v.write("") // erases the spinner
		v.endLine()
		v.part = partLines
	}
	return v.mu.Unlock
}

// Blank shows an empty line, which separates a turn from what follows.
func (v *View) Blank() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.write("\n")
	v.part = partNone
}

// End ends the line and returns the first error of the output.
func (v *View) End() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.spinner.stop()
	v.write("") // erases the spinner
	v.endReply()
	v.endLine()
	if v.err != nil {
		return &cli.OutputError{Err: v.err}
	}
	return nil
}

func (v *View) toolText(name, arguments string) string {
	return v.style.tool + v.Say("[tool] ") + Visible(name) + v.style.reset + arguments
}

// begin shows a call without an outcome yet. Its line stays open.
func (v *View) begin(id, text string) {
	v.showNotes()
	v.startLine()
	v.write(text + " ... ")
	v.inLine, v.open = true, id
	v.openCells = cells(text+" ... ") - len(v.style.tool+v.style.reset) // escape sequences take no cells
}

// progress shows an update of a running call, in a separate line.
func (v *View) progress(e engine.Event) {
	line := v.Say("[tool] ") + "... "
	if e.RequestID != v.open && e.RequestID != v.about {
		line = v.toolText(v.calls[e.RequestID].name, "") + " ... "
	}
	v.line(line + Visible(text.TruncateRunes(e.Text, MaxResult)))
	v.about = e.RequestID
}

// done shows the outcome of a call, at the end of its line if that is still open.
func (v *View) done(e engine.Event) {
	if e.Result.ToolName == "" {
		v.unread = nil // if one unreadable request gets a result, all of them do
	}
	word, rest := v.outcome(e.Result)
	color := v.style.good
	if e.Result.Status == protocol.StatusError {
		color = v.style.bad
	}
	switch {
	case e.RequestID == v.open && v.open != "": // its line is still open
	case e.RequestID == v.about && v.about != "":
		v.startLine()
		v.write(v.Say("[tool] ") + "... ")
	default:
		v.showNotes()
		v.startLine()
		arguments := ""
		if e.Result.Status == protocol.StatusError {
			arguments = v.calls[e.RequestID].arguments
		}
		v.write(v.toolText(cmp.Or(e.Result.ToolName, v.Say("(unnamed)")), arguments) + " ... ")
	}
	v.write(color + word + v.style.reset + rest + "\n")
	v.inLine, v.open = false, ""
	for _, f := range e.Result.Files {
		v.write(v.style.dim + v.File(f) + v.style.reset + "\n")
	}
}
