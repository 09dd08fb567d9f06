package tool

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool/schema"
)

const (
	// leastSecret is the length from which on a secret is looked for in a text, in bytes: a shorter one would be found in anything.
	leastSecret = 4
	// secretPiece is the length from which on a piece of a secret is, in bytes: errors repeat the beginning of what they are about.
	secretPiece = 8
)

// CallSecrets are what nobody is to see of the arguments of one call, for what other code says of the call and may repeat them. It is
// not safe for concurrent use.
type CallSecrets struct {
	entry     *Entry
	names     secrets
	arguments string // JSON
	unsure    bool   // as of a masker
	values    []string
	gathered  bool
}

// CallSecrets returns the secrets of arguments that the method's schema has accepted.
func (e *Entry) CallSecrets(arguments json.RawMessage) *CallSecrets {
	return &CallSecrets{entry: e, names: e.secrets(), arguments: string(arguments)}
}

// RequestSecrets returns the secrets of what a model wrote as arguments. As long as no schema has accepted them, more is taken for a
// secret, as MaskRequest says.
func (e *Entry) RequestSecrets(arguments []protocol.Argument) *CallSecrets {
	s := &CallSecrets{entry: e, names: e.secrets(), unsure: true}
	if len(s.names) == 0 {
		return s
	}
	b := []byte{'['}
	for i, a := range arguments {
		name, value := a.Name, orderedjson.String(a.Value)
		if a.Form == protocol.FormJSON && json.Valid([]byte(a.Value)) {
			value = json.RawMessage(a.Value)
		}
		if !e.declares(name) {
			name = e.Method.SecretParameters[0] // it may be a misspelt one
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, '{'), orderedjson.String(name)...), ':')
		b = append(append(b, value...), '}')
	}
	s.arguments = string(append(b, ']'))
	return s
}

// MaskText returns text with the secrets Masked: values, and the names of members that the method's schema does not declare. They are
// found as they are, and with the escapes of JSON, Go, HTML and addresses, within one another to any depth; so is every piece of
// 8 bytes or more. What is written in other ways is not found, nor are secrets of fewer than 4 bytes: they would be found in anything.
func (s *CallSecrets) MaskText(text string) string {
	texts := []string{text}
	s.cover(texts)
	return texts[0]
}

// MaskProblems returns a copy of what is wrong with the arguments, without secrets: paths end at a secret's name, and what came there
// is Masked.
func (s *CallSecrets) MaskProblems(problems []schema.Problem) []schema.Problem {
	problems = slices.Clone(problems)
	if len(s.names) == 0 {
		return problems
	}
	texts := make([]string, 0, 2*len(problems))
	for i := range problems {
		p := &problems[i]
		path, secret := s.names.path(p.Path)
		if path != p.Path { // what is near to a name that nobody is to see tells of it
			p.Path, p.Nearest = path, ""
		}
		if secret && p.Received != receivedNothing || s.names.within(p.Received) { // it may be cut, or hold JSON in a string
			p.Received = Masked
		}
		texts = append(texts, p.Expected, p.Received)
	}
	s.cover(texts)
	for i := range problems {
		problems[i].Expected, problems[i].Received = texts[2*i], texts[2*i+1]
	}
	return slices.Compact(problems)
}

// receivedNothing is what schema.Problem says if nothing came.
const receivedNothing = "nothing"

// cover masks the secrets in texts.
func (s *CallSecrets) cover(texts []string) {
	if len(s.names) == 0 {
		return
	}
	if !s.gathered {
		s.gathered = true
		s.gather()
	}
	if len(s.values) > 0 {
		cover(texts, s.values)
	}
}

func (s *CallSecrets) gather() {
	if !json.Valid([]byte(s.arguments)) {
		return
	}
	g := gatherer{names: s.names, unsure: s.unsure}
	g.document(s.arguments, false)
	s.values = g.values
	if len(g.members) == 0 {
		return
	}
	declared := map[string]bool{}
	for _, name := range s.entry.Method.memberNames().names {
		declared[name] = true
	}
	for _, name := range g.members {
		if !declared[name] {
			s.values = append(s.values, name)
		}
	}
}

