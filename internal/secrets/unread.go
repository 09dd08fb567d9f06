package secrets

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/work"
)

// Unread masks the requests in text that no parser has read, whatever their form is. It masks more
// than secrets: a request of unknown form is masked as a whole.
type Unread struct {
	Names   Names    // names of secret arguments
	Methods []string // names of the methods that have them
}

// Mask returns a text with Mask in place of each part that may contain a secret argument:
//
//   - from the first mark of a request, in any protocol, to the end of the last;
//   - a paragraph that names one of the methods as a request does, and the brackets after the name;
//   - what follows the name of a secret argument as a value does, up to the end of the paragraph;
//   - the parts given, which are half-open ranges.
//
// Names and marks are found with any layers of escapes. A fence of code is one paragraph. A part
// whose end is missing reaches to the end of the text. values are the masked values of which the
// end is known. Mask takes time in proportion to the text.
func (u Unread) Mask(s string, parts ...[2]int) (masked string, values []string) {
	if s == "" {
		return s, nil
	}
	f := unreadFinder{Unread: u, plain: newPlainText(s)}
	f.text = string(f.plain.text)
	f.paragraphs = paragraphsOf(f.text)
	f.findMarks()
	f.fold()
	for _, name := range NewNames(u.Methods) {
		f.findNames(name, f.methodEnd)
	}
	for _, name := range u.Names {
		f.findNames(name, f.valueEnd)
	}
	var found spans
	for _, part := range f.found {
		if part[0] < part[1] {
			found.add(f.plain.from[part[0]], f.plain.to[part[1]-1])
		}
	}
	for _, part := range parts {
		found.add(part[0], part[1])
	}
	for i := range found { // lines stay apart
		found[i][1] = found[i][0] + len(strings.TrimRight(s[found[i][0]:found[i][1]], " \t\r\n"))
	}
	found = slices.DeleteFunc(found, func(part [2]int) bool { return part[0] == part[1] })
	if len(found) == 0 {
		return s, nil
	}
	return found.mask(s), f.values
}

type unreadFinder struct {
	Unread
	plain      plainText
	text       string // of plain
	paragraphs []paragraph
	folded     string // text as text.FoldName returns it
	at         []int  // the index in text of each byte of folded
	found      spans  // in text
	values     []string
}

// A paragraph is a part of a text. It begins at the end of the one before it.
type paragraph struct {
	from, to int
	inner    int // the end without the line that closes a fence
}

// paragraphsOf returns the paragraphs of a text, which blank lines and fences separate.
func paragraphsOf(s string) (list []paragraph) {
	work.Add(len(s))
	begin, at, fenced := 0, 0, false
	end := func(inner, here int) {
		if here > begin {
			list = append(list, paragraph{begin, here, inner})
			begin = here
		}
	}
	for line := range strings.Lines(s) {
		next := at + len(line)
		switch trimmed := strings.Trim(line, " \t\r\n>"); {
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			if fenced {
				end(at, next)
			} else {
				end(at, at)
			}
			fenced = !fenced
		case trimmed == "" && !fenced:
			end(next, next)
		}
		at = next
	}
	end(len(s), len(s))
	return list
}

// paragraph returns the paragraph that contains an index. The index may be that of the end of the
// text.
func (f *unreadFinder) paragraph(at int) paragraph {
	i, found := slices.BinarySearchFunc(f.paragraphs, at, func(p paragraph, at int) int { return p.from - at })
	if !found {
		i--
	}
	return f.paragraphs[i]
}

// fold sets the folded text. It folds runes as text.FoldName does.
func (f *unreadFinder) fold() {
	work.Add(len(f.text))
	b := make([]byte, 0, len(f.text))
	f.at = make([]int, 0, len(f.text))
	for i, r := range f.text {
		n := len(b)
		switch {
		case r == '-', r == '_', unicode.IsSpace(r):
		default:
			b = utf8.AppendRune(b, unicode.ToLower(r))
		}
		for range len(b) - n {
			f.at = append(f.at, i)
		}
	}
	f.folded = string(b)
}

