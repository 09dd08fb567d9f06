package schema

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A plain list is read only if its text can mean nothing else. The functions of this file that
// return a phrase find texts that a person could read in another way. The phrase is the reason to
// refuse the text; "" means that the text is not ambiguous. The parameter kind is CommaList,
// LineList or SingleElement.

// ambiguity returns why a person could read the text of the items as other elements.
func (f listForm) ambiguity(items []listItem, kind string) phrase {
	return cmp.Or(f.numberAmbiguity(items, kind), markerAmbiguity(items, kind), f.wordAmbiguity(items, kind))
}

// digitGroups matches a number with commas between its thousands (1,000,000) or, as in India,
// between its lakhs (1,00,000).
var digitGroups = regexp.MustCompile(`(?:^|[^\pL\pN_.])[1-9][0-9]{0,2}(?:,[0-9]{2})*,[0-9]{3}(?:$|[^\pL\pN_])`)

// numberAmbiguity refuses commas that may be part of a number: between thousands, or as a decimal
// point.
func (f listForm) numberAmbiguity(items []listItem, kind string) phrase {
	if kind != CommaList || !f.numbers && !f.text || items[0].end == '、' { // 、 is never part of a number
		return ""
	}
	var betweenDigits, besideBlank bool // whether at least one comma is there; a quotation mark counts as a blank
	var joined strings.Builder          // the items with commas between them, without quoted items
	if !items[0].quoted() {
		joined.WriteString(items[0].text)
	}
	for i, p := range items[1:] {
		previous := items[i]
		if f.numbers && isLaterGroup(p.text) {
			return phrase("its commas may separate thousands")
		}
		if !previous.tight || previous.quoted() || p.quoted() {
			joined.WriteByte(' ')
			besideBlank = true
		}
		if !p.quoted() {
			joined.WriteByte(',')
			joined.WriteString(p.text)
		}
		betweenDigits = betweenDigits || previous.tight && isSignedDigits(previous.text) && allDigits(halfWidth(p.text))
	}
	switch {
	case digitGroups.MatchString(halfWidth(joined.String())):
		return phrase("its commas may separate thousands")
	case f.fractions && betweenDigits && (besideBlank || len(items) == 2): // as in "1,5, 2,5" or "3,14"
		return phrase("a comma may stand for a decimal point")
	}
	return ""
}

// isSignedDigits reports whether a text is digits, perhaps after a sign.
func isSignedDigits(text string) bool {
	digits := strings.TrimLeft(halfWidth(text), "+-")
	return digits != "" && allDigits(digits)
}

// isLaterGroup reports whether a text is digits that begin with 0, such as "000" in "50,000". Such
// digits are probably not a number of their own.
func isLaterGroup(text string) bool {
	text = halfWidth(text)
	return len(text) > 1 && text[0] == '0' && allDigits(text)
}

// wordAmbiguity refuses elements that may contain other separators or mean no value, and a last
// element that may be two elements.
func (f listForm) wordAmbiguity(items []listItem, kind string) phrase {
	if kind == SingleElement && isNoValueWord(items[0].text) {
		return phrase("it may be text or mean no value")
	}
	if !f.text {
		return ""
	}
	for _, p := range items {
		switch {
		case p.quoted():
		case !f.one && strings.ContainsAny(p.text, ";；|｜\t"):
			return phrase("; or | or a tab may separate elements")
		case isNoValueWord(p.text):
			return phrase("an element may be text or mean no value")
		}
	}
	last := items[len(items)-1]
	if kind == CommaList && !last.quoted() && joinsTwo(last.text, last.end == '、' || items[0].end == '、') {
		return phrase("its last comma may be followed by one element or by two")
	}
	return ""
}

// noValueWords are the words that may stand for no value.
var noValueWords = []string{"null", "none", "nil", "undefined", "n/a"}

// isNoValueWord reports whether an element is a word that may stand for no value.
func isNoValueWord(text string) bool {
	return slices.ContainsFunc(noValueWords, func(word string) bool { return strings.EqualFold(word, text) })
}

// conjunctions matches the words between the last two elements of a list in a sentence.
var conjunctions = regexp.MustCompile(`(?i)(?:^|\s)(?:and|or|&)\s`)

// joinsTwo reports whether the last element of a list may be two, as in "a, b and c". If
// enumeration is set, the list uses the Chinese comma 、, and Chinese conjunctions count too.
func joinsTwo(text string, enumeration bool) bool {
	if conjunctions.MatchString(text) {
		return true
	}
	for _, word := range []string{"和", "及", "或"} {
		if i := strings.Index(text, word); enumeration && i > 0 && i+len(word) < len(text) {
			return true
		}
	}
	return false
}

