package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Provider is a kind of API that takes definitions of tools along with a conversation.
type Provider string

// The providers.
const (
	// OpenAI is the API of chat completions, which many servers offer: {"type":"function","function":{…}}.
	OpenAI Provider = "openai"
	// Anthropic is the API of messages: {"name":…,"input_schema":…}.
	Anthropic Provider = "anthropic"
	// Google is the Gemini API: {"functionDeclarations":[…]}, with a subset of the schemas of OpenAPI 3.0.
	Google Provider = "google"
)

// naming is what a provider asks of names.
type naming struct {
	also   string // characters besides ASCII letters, digits and the underscore
	letter bool   // a letter or an underscore comes first
	max    int    // characters; 0 is any name at all
}

// What the APIs accept, as their references and their errors say.
var (
	functionNames = map[Provider]naming{
		OpenAI:    {also: "-", max: 64},
		Anthropic: {also: "-", max: 128},
		Google:    {also: "-.", letter: true, max: 64},
	}
	argumentNames = map[Provider]naming{
		OpenAI:    {},
		Anthropic: {also: "-.", max: 64},
		Google:    {letter: true, max: 64},
	}
)

// Definition is one method, as a provider is told of it.
type Definition struct {
	Name        string
	Description string
	Parameters  *Schema
}

// Tools are definitions in the form of one provider. A provider may refuse a name: then the model is told of another one, which
// Call turns back. Tools are safe for concurrent use.
type Tools struct {
	json      json.RawMessage
	wire      map[string]string   // full name to the provider's
	functions map[string]function // by the provider's name
}

// function is what is behind a name of the provider's.
type function struct {
	name      string
	arguments map[string]string // the provider's name to the declared one, where they differ
}

// NewTools writes definitions in a provider's form, in their order. A name that the provider takes stays as it is. Another one gets
// underscores for what is not allowed and, where that is not unique or too long, a piece of its hash at the end, which does not
// depend on the other definitions.
//
// A schema is written as it is declared, as far as the provider takes it. What it does not take is left out, or said in the
// description: a call is checked against the whole schema in any case.
//
// The error is about the provider, or about a name that two definitions have.
func NewTools(p Provider, definitions []Definition) (*Tools, error) {
	rule, known := functionNames[p]
	if !known {
		return nil, fmt.Errorf("schema: the provider %q is unknown; use %s, %s or %s", p, OpenAI, Anthropic, Google)
	}
	names := make([]string, len(definitions))
	for i, d := range definitions {
		names[i] = d.Name
	}
	wire, err := wireNames(names, rule)
	if err != nil {
		return nil, err
	}
	t := &Tools{wire: wire, functions: map[string]function{}}
	list := make([]any, 0, len(definitions))
	for _, d := range definitions {
		arguments, err := wireNames(d.Parameters.shape.names, argumentNames[p])
		if err != nil {
			return nil, err
		}
		f := function{name: d.Name, arguments: map[string]string{}}
		for name, other := range arguments {
			if name != other {
				f.arguments[other] = name
			}
		}
		t.functions[wire[d.Name]] = f
		list = append(list, offer(p, wire[d.Name], d, arguments))
	}
	if p == Google && len(list) > 0 {
		list = []any{newOrdered("functionDeclarations", list)}
	}
	t.json = appendJSON(nil, list)
	return t, nil
}

// offer writes one definition.
func offer(p Provider, name string, d Definition, arguments map[string]string) *ordered {
	o := newOrdered("name", name, "description", d.Description)
	switch p {
	case Anthropic:
		o.set("input_schema", d.Parameters.declaration(arguments))
	case Google:
		if parameters := googleSchema(d.Parameters.inlined(arguments)); len(parameters.members("properties")) > 0 {
			o.set("parameters", parameters)
		}
	default:
		o.set("parameters", d.Parameters.declaration(arguments))
		return newOrdered("type", "function", "function", o)
	}
	return o
}

// JSON is the value of "tools" in a request: an array, empty where there are no definitions. The caller does not change it.
func (t *Tools) JSON() json.RawMessage { return t.json }

