package reference

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fieldKey is the key before an opener.
type fieldKey struct {
	name       string // without decoration and backslashes
	start, end int    // the range of the key, without decoration
	from       int    // start of the field: the decoration or the key
	hidden     bool   // commented out
	separated  bool   // there is a separator between the key and the opener
	repairs    []Repair
}

// keyBefore reads the key and the separator before the opener at op, by section 2 and rows F2 and
// F3. It reads nothing before floor.
func keyBefore(text string, floor, op int) (fieldKey, bool) {
	floor = max(floor, op-768) // section 2: a key begins in the last 768 bytes before the opener
	if k, ok := decoratedKeyBefore(text, floor, op, op); ok {
		return k, true
	}
	// F3: the marks of the value are in quotes, after a decorated key.
	for _, q := range []string{`"`, `'`, "“"} {
		if !strings.HasSuffix(text[floor:op], q) {
			continue
		}
		k, ok := decoratedKeyBefore(text, floor, op-len(q), op)
		if ok && k.separated && k.from < k.start {
			return k, true
		}
	}
	return fieldKey{}, false
}

var decorations = []struct{ open, close string }{
	{"", ""}, {"**", "**"}, {`"`, `"`}, {"'", "'"}, {"`", "`"}, {"“", "”"},
}

// decoratedKeyBefore reads a key whose separator ends, blanks aside, at end. op is the start of the
// opener.
func decoratedKeyBefore(text string, floor, end, op int) (fieldKey, bool) {
	p := skipBlanksBack(text, floor, end, 1)
	boldColon := strings.HasSuffix(text[floor:p], "**") // **key:**
	if boldColon {
		p = skipBlanksBack(text, floor, p-len("**"), 0)
	}
	separator := ""
	for _, s := range []string{":", "：", "=", "＝"} {
		if strings.HasSuffix(text[floor:p], s) {
			separator = s
		}
	}
	p -= len(separator)
	if separator == "" && (p != op || boldColon) {
		return fieldKey{}, false
	}
	keyEnd := p
	if separator != "" {
		keyEnd = skipBlanksBack(text, floor, p, 0)
	}
	for _, d := range decorations {
		if boldColon && d.open != "" {
			continue
		}
		if !strings.HasSuffix(text[floor:keyEnd], d.close) {
			continue
		}
		if separator == "" && (d.close == `"` || d.close == "'") { // F3: the quote may be the value's
			continue
		}
		k, ok := plainKeyBefore(text, floor, keyEnd-len(d.close))
		if !ok {
			continue
		}
		open := d.open
		if boldColon {
			open = "**"
		}
		if !strings.HasSuffix(text[floor:k.start], open) {
			continue
		}
		k.from = k.start - len(open)
		k.separated = separator != ""
		decorated := open != "" || end != op
		if at := strings.IndexByte(text[k.start:k.end], '\\'); at >= 0 {
			k.repairs = append(k.repairs, Repair{"key_decoration", Span{k.start + at, op}})
			if decorated {
				k.repairs[0].Span.Start = k.from
			}
		} else if decorated {
			k.repairs = append(k.repairs, Repair{"key_decoration", Span{k.from, op}})
		}
		if separator != ":" {
			k.repairs = append(k.repairs, Repair{"separator", Span{keyEnd, op}})
		}
		k.hidden = hiddenAt(text, floor, k.from)
		return k, true
	}
	return fieldKey{}, false
}

// plainKeyBefore reads the key that ends at end, as section 2 describes keys.
func plainKeyBefore(text string, floor, end int) (fieldKey, bool) {
	start, first := end, -1 // first is the offset of the leftmost character that may begin a key
	for start > floor {
		r, n := utf8.DecodeLastRuneInString(text[floor:start])
		if r == '\\' && strings.HasPrefix(text[start:], "_") && start < end { // F3: tool\_name
			start -= n
			continue
		}
		if r == utf8.RuneError && n <= 1 || !isKeyRune(r) {
			break
		}
		start -= n
		if beginsKey(r) {
			first = start
		}
	}
	if first < 0 {
		return fieldKey{}, false
	}
	k := fieldKey{start: first, end: end}
	k.name = strings.ReplaceAll(text[first:end], `\_`, "_")
	return k, true
}

func isKeyRune(r rune) bool {
	return beginsKey(r) || unicode.IsMark(r) || strings.ContainsRune("-./", r) || r == '\u200c' || r == '\u200d'
}

