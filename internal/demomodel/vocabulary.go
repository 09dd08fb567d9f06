package demomodel

import (
	"math"

	"github.com/vcpgo/vcp/protocol"
)

// How much a word counts by where a definition has it: names are chosen with more care than sentences.
const (
	weightName        = 1.5
	weightTitle       = 1.2
	weightDescription = 0.8
	weightParameter   = 0.6
	weightOption      = 0.9 // a value that a parameter may have
	weightRemark      = 0.3 // the description of a parameter
	weightAlias       = 0.4 // short names are everyday words too often
)

// vocabulary gives the words of a definition, as stems and Chinese pairs, and how much each counts.
type vocabulary map[string]float64

func (v vocabulary) add(text string, weight float64) {
	for _, t := range tokenise(text) {
		if t.stem == "" {
			for _, pair := range bigrams(t.text) {
				v[pair] = max(v[pair], weight)
			}
			continue
		}
		if !t.stop && !isNumber(t.text) {
			v[t.stem] = max(v[t.stem], weight)
		}
	}
}

// match returns how much a stem counts here, and the word that it stands for.
func (v vocabulary) match(stem string) (weight float64, word string) {
	if w, ok := v[stem]; ok {
		return w, stem
	}
	for other, w := range v {
		// The smaller word of two that count the same, so that the order of the map means nothing.
		if s := alike(stem, other) * w; s > weight || s > 0 && s == weight && other < word {
			weight, word = s, other
		}
	}
	return weight, word
}

// has reports whether a token of the user is one of these words, or one of their family.
func (v vocabulary) has(t token) bool {
	if t.stem == "" {
		for _, pair := range bigrams(t.text) {
			if v[pair] > 0 {
				return true
			}
		}
		return false
	}
	w, _ := v.match(t.stem)
	return w > 0
}

// A method is a definition as the planner sees it.
type method struct {
	protocol.ToolDefinition
	words      vocabulary
	parameters []parameter
}

func newMethod(d protocol.ToolDefinition) *method {
	m := &method{ToolDefinition: d, words: make(vocabulary)}
	m.words.add(splitName(d.ToolName), weightName)
	m.words.add(splitName(d.Command), weightAlias)
	m.words.add(d.Title, weightTitle)
	m.words.add(d.Description, weightDescription)
	for i := range d.Parameters {
		p := newParameter(d.Parameters[i], d.Examples)
		m.words.add(splitName(p.Name), weightParameter)
		m.words.add(p.Description, weightRemark)
		for _, option := range p.options {
			m.words.add(splitName(option), weightOption)
		}
		m.parameters = append(m.parameters, p)
	}
	return m
}

// A catalogue is all methods that the planner was given.
type catalogue []*method

func newCatalogue(definitions []protocol.ToolDefinition) catalogue {
	c := make(catalogue, len(definitions))
	for i, d := range definitions {
		c[i] = newMethod(d)
	}
	return c
}

// rarity says how much a word tells methods apart: 1 for one that all have.
func (c catalogue) rarity(word string) float64 {
	n := 0
	for _, m := range c {
		if m.words[word] > 0 {
			n++
		}
	}
	return math.Log2(1 + float64(len(c))/float64(max(n, 1)))
}

// wordScore says how much the words of a text speak for a method.
func (c catalogue) wordScore(m *method, tokens []token) float64 {
	score := 0.0
	seen := make(map[string]bool)
	count := func(stem string) {
		weight, word := m.words.match(stem)
		if weight > 0 && !seen[word] {
			seen[word] = true
			score += weight * c.rarity(word)
		}
	}
	for _, t := range tokens {
		switch {
		case t.stem == "":
			for _, pair := range bigrams(t.text) {
				count(pair)
			}
		case !t.stop && !isNumber(t.text):
			count(t.stem)
		}
	}
	return score
}
