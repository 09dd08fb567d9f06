package reference_test

import "regexp"

// shape returns an input with one sign for all spellings of a mark. S and E are a request's
// markers, R is a result's START, D and F are a definition's markers, and X is any other marker. T
// is a reasoning tag, « and » are an opener and a closer, and # is the marks of a fence.
func shape(text string) string {
	for _, p := range shapes {
		text = p.pattern.ReplaceAllString(text, p.sign)
	}
	return text
}

var shapes = func() (list []struct {
	pattern *regexp.Regexp
	sign    string
},
) {
	words := func(w string) string {
		return `(?i)(?:[<＜《]{2,6}|(?:&lt;){2,4})[ \t]?[\[【［]?[ \t]?` + w + `[ \t]?[\]】］]?[ \t]?(?:[>＞》]{2,6}|(?:&gt;){2,4})`
	}
	for _, p := range [][2]string{
		{`&lt;` + words(`TOOL[_ \t-]REQUEST`), "X"},
		{words(`[A-Z_]*_ESCAPE`), "X"},
		{`(?i)[<＜《]{2,6}TOOL_REQUEST_ESCAPE`, "X"},
		{`(?:&lt;){2,4}\[[A-Z_]*\](?:&gt;){2,4}`, "X"},
		{words(`(?:END[_ \t-]|/)TOOL[_ \t-]REQUEST`), "E"},
		{words(`TOOL[_ \t-]REQUEST`), "S"},
		{words(`TOOL[_ \t-]RESULT`), "R"},
		{words(`END[_ \t-]TOOL[_ \t-]RESULT`), "X"},
		{words(`TOOL[_ \t-]DEFINITION`), "D"},
		{words(`END[_ \t-]TOOL[_ \t-]DEFINITION`), "F"},
		{`(?i)</?(?:think|thinking|reasoning|reason|thought)(?: [^<>\n]*)?>`, "T"},
		{`(?i)[「{『【｢][ 　]?始(?:exp|ESCAPE[^」}』】｣\n]{0,64})?[ 　]?[」}』】｣]`, "«"},
		{`(?i)[「{『【｢][ 　]?末(?:exp|ESCAPE[^」}』】｣\n]{0,64})?[ 　]?[」}』】｣]`, "»"},
		{`(?i)<[ \t]?tool[_ \t-]?call[ \t]?>`, "S"},
		{`(?i)<[ \t]?/[ \t]?tool[_ \t-]?call[ \t]?>`, "E"},
		{`(?i)<[ \t]?tool[_ \t-]?response[ \t]?>`, "R"},
		{`(?i)<tools>`, "D"},
		{`(?i)</tools>`, "F"},
		{"`{3,}|~{3,}", "#"},
	} {
		list = append(list, struct {
			pattern *regexp.Regexp
			sign    string
		}{regexp.MustCompile(p[0]), p[1]})
	}
	return list
}()
