package terminal

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/tool"
)

const (
	// minColumns is the minimum width of the terminal, so that a row has room for a part of a
	// method's name, the risk and the answer.
	minColumns = 40
	// minArgumentRows is the minimum number of rows for the arguments.
	minArgumentRows = 2
	// answerCells is the space for an answer after a prompt.
	answerCells = 8
)

// tooSmallError says that the terminal is too small for a question.
type tooSmallError struct{ screen screen }

func (e *tooSmallError) Error() string {
	return fmt.Sprintf("the terminal is too small to show a call (%d columns, %d rows); "+
		"enlarge it to %d columns, %d rows", e.screen.columns, e.screen.rows, defaultColumns, defaultRows)
}

// question asks whether a call may run. Its texts may come from a model.
type question struct {
	phrases
	method    string
	risk      tool.Risk
	arguments json.RawMessage // secrets are masked
	preview   string          // what the call would do, such as a diff, or "" if that is unknown
	warnings  []string        // what changed in the method, and which words came from foreign text
	note      string          // a further note for the person, or ""
}

// shownQuestion is a question as a screen shows it. A row that begins with foreign text is
// indented, so that nobody can mistake it for a row of vcp.
type shownQuestion struct {
	body   string // whole rows
	prompt string // the last row, with the method and its risk; the answer is typed after it
	// omitted is how many characters of the call are not shown.
	omitted int
}

// The starts of rows.
const (
	argumentLead = "  - "
	previewLead  = "  | "
	warningLead  = "  ! "
)

// fit shows the question on one screen. It omits the middle of a long argument, and the last of
// many arguments. Its time is linear in the size of the call.
func (q *question) fit(s screen) (shownQuestion, error) {
	s = s.usable()
	if s.columns < minColumns {
		return shownQuestion{}, &tooSmallError{s}
	}
	for _, whole := range []bool{true, false} {
		if shown, ok := q.show(s, whole); ok {
			return shown, nil
		}
	}
	return shownQuestion{}, &tooSmallError{s}
}

// whole shows the question and all of the call, in any number of rows.
func (q *question) whole(s screen) shownQuestion {
	shown, _ := q.show(screen{math.MaxInt32, max(s.usable().columns, minColumns)}, true)
	return shown
}

// show shows the question on a screen. ok is false if the question does not fit, or if whole is set
// and a part of the call would be omitted.
func (q *question) show(s screen, whole bool) (shown shownQuestion, ok bool) {
	list := q.parts()
	body := newPage(s)
	body.add("", "") // the cursor's row may contain earlier input
	lead, risk := q.Say("[approval] "), " ("+q.riskText()+")"
	// A sixth of the rows is enough for a name.
	method, omitted := shorten(body.room(lead, max(1, s.rows/6))-cells(risk), glyphs(q.method))
	body.add(lead, method+risk)

	maxOmitted := 0 // in characters; the end has a note about them if there are any
	if !whole {
		maxOmitted = utf8.RuneCountInString(q.method) + charactersOf(list)
	}
	left := s.rows - body.rows - q.end(s, maxOmitted).rows - 1 // 1 is the row of the prompt
	if left < minArgumentRows {
		return shown, false
	}
	omitted += q.addParts(body, list, left)
	if whole && omitted > 0 {
		return shown, false
	}
	end := q.end(s, omitted)
	return shownQuestion{body.text.String() + end.text.String(), q.prompt(s), omitted}, true
}

// end returns the rows between the call and the prompt.
func (q *question) end(s screen, omitted int) *page {
	p := newPage(s)
	lead := q.Say("[note] ")
	if q.note != "" { // at most a third of the rows, so that the arguments have room, too
		note, _ := shorten(p.room(lead, max(1, s.rows/3)), glyphs(q.note))
		p.add(lead, note)
	}
	if omitted > 0 {
		p.add(lead, q.Say("%d characters of this call are not shown.", omitted))
		p.add("", q.Say("Answer show, or no and why; help explains."))
	} else {
		p.add("", q.Say("Answer y, always, edit, or no and why; help explains."))
	}
	return p
}