// marker is the bullet, number or letter before an element of a list, such as "-", "(1)" or "a.".
type marker struct {
	form  string // the style: the bullet, or the marker of a first element in this style, as in "(1)" or "a."
	count int    // the number, or the position of the letter in the alphabet; 0 for a bullet, -1 for the number 0
	rest  string // the line after the marker
	tight bool   // no blank follows the marker
}

const bullets = "-*+•●○◦▪■□‣·–—"

// countMarker matches a number or letter with punctuation at the start of a line. Its last group is
// empty if no blank follows.
var countMarker = regexp.MustCompile(`^([(（]?)(?:([0-9]{1,3})|([a-zA-Z]))([.)．）:：])([\s\x{3000}]*)`)

// markerOf returns the marker at the start of a text. ok is false if the text starts with none.
func markerOf(text string) (m marker, ok bool) {
	first, n := utf8.DecodeRuneInString(text)
	trimBlanks := func(s string) string { return strings.TrimLeftFunc(s, unicode.IsSpace) }
	if rest := trimBlanks(text[n:]); strings.ContainsRune(bullets, first) && rest != text[n:] {
		return marker{form: string(first), rest: rest}, true
	}
	if '①' <= first && first <= '⑳' {
		return marker{form: "①", count: int(first-'①') + 1, rest: trimBlanks(text[n:])}, true
	}
	found := countMarker.FindStringSubmatch(halfWidth(text))
	if found == nil {
		return marker{}, false
	}
	m = marker{form: found[1] + "1" + found[4], tight: found[5] == ""}
	for _, digit := range found[2] {
		m.count = 10*m.count + int(digit-'0')
	}
	if letter := found[3]; letter != "" {
		m.form = found[1] + "a" + found[4]
		m.count = int(letter[0]|0x20-'a') + 1 // |0x20 turns a capital into a small letter
	}
	if m.count == 0 {
		m.count = -1 // lists do not count from 0, and 0 means a bullet
	}
	m.rest = text
	var last rune // the last character of the marker and its blanks
	// halfWidth changes the number of bytes, but not the number of characters.
	for range utf8.RuneCountInString(found[0]) {
		var n int
		last, n = utf8.DecodeRuneInString(m.rest)
		m.rest = m.rest[n:]
	}
	next, _ := utf8.DecodeRuneInString(m.rest)
	if wide := last >= utf8.RuneSelf; wide && !unicode.IsDigit(next) {
		m.tight = false // full-width punctuation needs no blank after it
	} else if m.tight && !wide && !unicode.IsLetter(next) { // a number or a time, such as 1.5 or 10:30
		return marker{}, false
	}
	return m, true
}

// certain reports whether the marker is surely a marker, and not the beginning of a text such as an
// initial ("J. Smith"), a version ("1.x") or a key ("1: x").
func (m marker) certain() bool { return !m.tight && !strings.ContainsAny(m.form, "a:：") }

// markerAmbiguity refuses markers between commas and in a single element, and lines with different
// indentation.
func markerAmbiguity(items []listItem, kind string) phrase {
	if kind == LineList {
		for _, p := range items {
			if p.indented {
				return phrase("its lines are indented differently")
			}
		}
		return "" // dropMarkers examines the markers of lines
	}
	for _, p := range items {
		if m, ok := markerOf(p.text); ok && m.certain() {
			return phrase("its bullets or numbers may be text")
		}
	}
	return ""
}

// dropMarkers removes the markers of lines if all lines have markers of the same form, one of them
// certain, and numbers count up from 1. counted reports that it removed numbers. Lines without a
// certain marker are text, unless all have markers of the same form in order. In all other cases
// refusal says that the markers may be text.
func dropMarkers(items []listItem) (counted bool, refusal phrase) {
	marked, certain, inOrder := 0, false, true
	list := make([]marker, len(items))
	for i, p := range items {
		m, ok := markerOf(p.text)
		if !ok {
			continue
		}
		list[i] = m
		marked++
		certain = certain || m.certain()
		inOrder = inOrder && m.form == list[0].form && m.tight == list[0].tight && (m.count == 0 || m.count == i+1)
	}
	allInOrder := marked == len(items) && inOrder
	switch {
	case !certain && !allInOrder:
		return false, "" // the lines are text; none begins with a certain marker
	case !certain, !allInOrder:
		return false, phrase("its bullets or numbers may be text")
	}
	for i, m := range list {
		items[i].text = m.rest
	}
	return list[0].count > 0, ""
}
