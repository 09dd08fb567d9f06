package schema

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
)

// language is the language of problems, as protocol.PromptOptions names it: "zh", or else English.
type language string

const english language = "en"

// A phrase is an English format of a text for the model. chinese.Schema contains its translation.
type phrase string

// say formats a phrase in the language l. If a value is an error, its text is in l, too.
func (l language) say(p phrase, values ...any) string {
	return chinese.Schema.Printer(string(l)).Say(string(p), values...)
}

// spaced returns a text that follows Chinese text. If l is Chinese and the text begins with an
// ASCII character, spaced puts a space before it.
func (l language) spaced(said string) string {
	if l == "zh" && said != "" && said[0] < utf8.RuneSelf {
		return " " + said
	}
	return said
}

// because adds a reason in parentheses to said.
func (l language) because(said, reason string) string {
	return said + l.say(" (%s)", reason)
}

// count formats a number with its noun, such as "3 characters". format has the noun in the
// singular, as in "%d character".
func (l language) count(n int, format string) string {
	return chinese.Schema.Count(n, format).In(string(l))
}

// types lists types, as in "string or null". Their names are those of JSON Schema.
func (l language) types(k types) string {
	switch k {
	case typeAny:
		return l.say("any value")
	case 0:
		return l.say("no value")
	}
	return strings.Join(k.names(), l.say(" or "))
}

// members lists the members that p declares, as a part of a sentence. The result is "" if p accepts
// anything but objects and null, or if p declares no members or more than maxMembers.
func (a analysis) members(p *schemaInfo, l language) string {
	if p.types&^typeNull != typeObject || len(p.named) == 0 || len(p.named) > maxMembers {
		return ""
	}
	var list []string
	for _, name := range p.names {
		kind := l.types(a.of(p.named[name]).types)
		if p.required[name] {
			kind = l.say("%s, required", kind)
		}
		list = append(list, l.because(shorten(name), kind))
	}
	return l.say(", with %s", strings.Join(list, l.say(", ")))
}

// maxMembers limits the members of an object that an error lists.
const maxMembers = 10

// maxEcho limits how much of a name or a value an error repeats, in characters.
const maxEcho = 80

// maxShown limits the problems, and the listed values or names in each, that an error shows.
const maxShown = 20

// maxDescribed limits the members of an object that describe names. If the object has more members,
// describe only counts them.
const maxDescribed = 5

// shorten truncates s to maxEcho characters.
func shorten(s string) string { return text.TruncateRunes(s, maxEcho) }

// describe shows a decoded value in a problem.
func (l language) describe(v any) string {
	switch v := v.(type) {
	case string:
		// Quoting a long text whole before truncating it would cost as much as the text.
		if short := shorten(v); len(short) < len(v) {
			return l.say("%q (%d bytes)", short, len(v))
		}
		return strconv.Quote(v)
	case []any:
		return l.say("a list of %d", len(v))
	case map[string]any:
		if len(v) == 0 {
			return l.say("an empty object")
		}
		keys := sortedKeys(v)
		if len(keys) > maxDescribed {
			return l.say("an object of %d members", len(v))
		}
		return l.say("an object with %s", shorten(strings.Join(keys, ", ")))
	case json.Number:
		return shorten(string(v))
	}
	return string(orderedjson.Append(nil, v))
}

// oneOf lists values, as in "one of 1, 2".
func (l language) oneOf(values []any) string {
	var list []string
	for _, v := range values[:min(len(values), maxShown)] {
		list = append(list, l.describe(v))
	}
	said := strings.Join(list, ", ")
	if more := len(values) - len(list); more > 0 {
		said += l.say(" and %d more", more)
	}
	return l.say("one of %s", said)
}

// spelled lists types like the method types, and adds how to write a boolean or an integer.
func (l language) spelled(k types) string {
	switch names := l.types(k); k &^ typeNull {
	case typeBoolean:
		return strings.Replace(names, "boolean", l.say("boolean (true or false)"), 1)
	case typeInteger:
		return strings.Replace(names, "integer", l.say("integer (digits only)"), 1)
	default:
		return names
	}
}

// expectation tells a model how to write a value of a schema.
func (l language) expectation(p *schemaInfo) string {
	k := p.types
	switch names := l.spelled(k); {
	case p.list != nil:
		return l.say("%s, written as JSON or with commas", names)
	case k&(typeArray|typeObject) != 0:
		return l.say("%s, written as JSON", names)
	default:
		return names
	}
}
