package schema

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Mend reads JSON as models write it, with the repairs of JSON, and returns it as JSON, all members in their order. ok is false for
// what cannot be read so.
func Mend(text string) (read json.RawMessage, ok bool) {
	if !utf8.ValidString(text) {
		return nil, false
	}
	if inner, fenced := unfence(text); fenced {
		text = inner
	}
	r := jsonReader{src: text, mend: true, ordered: true}
	v, err := r.whole()
	if err != nil {
		return nil, false
	}
	return appendJSON(nil, v), true
}

// mendJSON reads JSON as models write it, and names the repairs that this took.
func mendJSON(src string) (v any, mended []string, err error) {
	v, err = readJSON(src)
	if err == nil {
		return v, nil, nil
	}
	if inner, ok := unfence(src); ok {
		src, mended = inner, []string{CodeFence}
		if v, innerErr := readJSON(src); innerErr == nil {
			return v, mended, nil
		}
	}
	r := jsonReader{src: src, mend: true, mended: mended}
	if v, mendErr := r.whole(); mendErr == nil {
		return v, r.mended, nil
	}
	return nil, nil, err
}

// unfence returns what a Markdown code fence holds where text is one and nothing else:
//
//	```json
//	…
//	```
func unfence(text string) (inner string, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '`' && text[0] != '~' {
		return "", false
	}
	fence := text[:len(text)-len(strings.TrimLeft(text, text[:1]))]
	info, rest, broken := strings.Cut(text[len(fence):], "\n")
	info = strings.TrimSpace(info)
	if len(fence) < 3 || !broken || len(info) > 16 || strings.ContainsFunc(info, func(r rune) bool { return !isWordRune(r) }) {
		return "", false
	}
	i := strings.LastIndexByte(rest, '\n')
	if strings.TrimSpace(rest[i+1:]) != fence {
		return "", false
	}
	return rest[:max(i, 0)], true
}
