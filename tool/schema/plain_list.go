package schema

import (
	"slices"
	"strings"
)

// listElement is one element of a plain list, a list that is written without JSON.
type listElement struct {
	text   string
	quoted bool // the element was in quotation marks, so text is a string and nothing else
}

// readList reads a text as the elements of a list of scalars, and returns the names of the applied
// repairs. form says which elements the schema allows. The list may be written in one of these
// ways:
//
//   - elements between commas of one kind (, or ， or 、), on one line or with line breaks after the
//     commas; one comma at the end is dropped;
//   - one element on each line, without commas; blank lines are skipped. A bullet before every
//     element is dropped, and so are numbers that count the elements from 1;
//   - one element.
//
// Blanks around an element are dropped. An element in single or double quotation marks is read like
// a JSON string: commas in it are text. A text that could be read in two ways is refused, and
// refusal says why.
//
// The caller must not pass a text that begins with [ or {, which can only be JSON.
func readList(text string, form listForm) (elements []listElement, repairs []string, refusal phrase) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, nil, phrase("an empty list is written []")
	}
	items, refusal := splitList(text)
	if refusal != "" {
		return nil, nil, refusal
	}
	kind := SingleElement
	if len(items) > 1 {
		if kind = LineList; items[0].end != lineBreak {
			kind = CommaList
		}
	}
	if last := len(items) - 1; kind == CommaList && items[last].text == "" {
		items, repairs = items[:last], append(repairs, TrailingComma)
	}
	if refusal := form.ambiguity(items, kind); refusal != "" {
		return nil, nil, refusal
	}
	if kind == LineList {
		counted, refusal := dropMarkers(items)
		if refusal != "" {
			return nil, nil, refusal
		}
		if counted {
			repairs = append(repairs, NumberedList)
		}
	}
	for _, p := range items {
		e, refusal := readListElement(p.text, kind != SingleElement)
		if refusal != "" {
			return nil, nil, refusal
		}
		if p.text[0] == '\'' && !slices.Contains(repairs, SingleQuotes) {
			repairs = append(repairs, SingleQuotes)
		}
		elements = append(elements, e)
	}
	return elements, append(repairs, kind), ""
}

// readListElement reads one element. separated reports that the list contains a separator.
func readListElement(text string, separated bool) (listElement, phrase) {
	switch {
	case text == "":
		return listElement{}, phrase("an element is missing")
	case text[0] == '"', text[0] == '\'':
		s, rest, err := readQuoted(text)
		if err != nil || rest != "" {
			return listElement{}, phrase("there is text outside the quotation marks")
		}
		if !separated && startsJSON(s) {
			return listElement{}, phrase("it is JSON in quotation marks")
		}
		return listElement{s, true}, ""
	case text[0] == '[', text[0] == '{', strings.HasPrefix(text, `("`), strings.HasPrefix(text, `('`):
		return listElement{}, phrase("it is neither JSON nor a plain list")
	case separated && !balanced(text):
		return listElement{}, phrase("an element opens brackets or quotation marks and does not close them")
	}
	return listElement{text: text}, ""
}

// pairs maps closing brackets and quotation marks to the opening ones.
var pairs = map[rune]rune{
	')': '(', ']': '[', '}': '{', '）': '（', '】': '【', '」': '「', '』': '『', '》': '《', '”': '“', '’': '‘',
}

// balanced reports whether all brackets, double quotation marks and curly quotation marks in text
// have a partner. A ’ without one counts as an apostrophe.
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
