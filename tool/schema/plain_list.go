package schema

import (
	"regexp"
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

// readList reads a text as the elements of a list of scalars, and returns the repairs that this
// took. It has these forms:
//
//   - elements between commas of one kind (, or ， or 、), on one line or with line breaks after the
//     commas; one comma at the end is dropped;
//   - one element on each line, without commas; blank lines are skipped, and a bullet (-, * or •)
//     before every element is dropped;
//   - one element.
//
// Blanks around an element are dropped. An element in single or double quotation marks is a string
// of JSON: commas in it are text. What could be read in two ways is refused, with the reason:
//
//   - an empty text, or a missing element;
//   - text beside quotation marks;
//   - brackets or double quotation marks that one of several elements opens and does not close;
//   - two kinds of commas, or lines of which only some end in a comma;
//   - the word null or none alone, or one line with a bullet;
//   - 1,000, if the elements are numbers.
//
// A text that begins with [ or { is JSON or nothing; the caller checks that.
func readList(text string, numbers bool) (elements []listElement, repairs []string, reason string) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return nil, nil, "an empty list is written []"
	case numbers && groupedDigits.MatchString(text):
		return nil, nil, "it may be one number or several"
	}
	pieces, reason := splitList(text)
	if reason != "" {
		return nil, nil, reason
	}
	form := SingleElement
	if len(pieces) > 1 {
		if form = LineList; pieces[0].end != lineBreak {
			form = CommaList
		}
	}
	switch last := len(pieces) - 1; {
	case form == CommaList && pieces[last].text == "":
		pieces, repairs = pieces[:last], append(repairs, TrailingComma)
	case form == LineList:
		dropBullets(pieces)
	case form == SingleElement && isNothing(text):
		return nil, nil, "it may be text or stand for nothing"
	case form == SingleElement && bulletOf(text) != "":
		return nil, nil, "its bullet may be text"
	}
	for _, p := range pieces {
		e, reason := readListElement(p.text, form != SingleElement)
		if reason != "" {
			return nil, nil, reason
		}
		if p.text[0] == '\'' && !slices.Contains(repairs, SingleQuotes) {
			repairs = append(repairs, SingleQuotes)
		}
		elements = append(elements, e)
	}
	return elements, append(repairs, form), ""
}

// groupedDigits is a number with separators between its thousands, or a list of numbers.
var groupedDigits = regexp.MustCompile(`^[-+]?[0-9]{1,3}(?:,[0-9]{3})+$`)

// isNothing reports whether a word alone may say that there is no value.
func isNothing(text string) bool {
	return strings.EqualFold(text, "null") || strings.EqualFold(text, "none")
}

// piece is the text before a separator: one kind of comma, a line break or, for the last piece,
// nothing (0).
type piece struct {
	text string
	end  rune
}

const lineBreak = '\n'

// splitList splits a text at commas and line breaks outside of quotation marks. All pieces but the
// last end in the same separator. None but the last, after a comma, is empty.
func splitList(text string) (pieces []piece, reason string) {
	start := 0
	for start < len(text) || len(pieces) > 0 && pieces[len(pieces)-1].end != 0 {
		length, end, width, reason := nextPiece(text[start:])
		if reason != "" {
			return nil, reason
		}
		p := piece{strings.TrimSpace(text[start : start+length]), end}
		if start += length + width; p.text == "" && end == lineBreak {
			continue // a blank line, or the line ended in a comma
		}
		pieces = append(pieces, p)
	}
	for _, p := range pieces[:len(pieces)-1] {
		switch {
		case p.text == "":
			return nil, "an element is missing"
		case p.end != pieces[0].end && (p.end == lineBreak || pieces[0].end == lineBreak):
			return nil, "it has commas, and lines without"
		case p.end != pieces[0].end:
			return nil, "it has two kinds of commas"
		}
	}
	return pieces, ""
}

// nextPiece measures the text before the next separator, and the separator.
func nextPiece(text string) (length int, end rune, width int, reason string) {
	i := len(text) - len(strings.TrimLeft(text, " \t"))
	if i < len(text) && (text[i] == '"' || text[i] == '\'') {
		_, rest, err := readQuoted(text[i:])
		if err != nil {
			return 0, 0, 0, "quotation marks stay open"
		}
		i = len(text) - len(rest)
	}
	for j, c := range text[i:] {
		switch c {
		case ',', '，', '、', lineBreak:
			return i + j, c, utf8.RuneLen(c), ""
		case '\r':
			return i + j, lineBreak, 1, ""
		}
	}
	return len(text), 0, 0, ""
}

// readQuoted reads the string in single or double quotation marks that begins a text.
func readQuoted(text string) (s, rest string, err error) {
	r := orderedjson.Reader{Repair: true}
	return r.ReadString(text)
}

// bulletOf returns the bullet that a text begins with, and the blank after it; "" if there is none.
func bulletOf(text string) string {
	for _, bullet := range []string{"- ", "* ", "• "} {
		if strings.HasPrefix(text, bullet) {
			return bullet
		}
	}
	return ""
}

// dropBullets removes the bullets if every piece has the same.
func dropBullets(pieces []piece) {
	bullet := bulletOf(pieces[0].text)
	if slices.ContainsFunc(pieces, func(p piece) bool { return !strings.HasPrefix(p.text, bullet) }) {
		return
	}
	for i := range pieces {
		pieces[i].text = strings.TrimSpace(pieces[i].text[len(bullet):])
	}
}

// readListElement reads one element; several reports that there are others.
func readListElement(text string, several bool) (listElement, string) {
	switch {
	case text == "":
		return listElement{}, "an element is missing"
	case text[0] == '"', text[0] == '\'':
		s, rest, err := readQuoted(text)
		if err != nil || rest != "" {
			return listElement{}, "there is text beside quotation marks"
		}
		if !several && startsJSON(s) {
			return listElement{}, "it is JSON in quotation marks"
		}
		return listElement{s, true}, ""
	case text[0] == '[', text[0] == '{':
		return listElement{}, "it is neither JSON nor a plain list"
	case several && !balanced(text):
		return listElement{}, "an element opens brackets or quotation marks and does not close them"
	}
	return listElement{text: text}, ""
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
