package discovery

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/tool"
)

// Index finds methods by words. It is read-only and safe for concurrent use.
type Index struct {
	methods  []*tool.Entry
	postings map[string][]posting
	lengths  []float64 // weighted number of terms of each method, without its translations
	average  float64   // of lengths
}

// posting says how often a term occurs in a method, weighted by place.
type posting struct {
	method int
	weight float64
}

// The weights of a term by its place. The name says best what a method does.
const (
	nameWeight        = 4
	titleWeight       = 2
	descriptionWeight = 1
	parameterWeight   = 0.3
)

// NewIndex returns an index of methods: of their names, titles, descriptions and parameters, in all
// languages in which these exist. The work grows with the length of the definitions.
func NewIndex(methods []*tool.Entry) *Index {
	x := &Index{methods: slices.Clone(methods), postings: map[string][]posting{}, lengths: make([]float64, len(methods))}
	for i, e := range x.methods {
		own := ownTerms(e)
		for term, weight := range own {
			x.postings[term] = append(x.postings[term], posting{i, weight})
			x.lengths[i] += weight
		}
		for term, weight := range translatedTerms(e) {
			if own[term] == 0 {
				x.postings[term] = append(x.postings[term], posting{i, weight})
			}
		}
		x.average += x.lengths[i] / float64(len(x.methods))
	}
	return x
}

// weightedText is a text of a definition, and what a term in it weighs.
type weightedText struct {
	text   string
	weight float64
}

// definitionTexts returns the texts of a method that say what it does.
func definitionTexts(e *tool.Entry) []weightedText {
	texts := []weightedText{
		{e.FullName, nameWeight},
		{strings.Join(e.Method.Aliases, " "), nameWeight},
		{e.Method.Title, titleWeight},
		{e.Tool.Title, titleWeight},
		{e.Method.Description, descriptionWeight},
		{e.Tool.Description, parameterWeight},
	}
	for _, p := range e.Method.Parameters.Properties() {
		texts = append(texts, weightedText{p.Name, parameterWeight}, weightedText{p.Description, parameterWeight})
	}
	return texts
}

// ownTerms returns the terms of a method with their weights.
func ownTerms(e *tool.Entry) map[string]float64 {
	terms := map[string]float64{}
	for _, t := range definitionTexts(e) {
		addTerms(terms, t.text, t.weight)
	}
	return terms
}

// translatedTerms returns the terms of a method in other languages with their weights.
func translatedTerms(e *tool.Entry) map[string]float64 {
	terms := map[string]float64{}
	for _, translations := range e.Method.Translations {
		for _, t := range definitionTexts(e) {
			addTerms(terms, translations[t.text], t.weight)
		}
	}
	return terms
}

func addTerms(terms map[string]float64, text string, weight float64) {
	for _, term := range words(text) {
		terms[term] += weight
	}
}

// Match is a method that a search found.
type Match struct {
	Method *tool.Entry
	// Score is the method's share of all matches, from 0 to 1: the softmax of their BM25 scores. A
	// score of 0.5 means that the method fits as well as all others together.
	Score float64
}

// The parameters of BM25. lengthEffect is lower than the usual 0.75, because a method with a long
// description is not a worse match.
const (
	saturation   = 1.2
	lengthEffect = 0.4
)

// synonymWeight is what a synonym of a word of the query counts, compared with the word.
const synonymWeight = 0.5

// maxQueryTerms limits how many different words of a query count.
const maxQueryTerms = 64

// Search returns at most n methods that have a word of the query or a synonym, the best first.
// Methods with the same score are in the order of their names. The scores of all matches, also of
// those beyond n, sum up to 1. The list is never nil.
func (x *Index) Search(query string, n int) []Match {
	fits := map[int]float64{}
	terms := words(query)
	slices.Sort(terms)
	terms = slices.Compact(terms)
	for _, term := range terms[:min(len(terms), maxQueryTerms)] {
		best := map[int]float64{} // the best fit of the term and its synonyms, so that many synonyms count like one
		x.fit(best, term, 1)
		for _, other := range synonyms[term] {
			x.fit(best, other, synonymWeight)
		}
		for method, fit := range best {
			fits[method] += fit
		}
	}
	found := make([]Match, 0, len(fits))
	for method, fit := range fits {
		found = append(found, Match{x.methods[method], fit})
	}
	slices.SortFunc(found, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Method.FullName, b.Method.FullName))
	})
	sum := 0.0
	for i := len(found) - 1; i >= 0; i-- { // the best match comes last, because all scores are compared with its score
		found[i].Score = math.Exp(found[i].Score - found[0].Score)
		sum += found[i].Score
	}
	found = found[:min(len(found), max(0, n))]
	for i := range found {
		found[i].Score /= sum
	}
	return found
}

// fit raises the entries of best to how well the methods with a term fit, times a factor.
func (x *Index) fit(best map[int]float64, term string, factor float64) {
	list := x.postings[term]
	rarity := math.Log(1 + (float64(len(x.methods)-len(list))+0.5)/(float64(len(list))+0.5))
	for _, p := range list {
		relative := 1 - lengthEffect + lengthEffect*x.lengths[p.method]/x.average
		fit := factor * rarity * p.weight * (saturation + 1) / (p.weight + saturation*relative)
		best[p.method] = max(best[p.method], fit)
	}
}