// marks match the marks of requests in each protocol, escaped ones included. Group 1 matches in
// marks that end something. Group 2 matches in marks that neither begin nor end something.
var marks = regexp.MustCompile(`(?i)\[(?:(END)[\s_\\-]{0,4})?TOOL[\s_\\-]{0,4}REQUEST` +
	`|(?:<|＜|&(?:amp;){0,16}lt;)\s{0,4}(?:(/)\s{0,4})?(?:tool_calls?|function_calls?|invoke|function|parameter)\b` +
	`|「\s{0,4}(?:始|(末))|(\btool_name["'\\]{0,4}\s{0,4}[:：=])`)

// findMarks finds the requests between marks.
func (f *unreadFinder) findMarks() {
	work.Add(len(f.text))
	begin, depth := 0, 0
	for _, m := range marks.FindAllStringSubmatchIndex(f.text, -1) {
		p := f.paragraph(m[0])
		if depth == 0 {
			begin = p.from
		}
		switch isEnd := m[2] >= 0 || m[4] >= 0 || m[6] >= 0; {
		case isEnd && depth > 0:
			depth--
		case !isEnd && m[8] < 0:
			depth++
		}
		if depth == 0 {
			f.found.add(begin, p.to)
		}
	}
	if depth > 0 {
		f.found.add(begin, len(f.text))
	}
}

// findNames calls part for each place that contains a name, which is folded, as a whole word. part
// returns what is masked there, or 0, 0. Names in it are not searched for.
func (f *unreadFinder) findNames(name string, part func(at, end int) (from, to int)) {
	if name == "" {
		return
	}
	work.Add(len(f.folded))
	masked := 0
	occurrences(f.folded, name, func(i int) int {
		at := f.at[i]
		_, size := utf8.DecodeRuneInString(f.text[f.at[i+len(name)-1]:])
		end := f.at[i+len(name)-1] + size
		if at >= masked && !joinsWord(f.text[:at], f.text[at:end]) && !joinsWord(f.text[:end], f.text[end:]) {
			if from, to := part(at, end); to > 0 {
				f.found.add(from, to)
				masked = to
			}
		}
		return i
	})
}

// joinsWord reports whether two texts meet within a word of a script that separates words.
func joinsWord(before, after string) bool {
	a, _ := utf8.DecodeLastRuneInString(before)
	b, _ := utf8.DecodeRuneInString(after)
	isPart := func(r rune) bool {
		return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.Is(unicode.Han, r) && r != utf8.RuneError
	}
	return isPart(a) && isPart(b)
}

// A method is named as in a request if a bracket, a quotation mark or an assignment is beside it.
var (
	beforeMethod = regexp.MustCompile(`["'“<＜=＝:：(\[{「」始>/][ \t]*$`)
	afterMethod  = regexp.MustCompile(`^["'”\\]{0,4}[ \t]{0,4}[(（<＜>＞:：=＝\[{｛「,]|^["'”]`)
	actionLine   = regexp.MustCompile(`(?i)(?:action|tool|function|name|工具|行动|动作)["'*]{0,4}[ \t]{0,4}[:：=][ \t*"']{0,4}$`)
)

// nearby limits how much of a text is examined beside a name, in bytes.
const nearby = 32

// methodEnd returns the part of the text that a request for the method at an index may take.
func (f *unreadFinder) methodEnd(at, end int) (from, to int) {
	before, after := f.text[max(0, at-nearby):at], f.text[end:min(len(f.text), end+nearby)]
	if !beforeMethod.MatchString(before) && !afterMethod.MatchString(after) {
		return 0, 0
	}
	p := f.paragraph(at)
	switch {
	case actionLine.MatchString(before) && !strings.HasSuffix(strings.TrimSpace(before), `"`):
		return p.from, len(f.text) // the arguments follow on other lines
	case strings.HasSuffix(before, "<"):
		return p.from, f.after(end, "</")
	}
	if n := end + len(after) - len(strings.TrimLeft(after, "\"'”\\ \t")); n < len(f.text) {
		p.to = max(p.to, f.afterBrackets(n))
	}
	return p.from, p.to
}