// beginsKey reports whether a key may begin with r. A variation selector belongs to the sign before
// it, such as an emoji.
func beginsKey(r rune) bool {
	isMark := unicode.IsMark(r) && !unicode.Is(unicode.Variation_Selector, r)
	return isMark || unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_'
}

// hiddenAt reports whether a comment mark is before the field at from, with only blanks and
// zero-width characters between the two (section 2).
func hiddenAt(text string, floor, from int) bool {
	before := strings.TrimRight(text[floor:from], wideBlanks+zeroWidth)
	if strings.HasSuffix(before, "//") || strings.HasSuffix(before, "<!--") {
		return true
	}
	return strings.HasSuffix(before, "#") && !strings.HasSuffix(before, "##")
}

// skipBlanksBack returns the start of the blanks before end. breaks is how many line breaks may be
// among them.
func skipBlanksBack(text string, floor, end, breaks int) int {
	for end > floor {
		s := text[floor:end]
		switch {
		case strings.HasSuffix(s, " "), strings.HasSuffix(s, "\t"):
			end--
		case strings.HasSuffix(s, "　"):
			end -= len("　")
		case breaks > 0 && strings.HasSuffix(s, "\r\n"):
			breaks--
			end -= 2
		case breaks > 0 && (strings.HasSuffix(s, "\n") || strings.HasSuffix(s, "\r")):
			breaks--
			end--
		default:
			return end
		}
	}
	return end
}

// keyedOpener reads the key and the separator before an opener (Terms); or, at the start of a line,
// a key that touches the opener (V11).
func keyedOpener(text string, floor int, m mark) (fieldKey, bool) {
	k, ok := keyBefore(text, floor, m.start)
	if !ok || !k.separated && lineLead(text, floor, k.from) < 0 {
		return fieldKey{}, false
	}
	return k, true
}

// lineLead returns the start of the line of the field at from. It returns -1 if the field is not at
// the start of its line, where blanks, bullets and comment marks may precede it (V11).
func lineLead(text string, floor, from int) int {
	line := from
	for line > floor && text[line-1] != '\n' && text[line-1] != '\r' {
		line--
	}
	if line == floor && floor > 0 && text[floor-1] != '\n' && text[floor-1] != '\r' {
		return -1
	}
	if isLead(text[line:from]) {
		return line
	}
	return -1
}

// isLead reports whether s contains only blanks, zero-width characters, bullets, comment marks and
// at most one number of a list item.
func isLead(s string) bool {
	hasNumber := false
	for s != "" {
		rest := s
		rest = strings.TrimLeft(rest, wideBlanks+zeroWidth+"-*+•·>#/")
		rest = strings.TrimPrefix(rest, "<!--")
		if rest == s {
			digits := strings.TrimLeft(s, "0123456789")
			if hasNumber || digits == s || digits == "" || digits[0] != '.' && digits[0] != ')' {
				return false
			}
			rest, hasNumber = digits[1:], true
		}
		s = rest
	}
	return true
}

// isToolName reports whether a key is tool_name in some spelling (F4).
func isToolName(name string) bool { return folded(name) == "toolname" }

var withoutSeparators = strings.NewReplacer("_", "", "-", "")

func folded(name string) string {
	return strings.ToLower(withoutSeparators.Replace(name))
}

// bareKey reads the key and the separator of a line, and returns both and what follows them (F12).
// ok is false for any other line.
func bareKey(line string) (key, separator, rest string, ok bool) {
	line = strings.TrimLeft(line, wideBlanks)
	n := 0
	for n < len(line) && line[n] < 0x80 && isKeyRune(rune(line[n])) {
		n++
	}
	key = line[:n]
	letter := strings.IndexFunc(key, unicode.IsLetter)
	startsLower := letter >= 0 && unicode.IsLower(rune(key[letter]))
	if key == "" || len(key) > 128 || !beginsKey(rune(key[0])) || !startsLower && !strings.Contains(key, "_") {
		return "", "", "", false
	}
	rest = strings.TrimLeft(line[n:], wideBlanks)
	for _, s := range []string{":", "：", "=", "＝"} {
		if after, ok := strings.CutPrefix(rest, s); ok {
			return key, s, after, true
		}
	}
	return "", "", "", false
}
