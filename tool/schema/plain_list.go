package schema

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// listElement is one element of a list that is written without JSON.
type listElement struct {
	text   string
	quoted bool // it stood in quotation marks, so its text is exact
}

// listForm is what decides how a plain list of scalars may be read.
type listForm struct {
	numbers   bool // the elements are numbers
	fractions bool // which may have fractions
	text      bool // the elements are strings of any content
	one       bool // at most one element is allowed
}

// readList reads a text as the elements of a list of scalars, and returns the repairs that this
// took. It has these forms:
//
//   - elements between commas of one kind (, or ， or 、), on one line or with line breaks after the
//     commas; one comma at the end is dropped;
//   - one element on each line, without commas; blank lines are skipped. A bullet before every
//     element is dropped, and so are numbers that count the elements from 1;
//   - one element.
//
// Blanks around an element are dropped. An element in single or double quotation marks is a string
// of JSON: commas in it are text. What could be read in two ways is refused, with the reason. This
// function and listForm.doubt list what that is.
//
// A text that begins with [ or { is JSON or nothing; the caller checks that.
func readList(text string, form listForm) (elements []listElement, repairs []string, doubt phrase) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, nil, phraseEmptyList
	}
	pieces, doubt := splitList(text)
	if doubt != phraseNone {
		return nil, nil, doubt
	}
	kind := SingleElement
	if len(pieces) > 1 {
		if kind = LineList; pieces[0].end != lineBreak {
			kind = CommaList
		}
	}
	if last := len(pieces) - 1; kind == CommaList && pieces[last].text == "" {
		pieces, repairs = pieces[:last], append(repairs, TrailingComma)
	}
	if doubt := form.doubt(pieces, kind); doubt != phraseNone {
		return nil, nil, doubt
	}
	if kind == LineList {
		counted, doubt := dropMarkers(pieces)
		if doubt != phraseNone {
			return nil, nil, doubt
		}
		if counted {
			repairs = append(repairs, NumberedList)
		}
	}
	for _, p := range pieces {
		e, doubt := readListElement(p.text, kind != SingleElement)
		if doubt != phraseNone {
			return nil, nil, doubt
		}
		if p.text[0] == '\'' && !slices.Contains(repairs, SingleQuotes) {
			repairs = append(repairs, SingleQuotes)
		}
		elements = append(elements, e)
	}
	return elements, append(repairs, kind), phraseNone
}

// piece is the text before a separator: one kind of comma, a line break or, for the last piece,
// nothing (0).
type piece struct {
	text     string
	end      rune // the separator after it
	indented bool // blanks are before it
	tight    bool // the separator touches this piece and the next one
}

// quoted reports whether the piece begins with a quotation mark.
func (p piece) quoted() bool { return p.text != "" && (p.text[0] == '"' || p.text[0] == '\'') }

const lineBreak = '\n'

// splitList splits a text at commas and line breaks outside of quotation marks. All pieces but the
// last end in the same separator. None but the last, after a comma, is empty.
func splitList(text string) (pieces []piece, doubt phrase) {
	start := 0
	for start < len(text) || len(pieces) > 0 && pieces[len(pieces)-1].end != 0 {
		length, end, width, doubt := nextPiece(text[start:])
		if doubt != phraseNone {
			return nil, doubt
		}
		raw, rest := text[start:start+length], text[start+length+width:]
		p := piece{text: strings.TrimSpace(raw), end: end}
		p.indented = raw != strings.TrimLeft(raw, " \t\u3000")
		p.tight = end != lineBreak && raw == strings.TrimRight(raw, " \t") && rest == strings.TrimLeft(rest, " \t\r\n")
		if start += length + width; p.text == "" && end == lineBreak {
			continue // a blank line, or the line ended in a comma
		}
		pieces = append(pieces, p)
	}
	for _, p := range pieces[:len(pieces)-1] {
		switch {
		case p.text == "":
			return nil, phraseMissingElement
		case p.end != pieces[0].end && (p.end == lineBreak || pieces[0].end == lineBreak):
			return nil, phraseMixedLines
		case p.end != pieces[0].end:
			return nil, phraseTwoCommas
		}
	}
	return pieces, phraseNone
}

// nextPiece measures the text before the next separator, and the separator.
func nextPiece(text string) (length int, end rune, width int, doubt phrase) {
	i := len(text) - len(strings.TrimLeft(text, " \t"))
	if i < len(text) && (text[i] == '"' || text[i] == '\'') {
		_, rest, err := readQuoted(text[i:])
		if err != nil {
			return 0, 0, 0, phraseOpenQuotes
		}
		i = len(text) - len(rest)
	}
	for j, c := range text[i:] {
		switch c {
		case ',', '，', '、', lineBreak:
			return i + j, c, utf8.RuneLen(c), phraseNone
		case '\r':
			return i + j, lineBreak, 1, phraseNone
		}
	}
	return len(text), 0, 0, phraseNone
}

// readQuoted reads the string in single or double quotation marks that begins a text.
func readQuoted(text string) (s, rest string, err error) {
	r := orderedjson.Reader{Repair: true}
	return r.ReadString(text)
}

// readListElement reads one element; several reports that there are others.
func readListElement(text string, several bool) (listElement, phrase) {
	switch {
	case text == "":
		return listElement{}, phraseMissingElement
	case text[0] == '"', text[0] == '\'':
		s, rest, err := readQuoted(text)
		if err != nil || rest != "" {
			return listElement{}, phraseTextBesideQuotes
		}
		if !several && startsJSON(s) {
			return listElement{}, phraseQuotedJSON
		}
		return listElement{s, true}, phraseNone
	case text[0] == '[', text[0] == '{', strings.HasPrefix(text, `("`), strings.HasPrefix(text, `('`):
		return listElement{}, phraseNeitherForm
	case several && !balanced(text):
		return listElement{}, phraseOpenBrackets
	}
	return listElement{text: text}, phraseNone
}

// pairs are brackets, and quotation marks that open and close differently.
var pairs = map[rune]rune{
	')': '(', ']': '[', '}': '{', '）': '（', '】': '【', '」': '「', '』': '『', '》': '《', '”': '“', '’': '‘',
}

// balanced reports whether text closes what it opens. An apostrophe (’) alone closes nothing.
func balanced(text string) bool {
	if strings.Count(text, `"`)%2 != 0 {
		return false
	}
	var open []rune
	for _, c := range text {
		if opener, ok := pairs[c]; ok {
			if n := len(open); n > 0 && open[n-1] == opener {
				open = open[:n-1]
			} else if c != '’' {
				return false
			}
			continue
		}
		if strings.ContainsRune("([{（【「『《“‘", c) {
			open = append(open, c)
		}
	}
	return len(open) == 0
}
