package reference

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unmarkedBody returns the body of a block that is a JSON object (B18) or lines of names and values
// (B19). It returns nil if the body is neither.
func (r *reader) unmarkedBody(b *block, m marker, at int) *unmarkedBody {
	end := -1
	for p := at; p < len(r.text) && end < 0; p++ {
		if _, ok := openerAt(r.text, p); ok {
			return nil
		}
		if _, ok := closerAt(r.text, p); ok {
			return nil
		}
		if next, ok := markerAt(r.text, p); ok {
			if next.kind != requestEnd || next.end-b.start > r.o.Limits.BlockBytes {
				return nil
			}
			end = p
		}
	}
	if end < 0 || b.style != "" {
		return nil
	}
	head := r.text[at:min(end, at+1024)]
	u := &unmarkedBody{start: at, end: end}
	if otherForm(head) {
		u.repair = "json_body"
		if !r.unfence(u, m, at) {
			return nil
		}
		u.fields = jsonFields(r.text[u.start:u.end], r.o.Limits.KeyBytes)
	} else if strings.Contains(head, "tool_name") && r.o.allows("line_fields") {
		u.repair = "line_fields"
		r.trim(u)
		if sameIndent(r.text[at:u.end]) {
			u.fields = lineFields(r.text[u.start:u.end])
		}
	}
	if u.fields == nil {
		return nil
	}
	return u
}

// trim removes the white space around a body.
func (in *input) trim(u *unmarkedBody) {
	text := strings.TrimRightFunc(in.text[u.start:u.end], unicode.IsSpace)
	u.end = u.start + len(text)
	u.start = u.end - len(strings.TrimLeftFunc(text, unicode.IsSpace))
}

// unfence removes a fence around an object, and reports whether the body can be an object. A fence
// must be closed, and only a word may follow its opening marks. If there is a fence, START must be
// alone on its line.
func (r *reader) unfence(u *unmarkedBody, m marker, at int) bool {
	r.trim(u)
	body := r.text[u.start:u.end]
	first, last := lineEnd(body, 0), lineStart(body, len(body))
	f, ok := fenceOpener(body[:first])
	if !ok || first == len(body) {
		return true
	}
	info := strings.Trim(strings.TrimLeft(body[:first], string(f.mark)), " \t")
	if !r.alone(m, at) || strings.TrimFunc(info, unicode.IsLetter) != "" || last <= first || !f.closes(body[last:]) {
		return false
	}
	u.start, u.end = u.start+first, u.start+last
	r.trim(u)
	return true
}

// jsonFields returns the fields in a body that is a JSON object, or nil for any other body (B18).
func jsonFields(text string, keyBytes int) []named {
	if !utf8.ValidString(text) || !json.Valid([]byte(text)) || hasHalfPair(text) {
		return nil
	}
	members, ok := objectMembers(text)
	if !ok {
		return nil
	}
	index := func(list []named, name string) int {
		return slices.IndexFunc(list, func(f named) bool { return f.name == name })
	}
	tool := index(members, "tool_name")
	arguments := index(members, "arguments")
	if tool >= 0 && (arguments >= 0 || index(members, "parameters") >= 0) {
		return nil
	}
	if tool < 0 {
		name := index(members, "name")
		if len(members) != 2 || name < 0 || arguments < 0 {
			return nil
		}
		inner, ok := objectMembers(members[arguments].text)
		if !ok || !members[arguments].json {
			return nil
		}
		first := members[name]
		first.name = "tool_name"
		members, tool = append([]named{first}, inner...), 0
	}
	if members[tool].json || strings.TrimFunc(members[tool].text, unicode.IsSpace) == "" || len(members) > 256 {
		return nil
	}
	for _, f := range members {
		if !isFieldKey(f.name) || len(f.name) > keyBytes {
			return nil
		}
	}
	return members
}

// isFieldKey reports whether a name is a key as section 2 defines keys.
func isFieldKey(name string) bool {
	for i, c := range name {
		if i == 0 && !beginsKey(c) || !isKeyRune(c) {
			return false
		}
	}
	return name != ""
}

// objectMembers returns the members of a JSON object. ok is false if text is anything else, or if
// an object in it has a key twice.
func objectMembers(text string) (list []named, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		var raw json.RawMessage
		if err != nil || d.Decode(&raw) != nil || seen[t.(string)] || !uniqueKeys(raw) {
			return nil, false
		}
		seen[t.(string)] = true
		f := named{name: t.(string), text: string(raw), json: raw[0] != '"'}
		if !f.json {
			if json.Unmarshal(raw, &f.text) != nil {
				return nil, false
			}
		}
		list = append(list, f)
	}
	return list, true
}

// uniqueKeys reports whether no object in a JSON value has a key twice.
func uniqueKeys(value []byte) bool {
	switch value = bytes.TrimSpace(value); value[0] {
	case '{':
		_, ok := objectMembers(string(value))
		return ok
	case '[':
		var list []json.RawMessage
		hasTwice := func(v json.RawMessage) bool { return !uniqueKeys(v) }
		return json.Unmarshal(value, &list) == nil && !slices.ContainsFunc(list, hasTwice)
	}
	return true
}

var (
	wholeEscape = regexp.MustCompile(`(?i)\\ud[89ab]..\\ud[c-f]..|\\[^u]`) // a surrogate pair, or a short escape
	surrogate   = regexp.MustCompile(`(?i)\\ud[89a-f]`)
)

// hasHalfPair reports whether JSON has an escape of half a surrogate pair.
func hasHalfPair(text string) bool {
	return surrogate.MatchString(wholeEscape.ReplaceAllString(text, ""))
}

// lineFields returns the fields in a body whose lines have the form "name: value", or nil if a line
// has another form (B19).
func lineFields(text string) []named {
	var list []named
	for _, line := range strings.FieldsFunc(text, func(c rune) bool { return c == '\n' || c == '\r' }) {
		line = strings.TrimFunc(line, unicode.IsSpace)
		if line == "" {
			continue
		}
		key, separator, rest, ok := bareKey(line)
		rest = strings.TrimFunc(rest, unicode.IsSpace)
		if !ok || separator != ":" && separator != "：" || rest == "" || strings.ContainsAny(firstRune(rest), "\"'`“|>") ||
			strings.HasSuffix(rest, ":") || strings.HasSuffix(rest, "：") || !finished(rest) {
			return nil
		}
		list = append(list, named{name: key, text: rest})
	}
	if len(list) > 256 || !slices.ContainsFunc(list, func(f named) bool { return f.name == "tool_name" }) {
		return nil
	}
	return list
}

// sameIndent reports whether all lines after START are indented alike (B19). On the line of START
// white space means nothing.
func sameIndent(text string) bool {
	indents := map[string]bool{}
	for i, line := range strings.Split(strings.ReplaceAll(text, "\r", "\n"), "\n") {
		bare := strings.TrimLeftFunc(line, unicode.IsSpace)
		switch {
		case bare == "":
		case i == 0:
			indents[""] = true
		default:
			indents[strings.TrimSuffix(line, bare)] = true
		}
	}
	return len(indents) <= 1
}