// after returns the end of the paragraph that contains the next occurrence of a part of text.
func (f *unreadFinder) after(at int, part string) int {
	n := strings.Index(f.text[at:], part)
	if n < 0 {
		return len(f.text)
	}
	work.Add(n)
	return f.paragraph(at + n).to
}

// afterBrackets returns the end of the paragraph in which the bracket at an index is closed. It
// returns 0 if no bracket is there.
func (f *unreadFinder) afterBrackets(at int) int {
	const opening, closing = "([{", ")]}"
	kind := strings.IndexByte(opening, f.text[at])
	if kind < 0 {
		return 0
	}
	depth := 0
	for i := at; i < len(f.text); i++ {
		switch f.text[i] {
		case opening[kind]:
			depth++
		case closing[kind]:
			depth--
		}
		if depth == 0 {
			work.Add(i - at)
			return f.paragraph(i).to
		}
	}
	return len(f.text)
}

// A value follows the name of an argument after an assignment, a closed tag or a column, after the
// name in quotation marks, or after an option of a command.
var afterName = regexp.MustCompile("^(?:[\\\\\"'`*\\])”]{0,8}\\s{0,8}(?:[:：=＝>＞|]|=>|「)|\\(|[\"'`”]\\s{0,8})")

// valueEnd returns where the value of the argument whose name is at an index may be.
func (f *unreadFinder) valueEnd(at, end int) (from, to int) {
	last := byte(0) // before the name
	if at > 0 {
		last = f.text[at-1]
	}
	m := afterName.FindString(f.text[end:min(len(f.text), end+nearby)])
	isOption := strings.IndexByte("-/<", last) >= 0 && end < len(f.text) && strings.IndexByte(" \t\n", f.text[end]) >= 0
	if m == "" && !isOption {
		return 0, 0
	}
	from = end + len(m)
	value := from + len(f.text[from:]) - len(strings.TrimLeft(f.text[from:], " \t\r\n|>"))
	work.Add(value - from)
	if value == len(f.text) {
		return from, value
	}
	to = f.valueParagraph(at, value)
	first, size := utf8.DecodeRuneInString(f.text[value:])
	closer := map[rune]string{'"': `"`, '\'': "'", '`': "`", '“': "”", '「': "末"}[first]
	switch {
	case strings.HasSuffix(m, "「"):
		size, closer = 0, "末"
	case closer == "" && (strings.HasSuffix(m, ">") || last == '<'):
		size, closer = 0, "</"
	case closer == "":
		if word := strings.TrimSpace(f.text[from:to]); !strings.ContainsAny(word, " \t\n") {
			f.values = append(f.values, strings.Trim(word, ",;.}])"))
		}
		return from, max(to, f.afterBrackets(value))
	}
	n := strings.Index(f.text[value+size:], closer)
	if n < 0 {
		return from, len(f.text)
	}
	f.addValue(f.text[value+size : value+size+n])
	work.Add(n)
	return from, max(to, f.valueParagraph(at, value+size+n))
}

// valueParagraph returns the end of what is masked of the paragraph that contains the index end, if
// the name of the value is at an index. The end of a fence that contains both is not masked.
func (f *unreadFinder) valueParagraph(at, end int) int {
	p := f.paragraph(end)
	if p.from <= at && at < p.inner && end < p.inner {
		return p.inner
	}
	return p.to
}

// addValue adds a value that is written between two marks.
func (f *unreadFinder) addValue(value string) {
	value = strings.TrimPrefix(value, "始")
	if _, inner, found := strings.Cut(value, "」"); found && strings.HasSuffix(value, "「") {
		value = strings.TrimSuffix(inner, "「")
	}
	f.values = append(f.values, strings.TrimSpace(value))
}