// prompt returns the row that asks whether the call may run. Like a page, it does not use the last
// column.
func (q *question) prompt(s screen) string {
	ask := func(name string) string { return q.Say("Allow %s (%s)? [no] ", name, q.riskText()) }
	name, _ := shorten(s.columns-1-cells(ask(""))-answerCells, glyphs(q.method))
	return ask(name)
}

func (q *question) riskText() string {
	switch q.risk {
	case tool.RiskRead:
		return q.Say("read")
	case tool.RiskWrite:
		return q.Say("write")
	case tool.RiskDangerous:
		return q.Say("dangerous")
	}
	return string(q.risk)
}

// editPrompt returns the row that asks for another value of an argument. Like a page, it does not
// use the last column.
func editPrompt(s screen, name, value string) string {
	room := s.usable().columns - 1 - len("   [] ") - answerCells
	shownName, _ := shorten(room/3, glyphs(nameText(name))) // most of the room is for the value
	shownValue, _ := shorten(room-cells(shownName), glyphs(value))
	return "  " + shownName + " [" + shownValue + "] "
}

// A questionPart is a warning, an argument or a line of the preview, with the start of its rows.
type questionPart struct{ lead, text string }

// parts returns the warnings, then the arguments, and then the lines of the preview.
func (q *question) parts() (list []questionPart) {
	for _, w := range q.warnings {
		list = append(list, questionPart{warningLead, w})
	}
	arguments := argumentsOf(q.arguments)
	for _, a := range arguments {
		list = append(list, questionPart{argumentLead, a})
	}
	if len(arguments) == 0 {
		list = append(list, questionPart{"  ", q.Say("(no arguments)")})
	}
	if q.preview != "" {
		for line := range strings.SplitSeq(strings.TrimRight(q.preview, "\n"), "\n") {
			list = append(list, questionPart{previewLead, line})
		}
	}
	return list
}

// addParts adds the parts to a page, in at most the given number of rows. It returns how many
// characters of the parts it omitted.
func (q *question) addParts(p *page, list []questionPart, rows int) (omitted int) {
	shown := list
	if len(list) > rows {
		rows-- // one row says how many parts are omitted
		shown = list[:rows]
	}
	needs := make([]int, len(shown))
	perRow := p.room(argumentLead, 1)
	for i, a := range shown {
		needs[i] = max(1, (measure(glyphs(a.text))+perRow-1)/perRow)
	}
	rowsEach := share(needs, rows)
	for _, a := range shown {
		text, n := shorten(p.room(a.lead, rowsEach), glyphs(a.text))
		p.add(a.lead, text)
		omitted += n
	}
	if rest := list[len(shown):]; len(rest) > 0 {
		more := count(len(rest), "and %d more argument")
		if rest[len(rest)-1].lead == previewLead {
			more = count(len(rest), "and %d more line")
		}
		p.add("  ", q.Say("%v", more))
		omitted += charactersOf(rest)
	}
	return omitted
}

// share returns the maximum number of rows of each part. needs are the rows that the parts need,
// and rows are all rows that are left for them. Rows that short parts do not need are divided among
// the long ones.
func share(needs []int, rows int) int {
	for i, need := range slices.Sorted(slices.Values(needs)) {
		fair := rows / (len(needs) - i)
		if need > fair {
			return fair
		}
		rows -= need
	}
	return math.MaxInt32
}

// argumentsOf returns the arguments of a call in the order written, each in the form name = "text"
// or name = JSON. If arguments is not a JSON object, it returns its text.
func argumentsOf(arguments json.RawMessage) []string {
	members, err := orderedjson.Members(arguments)
	if err != nil {
		return []string{string(arguments)}
	}
	var list []string
	for _, m := range members {
		list = append(list, nameText(m.Name)+" = "+valueText(m.Value, math.MaxInt))
	}
	return list
}

// nameText quotes a name that is empty or contains more than letters, digits, "_", "-" and ".".
func nameText(name string) string {
	plain := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-.", r) }
	if name != "" && strings.TrimFunc(name, plain) == "" {
		return name
	}
	return quoted(name)
}

func charactersOf(list []questionPart) int {
	n := 0
	for _, p := range list {
		n += max(1, utf8.RuneCountInString(p.text)) // an empty line counts as one character
	}
	return n
}
