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
	postings map[string][]posting // the methods that contain a term, by term
	lengths  []float64            // weighted number of terms of each method, without its translations
	average  float64              // the average of lengths
}

// posting is a method that contains a term.
type posting struct {
	method int     // index in Index.methods
	weight float64 // the sum of the weights of all occurrences of the term
}

// The weights of a term by the text in which it occurs. The name says best what a method does.
const (
	nameWeight        = 4
	titleWeight       = 2
	descriptionWeight = 1
	parameterWeight   = 0.3 // also for the description of the tool, which all methods of the tool share
)

// NewIndex returns an index of methods: of their names, titles, descriptions and parameters, in all
// languages in which these exist.
func NewIndex(methods []*tool.Entry) *Index {
	x := &Index{
		methods: slices.Clone(methods), postings: map[string][]posting{}, lengths: make([]float64, len(methods)),
	}
	for i, e := range x.methods {
		own, translated, length := terms(e)
		x.lengths[i] = length
		for term, weight := range own {
			x.postings[term] = append(x.postings[term], posting{i, weight})
		}
		for term, weight := range translated {
			if own[term] == 0 {
				x.postings[term] = append(x.postings[term], posting{i, weight})
			}
		}
		x.average += x.lengths[i] / float64(len(x.methods))
	}
	if x.average == 0 { // all terms are translations, so all lengths are 0; score must not divide 0 by 0
		x.average = 1
	}
	return x
}

// weightedText is a text of a definition, and the weight of each term in it.
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

// terms returns the terms of a method and of its translations, with their weights. length is the
// sum of the weights in own, added in the order of the texts. Added in the random order of a map,
// it would be rounded differently each time, so methods with equal definitions would differ in
// score.
func terms(e *tool.Entry) (own, translated map[string]float64, length float64) {
	own, translated = map[string]float64{}, map[string]float64{}
	for _, t := range definitionTexts(e) {
		length += addTerms(own, t.text, t.weight)
		for _, translations := range e.Method.Translations {
			addTerms(translated, translations[t.text], t.weight)
		}
	}
	return own, translated, length
}

// addTerms adds the terms of a text to terms, and returns the sum of their weights.
func addTerms(terms map[string]float64, text string, weight float64) (sum float64) {
	for _, term := range words(text) {
		terms[term] += weight
		sum += weight
	}
	return sum
}

// Match is a method that a search found.
type Match struct {
	Method *tool.Entry
	// Score is the method's share of all matches, from 0 to 1: the softmax of their BM25 scores. A
	// score of 0.5 means that the method matches as well as all other matches together.
	Score float64
}

// The parameters of BM25. lengthEffect is lower than the usual 0.75, because a method with a long
// description is not a worse match.
const (
	saturation   = 1.2 // k1
	lengthEffect = 0.4 // b
)

// synonymWeight is the weight of a synonym of a word in the query. The weight of the word itself is
// 1.
const synonymWeight = 0.5

// maxQueryTerms limits the different words of a query that are searched. Search drops those that
// are last in alphabetical order.
const maxQueryTerms = 64

// Search returns at most n methods that contain a word of the query, or a synonym of a word, the
// best first. Methods with the same score are sorted by their names. The sum of the scores of all
// matches, including those after the first n, is 1. The list is never nil.
func (x *Index) Search(query string, n int) []Match {
	scores := map[int]float64{} // by index in x.methods
	terms := words(query)
	slices.Sort(terms)
	terms = slices.Compact(terms)
	for _, term := range terms[:min(len(terms), maxQueryTerms)] {
		// For each method, only the best score of the term and its synonyms counts.
		best := map[int]float64{}
		x.score(best, term, 1)
		for _, other := range synonyms[term] {
			x.score(best, other, synonymWeight)
		}
		for method, score := range best {
			scores[method] += score
		}
	}
	found := make([]Match, 0, len(scores))
	for method, score := range scores {
		found = append(found, Match{x.methods[method], score})
	}
	slices.SortFunc(found, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Method.FullName, b.Method.FullName))
	})
	sum := 0.0
	// Backwards, because all scores are compared with found[0].Score, so it must change last.
	for i := len(found) - 1; i >= 0; i-- {
		found[i].Score = math.Exp(found[i].Score - found[0].Score)
		sum += found[i].Score
	}
	found = found[:min(len(found), max(0, n))]
	for i := range found {
		found[i].Score /= sum
	}
	return found
}

// score calculates the BM25 score of a term, times factor, for each method that contains the term.
// It stores the score in best, unless best already has a higher score for the method.
func (x *Index) score(best map[int]float64, term string, factor float64) {
	list := x.postings[term]
	rarity := math.Log(1 + (float64(len(x.methods)-len(list))+0.5)/(float64(len(list))+0.5))
	for _, p := range list {
		lengthFactor := 1 - lengthEffect + lengthEffect*x.lengths[p.method]/x.average
		score := factor * rarity * p.weight * (saturation + 1) / (p.weight + saturation*lengthFactor)
		best[p.method] = max(best[p.method], score)
	}
}
