package vcp_test

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vcpgo/vcp/internal/golden"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol/vcp"
)

var update = flag.Bool("update", false, "write the examples of "+examplesPath+" anew, after a deliberate change")

const examplesPath = "docs/dialect-examples.md"

// markedExample matches a generated example: the name of its case, and its text.
var markedExample = regexp.MustCompile(`(?s)<!-- example: ([a-z0-9-]+) -->\n(.*?)<!-- end of example -->`)

func TestDialectExamplesMatchTheirCases(t *testing.T) {
	document := readExamples(t)
	cases := corpusByName(t)
	if begun, complete := strings.Count(document, "<!-- example:"), len(markedExample.FindAllString(document, -1)); begun != complete {
		t.Fatalf("%s: of %d lines \"<!-- example: case-name -->\" only %d have a line \"<!-- end of example -->\" after the example",
			examplesPath, begun, complete)
	}
	want := markedExample.ReplaceAllStringFunc(document, func(old string) string {
		name := markedExample.FindStringSubmatch(old)[1]
		c, found := cases[name]
		if !found {
			t.Errorf("%s shows the case %q, which is not in testdata/vcp", examplesPath, name)
			return old
		}
		return "<!-- example: " + name + " -->\n" + showCase(&c, readCase(t, &c)) + "<!-- end of example -->"
	})
	if document == want || t.Failed() {
		return
	}
	if *update {
		if err := os.WriteFile(examplesPath, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s differs from the cases that it shows; \"go test . -run DialectExamples -update\" writes it anew (-shown +read):\n%s",
		examplesPath, cmp.Diff(strings.Split(document, "\n"), strings.Split(want, "\n")))
}

// Each row and each code of section 8 has examples, in the order of the dialect. They show all
// outcomes that the dialect names. The case of an example under a row or a section cites it.
func TestDialectExamplesShowEveryRule(t *testing.T) {
	rules := dialectRules(t)
	sections := exampleSections(readExamples(t))
	var got, want []string
	for _, r := range rules {
		want = append(want, r.name)
	}
	for _, s := range sections {
		if slices.Contains(want, s.title) {
			got = append(got, s.title)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("headings \"### …\" of %s:\n got %v\nwant %v", examplesPath, got, want)
	}

	cases := corpusByName(t)
	for _, s := range sections {
		t.Run(s.title, func(t *testing.T) {
			if len(s.cases) == 0 {
				t.Errorf("%s has no example under %q", examplesPath, s.title)
			}
			shown := map[string]bool{}
			for _, name := range s.cases {
				c, found := cases[name]
				if !found {
					continue // TestDialectExamplesMatchTheirCases reports it
				}
				if !cites(&c, s.cited) && s.cited != "" {
					t.Errorf("the case %s does not cite %s in its first line", name, s.cited)
				}
				reading := readCase(t, &c)
				reading.addNames(shown)
			}
			for _, r := range rules {
				for _, name := range r.outcomes {
					if r.name == s.title && !shown[name] {
						t.Errorf("%s of the dialect names `%s`, but no example under that heading of %s shows it", r.name, name, examplesPath)
					}
				}
			}
		})
	}
}

// Each section of the dialect that has examples contains a link to them.
func TestDialectLinksItsExamples(t *testing.T) {
	dialect := readDialect(t)
	for _, line := range strings.Split(markedExample.ReplaceAllString(readExamples(t), ""), "\n") {
		title, isSection := strings.CutPrefix(line, "## ")
		if !isSection {
			continue
		}
		_, section, found := strings.Cut(dialect, "\n## "+title+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		link := "(dialect-examples.md#" + strings.ToLower(strings.ReplaceAll(title, " ", "-")) + ")"
		if !found || !strings.Contains(section, link) {
			t.Errorf("%s has no section %q with a link to %s", dialectPath, title, link)
		}
	}
}

func readExamples(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(examplesPath)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func corpusByName(t *testing.T) map[string]golden.Case {
	t.Helper()
	cases, err := golden.Load("testdata/vcp")
	if err != nil {
		t.Fatal(err)
	}
	byName := make(map[string]golden.Case, len(cases))
	for _, c := range cases {
		byName[c.Name] = c
	}
	return byName
}

// dialectRule is a rule that needs examples, and what they must show together.
type dialectRule struct {
	name     string // as in the heading of its examples
	outcomes []string
}

// dialectRules returns the rows, and the codes of section 8, in the order of the dialect. The
// outcomes of a row are the statuses, codes, repairs and reasons that its last two cells name.
func dialectRules(t *testing.T) []dialectRule {
	t.Helper()
	dialect := readDialect(t)
	known := []string{string(parser.DropFabricatedResult), string(parser.NoticeMalformedRequest)}
	for _, s := range []parser.Status{
		parser.StatusReady, parser.StatusInvalid, parser.StatusIncomplete, parser.StatusQuoted, parser.StatusReasoning,
	} {
		known = append(known, string(s))
	}
	for _, r := range (vcp.Protocol{}).Repairs() {
		known = append(known, r.Name)
	}
	var codes []dialectRule
	for _, c := range dialectCodes(t) {
		known = append(known, string(c))
		codes = append(codes, dialectRule{asCode(string(c)), []string{string(c)}})
	}

	var rules []dialectRule
	for _, m := range dialectRow.FindAllStringSubmatch(dialect, -1) {
		r := dialectRule{name: m[1]}
		_, yields, _ := strings.Cut(m[2], " | ")
		for _, name := range codeSpans(yields) {
			if slices.Contains(known, name) {
				r.outcomes = append(r.outcomes, name)
			}
		}
		rules = append(rules, r)
	}
	return append(rules, codes...)
}

// exampleSection is the text under one heading of the third level.
type exampleSection struct {
	title string
	// cited is what its cases cite: the row or the section, such as "§4". It is "" for a code of
	// section 8, which any case may show.
	cited string
	cases []string
}

func exampleSections(document string) []exampleSection {
	var sections []exampleSection
	number := ""
	for line := range strings.Lines(markedExample.ReplaceAllString(document, "<!-- example: $1 -->")) {
		line = strings.TrimSuffix(line, "\n")
		if title, found := strings.CutPrefix(line, "## "); found {
			number, _, _ = strings.Cut(title, " ")
		} else if title, found := strings.CutPrefix(line, "### "); found {
			s := exampleSection{title: title, cited: "§" + number}
			if slices.Contains(dialectRows(), title) {
				s.cited = title
			} else if strings.HasPrefix(title, "`") {
				s.cited = ""
			}
			sections = append(sections, s)
		} else if name, found := strings.CutPrefix(line, "<!-- example: "); found && len(sections) > 0 {
			last := &sections[len(sections)-1]
			last.cases = append(last.cases, strings.TrimSuffix(name, " -->"))
		}
	}
	return sections
}

func cites(c *golden.Case, rule string) bool {
	cited, _, _ := strings.Cut(c.Header, ":")
	return slices.Contains(strings.Split(cited, ", "), rule)
}
