package schema

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// RepairJSON reads JSON as models write it, with the repairs for JSON that this package lists, and
// returns valid JSON. It keeps the order of members. ok is false if the text cannot be read.
func RepairJSON(text string) (repaired json.RawMessage, ok bool) {
	if !utf8.ValidString(text) {
		return nil, false
	}
	if inner, fenced := unfence(text); fenced {
		text = inner
	}
	r := orderedjson.Reader{Repair: true, Ordered: true}
	v, err := r.Read(text)
	if err != nil {
		return nil, false
	}
	return orderedjson.Append(nil, v), true
}

// readRepaired reads JSON as models write it, and returns the names of the applied repairs.
func readRepaired(src string) (v any, repairs []string, err error) {
	v, err = orderedjson.Read(src)
	if err == nil {
		return v, nil, nil
	}
	if inner, ok := unfence(src); ok {
		src, repairs = inner, []string{CodeFence}
		if v, innerErr := orderedjson.Read(src); innerErr == nil {
			return v, repairs, nil
		}
	}
	r := orderedjson.Reader{Repair: true}
	if v, repairErr := r.Read(src); repairErr == nil {
		return v, append(repairs, r.Repairs...), nil
	}
	return nil, nil, err
}

// readTuple reads a text that is one tuple of Python, and returns the names of the applied repairs.
func readTuple(text string) (v any, repairs []string, ok bool) {
	if text = strings.TrimSpace(text); !strings.HasPrefix(text, "(") || !strings.HasSuffix(text, ")") {
		return nil, nil, false
	}
	r := orderedjson.Reader{Repair: true}
	v, err := r.Read(text)
	return v, r.Repairs, err == nil
}

// startsJSON reports whether a text starts like an array or an object in JSON, perhaps in a code
// fence.
func startsJSON(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && strings.IndexByte("[{`~", text[0]) >= 0
}

// unfence returns the content of a fenced code block of Markdown if the text contains nothing else:
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
	info, rest, hasBreak := strings.Cut(text[len(fence):], "\n")
	notWord := func(r rune) bool {
		return r != '_' && (r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r))
	}
	info = strings.TrimSpace(info) // a short word for the language, or nothing
	if len(fence) < 3 || !hasBreak || len(info) > 16 || strings.ContainsFunc(info, notWord) {
		return "", false
	}
	i := strings.LastIndexByte(rest, '\n')
	if strings.TrimSpace(rest[i+1:]) != fence {
		return "", false
	}
	return rest[:max(i, 0)], true
}
