package reference

import (
	"slices"
	"strings"
)

// wrongBracket repairs a '}' that is missing or surplus at the end of a call (J20, J21). It does so
// at level greedy, and only if no other bracket could be the wrong one. listed says that the
// calls are in a list. closed says that the call has its last bracket. After a repair wrongBracket
// returns where the call ends.
func (in *input) wrongBracket(b *block, c *call, j *jsonReader, listed bool, fenced fence, closed bool) (end int, ok bool) {
	name, end := "missing_bracket", j.p
	if closed {
		name, end = "surplus_bracket", j.p+1
		if in.text[j.p] != '}' {
			return 0, false
		}
	}
	if listed || fenced.run > 0 || len(b.calls) != 1 || !in.o.allows(name) {
		return 0, false
	}
	p := end
	for p < len(in.text) && p < end+256 && strings.IndexByte(" \t\r\n", in.text[p]) >= 0 {
		p++
	}
	if p == len(in.text) || c.argumentsEnd == 0 || strings.Contains(in.text[c.argumentsEnd:j.p], ",") {
		return 0, false
	}
	if m, ok := hermesMarkerAt(in.text, p); p == end+256 || !ok || m.kind != requestEnd {
		return 0, false
	}
	members := c.members
	if len(members) == 0 || members[len(members)-1] != "arguments" || slices.Contains(members, "function") {
		return 0, false
	}
	if slices.Index(members, "arguments") < len(members)-1 {
		return 0, false
	}
	endsInComma := strings.HasSuffix(strings.TrimRight(in.text[:c.argumentsEnd-1], "> \t\r\n"), ",")
	for i, a := range c.written {
		if severalMembers(a.Text) || strings.HasPrefix(a.Text, "{") && (endsInComma || i < len(c.written)-1) {
			return 0, false
		}
	}
	if !closed && len(c.written) > 0 && isCallKey(c.written[len(c.written)-1].Name) {
		return 0, false
	}
	j.repair(name, j.p, end)
	return end, true
}

func isCallKey(name string) bool {
	return slices.Contains([]string{"name", "arguments", "parameters", "id", "type", "function"}, strings.ToLower(name))
}

// severalMembers reports whether a value is or contains an object of several members, outside of
// lists (J20).
func severalMembers(value string) bool {
	lists := 0
	for i := 0; i < len(value); i++ {
		switch value[i] {
		case '"':
			for i++; i < len(value) && value[i] != '"'; i++ {
				if value[i] == '\\' {
					i++
				}
			}
		case '[':
			lists++
		case ']':
			lists--
		case ',':
			if lists == 0 {
				return true
			}
		}
	}
	return false
}