// gatherer gathers the secrets of arguments.
type gatherer struct {
	names   secrets
	unsure  bool // as of a masker
	in      *json.Decoder
	values  []string
	members []string // names of members below a secret's name
}

// document gathers from valid JSON; all of it is secret if secret is true.
func (g *gatherer) document(text string, secret bool) {
	outer := g.in
	g.in = json.NewDecoder(strings.NewReader(text))
	g.in.UseNumber()
	g.value(secret)
	g.in = outer
}

func (g *gatherer) value(secret bool) {
	t, _ := g.in.Token() // the text is valid
	switch t := t.(type) {
	case json.Delim:
		for g.in.More() {
			below := secret
			if t == '{' {
				name, _ := g.in.Token()
				text, _ := name.(string)
				if secret {
					g.members = append(g.members, text)
				}
				below = below || g.names.has(text)
			}
			g.value(below)
		}
		_, _ = g.in.Token()
	case json.Number:
		if secret {
			g.values = append(g.values, t.String())
		}
	case string:
		g.text(t, secret)
	}
}

func (g *gatherer) text(text string, secret bool) {
	if secret {
		g.values = append(g.values, text)
	} else if !g.names.within(text) {
		return
	}
	list, ok := documents(text)
	if !ok && g.unsure && !secret {
		g.values = append(g.values, text)
	}
	for _, document := range list {
		g.document(document, secret)
	}
}

// cover masks the pieces of values in texts. It takes time in proportion to both, and memory in proportion to texts.
func cover(texts, values []string) {
	c := coverer{pieces: map[uint64]bool{}}
	plain := make([]plainText, len(texts))
	for i, text := range texts {
		plain[i] = newPlainText(text)
		c.see(text)
		c.see(string(plain[i].text))
	}
	slices.Sort(values)
	for _, value := range slices.Compact(values) {
		if len(value) < leastSecret {
			continue
		}
		c.hide(value)
		if plain := withoutEscapes(value); plain != value && len(plain) >= leastSecret {
			c.hide(plain)
		}
	}
	for i, text := range texts {
		texts[i] = c.masked(text, &plain[i])
	}
}

// coverer finds secrets in texts: their pieces, and as a whole those that are shorter.
type coverer struct {
	pieces map[uint64]bool // those of the texts, and whether they are secret
	short  []string
}

func (c *coverer) see(text string) {
	for i := 0; i+secretPiece <= len(text); i++ {
		c.pieces[pieceAt(text, i)] = false
	}
}

func (c *coverer) hide(secret string) {
	if len(secret) < secretPiece {
		c.short = append(c.short, secret)
	}
	for i := 0; len(c.pieces) > 0 && i+secretPiece <= len(secret); i++ {
		piece := pieceAt(secret, i)
		if _, there := c.pieces[piece]; there {
			c.pieces[piece] = true
		}
	}
}

// find calls mark for each place of a text where a secret is.
func (c *coverer) find(text string, mark func(from, to int)) {
	for i := 0; i+secretPiece <= len(text); i++ {
		if c.pieces[pieceAt(text, i)] {
			mark(i, i+secretPiece)
		}
	}
	for _, secret := range c.short {
		for i := 0; ; i++ {
			next := strings.Index(text[i:], secret)
			if next < 0 {
				break
			}
			i += next
			mark(i, i+len(secret))
		}
	}
}

// masked returns a text without secrets. plain is the text without escapes.
func (c *coverer) masked(text string, plain *plainText) string {
	covered := make([]bool, len(text))
	found := false
	mark := func(from, to int) {
		found = true
		for i := from; i < to; i++ {
			covered[i] = true
		}
	}
	c.find(text, mark)
	c.find(string(plain.text), func(from, to int) { mark(plain.from[from], plain.to[to-1]) })
	if !found {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		from, hidden := i, covered[i]
		for i < len(text) && covered[i] == hidden {
			i++
		}
		if hidden {
			b.WriteString(Masked)
		} else {
			b.WriteString(text[from:i])
		}
	}
	return b.String()
}

// pieceAt packs the piece of a text that begins at i.
func pieceAt(s string, i int) uint64 {
	var piece uint64
	for _, c := range []byte(s[i : i+secretPiece]) {
		piece = piece<<8 | uint64(c)
	}
	return piece
}
