package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
)

// language is the language of problems, as protocol.PromptOptions names it: "zh", or else English.
type language string

const (
	english language = "en"
	chinese language = "zh"
)

// say fills in a phrase.
func (l language) say(p phrase, values ...any) string {
	form := phrases[p].en
	if l == chinese {
		form = phrases[p].zh
	}
	if len(values) == 0 {
		return form
	}
	return fmt.Sprintf(form, values...)
}

// spaced returns a text that follows Chinese: with a space before letters and digits of the West.
func (l language) spaced(said string) string {
	if l == chinese && said != "" && said[0] < utf8.RuneSelf {
		return " " + said
	}
	return said
}

// because adds a reason in parentheses.
func (l language) because(said, reason string) string {
	return said + l.say(phraseInParentheses, reason)
}

// count writes a number of things, of which one is called what.
func (l language) count(n int, what phrase) string {
	if l != chinese && n != 1 {
		return fmt.Sprintf("%d %ss", n, l.say(what))
	}
	return fmt.Sprintf("%d %s", n, l.say(what))
}

// types lists types, as in "string or null". Their names are those of JSON Schema.
func (l language) types(k types) string {
	switch k {
	case typeAny:
		return l.say(phraseAnyValue)
	case 0:
		return l.say(phraseNothing)
	}
	return strings.Join(k.names(), l.say(phraseOr))
}

// members lists the members that an object of a schema may have; "" if its values are not always
// objects, or if the schema names no members or too many.
func (a analysis) members(p *part, l language) string {
	if p.types&^typeNull != typeObject || len(p.named) == 0 || len(p.named) > maxMembers {
		return ""
	}
	var list []string
	for _, name := range sortedKeys(p.named) {
		kind := l.types(a.of(p.named[name]).types)
		if slices.Contains(p.node.Required, name) {
			kind = l.say(phraseRequired, kind)
		}
		list = append(list, l.because(shorten(name), kind))
	}
	return l.say(phraseWithMembers, strings.Join(list, l.say(phraseComma)))
}

// maxMembers limits the members of an object that an error lists.
const maxMembers = 10

// maxEcho limits what an error repeats of a name or a value, in characters: enough to recognize it.
const maxEcho = 80

// maxShown limits the problems and the listed values that an error shows.
const maxShown = 20

// shorten truncates s to maxEcho characters.
func shorten(s string) string { return text.TruncateRunes(s, maxEcho) }

// describe shows a decoded value in a problem.
func (l language) describe(v any) string {
	switch v := v.(type) {
	case string:
		// Quoting a long text whole before truncating it would cost as much as the text.
		if cut := shorten(v); len(cut) < len(v) {
			return l.say(phraseLongText, cut, len(v))
		}
		return strconv.Quote(v)
	case []any:
		return l.say(phraseAList, len(v))
	case map[string]any:
		if len(v) == 0 {
			return l.say(phraseEmptyObject)
		}
		keys := sortedKeys(v)
		if len(keys) > 5 {
			return l.say(phraseLargeObject, len(v))
		}
		return l.say(phraseObjectWith, shorten(strings.Join(keys, ", ")))
	case json.Number:
		return shorten(string(v))
	}
	return string(orderedjson.Append(nil, v))
}

// oneOf lists values in a sentence.
func (l language) oneOf(values []any) string {
	var list []string
	for _, v := range values[:min(len(values), maxShown)] {
		list = append(list, l.describe(v))
	}
	said := strings.Join(list, ", ")
	if more := len(values) - len(list); more > 0 {
		said += l.say(phraseAndMore, more)
	}
	return l.say(phraseListedValue, said)
}