// Neutralized is JSON with each text and each name of a member as neutralize writes it. What a tool
// says of itself is foreign text, and a model repeats it.
func (t *Tools) Neutralized(neutralize func(string) string) json.RawMessage {
	v, err := readOrdered(string(t.json))
	if err != nil {
		return t.json // it has been written by appendJSON
	}
	return appendJSON(nil, mapTexts(v, neutralize))
}

func mapTexts(v any, f func(string) string) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case []any:
		for i := range v {
			v[i] = mapTexts(v[i], f)
		}
	case *ordered:
		mapped := newOrdered()
		for _, name := range v.names {
			mapped.set(f(name), mapTexts(v.values[name], f))
		}
		return mapped
	}
	return v
}

// Name is what the provider calls the definition of that name; "" where there is none.
func (t *Tools) Name(name string) string { return t.wire[name] }

// Call turns a call that a model made back: the provider's name of a function, and its arguments as a JSON object, into the
// definition's name and the arguments that Object reads. A name that is not the provider's stays, for the registry to judge. The
// error is about arguments that are no JSON object; an empty text is none.
func (t *Tools) Call(function string, arguments string) (name string, args []Text, err error) {
	f, known := t.functions[function]
	if !known {
		f.name = function
	}
	if strings.TrimSpace(arguments) == "" {
		return f.name, nil, nil
	}
	if !utf8.ValidString(arguments) {
		return f.name, nil, fmt.Errorf("schema: the arguments of %s are not UTF-8", shorten(function))
	}
	v, err := readOrdered(arguments)
	if err != nil {
		return f.name, nil, fmt.Errorf("schema: the arguments of %s are not JSON: %w", shorten(function), err)
	}
	o, ok := v.(*ordered)
	if !ok {
		return f.name, nil, fmt.Errorf("schema: the arguments of %s are a JSON object, not %s", shorten(function), describe(v))
	}
	for _, other := range o.names {
		declared, renamed := f.arguments[other]
		if !renamed {
			declared = other
		}
		args = append(args, Text{Name: declared, Value: string(appendJSON(nil, o.values[other])), JSON: true})
	}
	return f.name, args, nil
}

// wireNames gives each name one that the rule allows, no two the same.
func wireNames(names []string, rule naming) (map[string]string, error) {
	wire, taken := make(map[string]string, len(names)), map[string]int{}
	for _, name := range names {
		if _, twice := wire[name]; twice {
			return nil, fmt.Errorf("schema: two definitions have the name %q; give one of them another", name)
		}
		wire[name] = rule.replace(name)
		taken[wire[name]]++
	}
	for _, name := range names {
		// A name that the rule allows is its own. Of others that look alike all get a hash, whatever their order.
		if plain := wire[name]; plain != name && taken[plain] > 1 || !rule.fits(plain) {
			delete(wire, name)
			for round := 0; wire[name] == ""; round++ {
				if hashed := rule.hashed(plain, name, round); taken[hashed] == 0 {
					wire[name] = hashed
					taken[hashed]++
				}
			}
		}
	}
	return wire, nil
}

// allowed reports whether r may stand at byte i of a name.
func (n naming) allowed(i int, r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', r == '_':
		return true
	case '0' <= r && r <= '9', r < utf8.RuneSelf && strings.ContainsRune(n.also, r):
		return i > 0 || !n.letter
	}
	return false
}

func (n naming) fits(name string) bool { return n.max == 0 || name != "" && len(name) <= n.max }

// replace writes underscores for what a name may not hold.
func (n naming) replace(name string) string {
	if n.max == 0 {
		return name
	}
	var b strings.Builder
	for i, r := range name {
		switch {
		case n.allowed(i, r):
			b.WriteRune(r)
		case i == 0 && n.allowed(1, r): // only the first place is wrong
			b.WriteString("_" + string(r))
		default:
			b.WriteByte('_')
		}
	}
	return b.String()
}

// hashed ends a name in a piece of the hash of the whole name.
func (n naming) hashed(plain, name string, round int) string {
	const digits = 8
	if round > 0 {
		name += "#" + strconv.Itoa(round)
	}
	sum := sha256.Sum256([]byte(name))
	return plain[:min(len(plain), n.max-digits-1)] + "_" + hex.EncodeToString(sum[:digits/2])
}
