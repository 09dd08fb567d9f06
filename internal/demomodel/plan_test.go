package demomodel

import "testing"

// No question makes the planner fail or plan too much.
func FuzzPlan(f *testing.F) {
	for _, seed := range []string{
		"What is 17*23, and which Go files are in protocol/?", "[[[[{{{{", "((((1+(", "「“‘《", "a,b,c and and then",
		"北京的天气怎么样", "\xff\xfe 3+", "12% of 12% of",
	} {
		f.Add(seed)
	}
	var c catalog
	for _, name := range []string{
		"path", "expression", "query", "glob", "timezone", "url", "email", "date", "city", "flag", "count", "items",
	} {
		c = append(c, testMethod(name))
	}
	f.Fuzz(func(t *testing.T, question string) {
		p := c.plan(question)
		if len(p.requests) > maxCalls {
			t.Errorf("%d requests", len(p.requests))
		}
	})
}
