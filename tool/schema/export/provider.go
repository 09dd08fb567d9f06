package export

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Provider is an API or a protocol with a form of its own for definitions of tools.
type Provider string

// The providers.
const (
	// OpenAI is the API of chat completions, which many servers offer:
	// {"type":"function","function":{…}}.
	OpenAI Provider = "openai"
	// Anthropic is the API of messages: {"name":…,"input_schema":…}.
	Anthropic Provider = "anthropic"
	// MCP is the Model Context Protocol: {"name":…,"inputSchema":…}, as a server lists its tools.
	MCP Provider = "mcp"
	// Google is the Gemini API: {"functionDeclarations":[…]}, with a subset of the schemas of
	// OpenAPI 3.0.
	Google Provider = "google"
)

// naming says which names a provider accepts.
type naming struct {
	extra       string // allowed characters besides ASCII letters, digits and the underscore
	letterFirst bool   // the first character must be a letter or an underscore
	max         int    // maximum number of characters; 0 means that any name is accepted
	stem        string // begins a hashed name that would otherwise be empty or have a wrong first character
}

// The names that the APIs accept, by their reference documentation and their error messages.
var (
	functionNames = map[Provider]naming{
		OpenAI:    {extra: "-", max: 64, stem: "tool"},
		Anthropic: {extra: "-", max: 128, stem: "tool"},
		MCP:       {extra: "-.", max: 128, stem: "tool"},
		Google:    {extra: "-.", letterFirst: true, max: 64, stem: "tool"},
	}
	argumentNames = map[Provider]naming{
		OpenAI:    {},
		MCP:       {},
		Anthropic: {extra: "-.", max: 64, stem: "argument"},
		Google:    {letterFirst: true, max: 64, stem: "argument"},
	}
)

// wireNames returns the provider's name of each name: one that the rule allows, and that is unique.
func wireNames(names []string, rule naming) (map[string]string, error) {
	wire, taken := make(map[string]string, len(names)), map[string]int{}
	for _, name := range names {
		if _, twice := wire[name]; twice {
			return nil, fmt.Errorf("export: two definitions have the name %q; rename one of them", name)
		}
		wire[name] = rule.replace(name)
		taken[wire[name]]++
	}
	for _, name := range names {
		// A name that the rule allows stays. Any other gets a hash in three cases: it collides with
		// another name, most of its characters were replaced, or its length is not allowed. The
		// order of the names does not matter.
		if plain := wire[name]; plain != name && (taken[plain] > 1 || rule.losesMost(name)) || !rule.fits(plain) {
			delete(wire, name)
			for attempt := 0; wire[name] == ""; attempt++ {
				if hashed := rule.hashed(plain, name, attempt); taken[hashed] == 0 {
					wire[name] = hashed
					taken[hashed]++
				}
			}
		}
	}
	return wire, nil
}

// allowed reports whether a name may have r at byte i.
func (n naming) allowed(i int, r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', r == '_':
		return true
	case '0' <= r && r <= '9', r < utf8.RuneSelf && strings.ContainsRune(n.extra, r):
		return i > 0 || !n.letterFirst
	}
	return false
}

// fits reports whether a name has an allowed length.
func (n naming) fits(name string) bool { return n.max == 0 || name != "" && len(name) <= n.max }

// replace replaces the characters that are not allowed by underscores.
func (n naming) replace(name string) string {
	if n.max == 0 {
		return name
	}
	var b strings.Builder
	for i, r := range name {
		switch {
		case n.allowed(i, r):
			b.WriteRune(r)
		case i == 0 && n.allowed(1, r): // r is allowed, but not at the beginning
			b.WriteString("_" + string(r))
		default:
			b.WriteByte('_')
		}
	}
	return b.String()
}

// losesMost reports whether replace replaces more than half of the characters of a name.
func (n naming) losesMost(name string) bool {
	lost := 0
	for _, r := range name {
		if !n.allowed(1, r) { // 1 stands for any place but the beginning
			lost++
		}
	}
	return n.max > 0 && 2*lost > utf8.RuneCountInString(name)
}

// hashed returns plain, the result of replace for name, with a part of name's hash at its end. Each
// attempt has another hash. If most characters were replaced, the underscores for them are omitted.
func (n naming) hashed(plain, name string, attempt int) string {
	const digits = 8
	salted := name
	if attempt > 0 {
		salted += "#" + strconv.Itoa(attempt)
	}
	sum := sha256.Sum256([]byte(salted))
	if n.losesMost(name) {
		rest := strings.FieldsFunc(plain, func(r rune) bool { return r == '_' })
		if plain = strings.Join(rest, "_"); plain == "" || n.letterFirst && !n.allowed(0, rune(plain[0])) {
			plain = strings.TrimRight(n.stem+"_"+plain, "_")
		}
	}
	return plain[:min(len(plain), n.max-digits-1)] + "_" + hex.EncodeToString(sum[:digits/2])
}
