package eval_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vcpgo/vcp/eval"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// outcomesOfLetter are the outcomes that a letter in wantOutcomes allows. "-" is a call that does
// not run, whether or not the model is told.
var outcomesOfLetter = map[byte][]eval.Outcome{
	'R': {eval.Right}, 'r': {eval.Refused}, '-': {eval.Refused, eval.Unseen},
	'a': {eval.OtherArguments}, 'c': {eval.Unexpected},
}

// wantOutcomes are the outcomes of testdata/eval/replies.jsonl, one letter for each of the
// tolerances strict, safe and greedy. They are derived from the rows of docs/dialect.md ("v-") and
// of docs/hermes.md ("h-") that the comments name. The rows on code and reasoning, which begin with
// C, are in docs/dialect.md for both.
var wantOutcomes = []struct{ id, letters string }{
	{"v-clean", "RRR"},
	{"v-chinese", "RRR"},
	{"v-two-calls", "RRR"},          // the order of the expectations does not matter
	{"v-marker-case", "rRR"},        // row B1
	{"v-separator", "rRR"},          // row F2
	{"v-no-end", "rRR"},             // row B9
	{"v-no-end-before-next", "rrR"}, // row B11
	{"v-bare-fields", "--R"},        // row B12
	{"v-closer-forgotten", "rrR"},   // row V11
	{"v-closer-in-value", "rrr"},    // row V15
	{"v-escape", "RRR"},             // row V4
	{"v-unknown-tool", "rrr"},       // no such method
	{"v-wrong-type", "rrr"},         // "soon" is not an integer
	{"v-number-spelling", "RRR"},    // repairs of arguments do not depend on the tolerance
	{"v-default-written", "RRR"},    // the value is the default
	{"v-another-city", "aaa"},       // the call runs, for another city
	{"v-call-not-wanted", "ccc"},    // nothing is expected
	{"v-call-twice", "ccc"},         // one call is expected
	{"v-another-tool-besides", "ccc"},
	{"v-truncated", "rrr"},       // row B10
	{"v-lost-connection", "rrr"}, // no finish reason, so nothing runs
	{"v-no-call", "RRR"},
	{"v-announced", "rrr"},         // the model is told that it wrote no request
	{"v-example-in-fence", "RRR"},  // row C5: quoted, and no call is expected
	{"v-call-in-fence", "---"},     // row C5: quoted, but a call is expected
	{"v-call-in-reasoning", "---"}, // row C1
	{"v-result-invented", "RRR"},   // row B14: the request before it runs
	{"v-possible", "RRR"},          // the second of the values; unit and days may be absent
	{"v-not-possible", "aaa"},      // days may be 1 or absent, and is 2
	{"v-bfcl", "RRR"},              // the number 2 equals 2.0
	{"v-bfcl-object", "RRR"},       // N-A equals "n a" by the rules of BFCL
	{"h-clean", "RRR"},
	{"h-two-calls", "RRR"},
	{"h-tag-case", "rRR"},           // row T1
	{"h-no-end", "rRR"},             // row T5
	{"h-trailing-comma", "rRR"},     // row J6
	{"h-parameters-key", "rRR"},     // row J4
	{"h-single-quotes", "rrR"},      // row J9
	{"h-several-in-one-tag", "rRR"}, // row J2
	{"h-tag-in-string", "RRR"},      // row T11
	{"h-quote-not-escaped", "rrr"},  // row J12
	{"h-example-in-fence", "RRR"},   // row C5
	{"h-another-city", "aaa"},
	{"h-invented-argument", "rrr"}, // "mood" is not declared
	{"h-bare-json", "--R"},         // rows T9 and T14
	{"h-no-call", "RRR"},
}

// cases returns the replies of testdata/eval/replies.jsonl.
func cases(t *testing.T) []eval.Case {
	t.Helper()
	f, err := os.Open("../testdata/eval/replies.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []eval.Case
	for c, err := range eval.ReadCases(f, "replies.jsonl") {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

var protocolByID = map[string]protocol.Protocol{"vcp": vcp.Protocol{}, "hermes": hermes.Protocol{}}

func TestTheExamplesHaveTheDerivedOutcomes(t *testing.T) {
	list := cases(t)
	if len(list) != len(wantOutcomes) {
		t.Fatalf("the file has %d replies, and the table %d", len(list), len(wantOutcomes))
	}
	for i, c := range list {
		t.Run(c.ID, func(t *testing.T) {
			want := wantOutcomes[i]
			if c.ID != want.id {
				t.Fatalf("the table has %s in this place", want.id)
			}
			for level, tolerance := range []scan.Tolerance{scan.Strict, scan.Safe, scan.Greedy} {
				setting := eval.Setting{Protocol: protocolByID[c.Protocol], Tolerance: tolerance}
				j, err := c.Judge(t.Context(), setting)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Contains(outcomesOfLetter[want.letters[level]], j.Outcome) {
					t.Errorf("%s: %s (%v), want %c", tolerance, j.Outcome, j.Reasons, want.letters[level])
				}
			}
		})
	}
}

// TestTheDocumentDoesNotOverstate checks that the table in docs/evaluation.md claims no better
// outcomes than the examples have.
func TestTheDocumentDoesNotOverstate(t *testing.T) {
	document, err := os.ReadFile("../docs/evaluation.md")
	if err != nil {
		t.Fatal(err)
	}
	list := cases(t)
	for _, id := range []string{"vcp", "hermes"} {
		for _, tolerance := range []scan.Tolerance{scan.Strict, scan.Safe, scan.Greedy} {
			replies, counts := 0, map[eval.Outcome]int{}
			for i := range list {
				if list[i].Protocol != id {
					continue
				}
				j, err := list[i].Judge(t.Context(), eval.Setting{Protocol: protocolByID[id], Tolerance: tolerance})
				if err != nil {
					t.Fatal(err)
				}
				replies++
				counts[j.Outcome]++
			}
			columns := strings.Repeat(` (\d+) \|`, 5) // replies, right, refused, unseen, wrong
			row := regexp.MustCompile(fmt.Sprintf(`\| %s \| %s \|%s`, id, tolerance, columns)).FindSubmatch(document)
			if row == nil {
				t.Fatalf("the document has no row for %s, %s", id, tolerance)
			}
			var said []int
			for _, column := range row[1:] {
				n, _ := strconv.Atoi(string(column))
				said = append(said, n)
			}
			wrong := counts[eval.OtherArguments] + counts[eval.Unexpected]
			if said[0] != replies || said[1] > counts[eval.Right] || said[3] < counts[eval.Unseen] ||
				said[4] < wrong {
				t.Errorf("%s, %s: of %d replies %d are right, %d refused, %d unseen and %d wrong; the document says %s",
					id, tolerance, replies, counts[eval.Right], counts[eval.Refused], counts[eval.Unseen], wrong,
					row[0])
			}
		}
	}
}

// caseOf returns the reply of testdata/eval/replies.jsonl with the given ID.
func caseOf(t *testing.T, id string) *eval.Case {
	t.Helper()
	for _, c := range cases(t) {
		if c.ID == id {
			return &c
		}
	}
	t.Fatalf("no reply %s", id)
	return nil
}

func TestDefinitionsOfOpenAIAndBFCLAreRead(t *testing.T) {
	const schema = `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`
	tests := []struct{ name, tool string }{
		{"OpenAI", `{"type":"function","function":` +
			`{"name":"a.b","description":"","parameters":` + schema + `,"strict":true}}`},
		{"BFCL", `{"name":"a.b","description":"","response":{},` +
			`"parameters":{"type":"dict","properties":{"n":{"type":"int","description":""}},"required":["n"]}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for arguments, want := range map[string]eval.Outcome{
				`{"n": 1}`: eval.Right, `{"n": "one"}`: eval.Refused, `{}`: eval.Refused,
			} {
				reply, err := json.Marshal("<tool_call>\n{\"name\": \"a.b\", \"arguments\": " +
					arguments + "}\n</tool_call>")
				if err != nil {
					t.Fatal(err)
				}
				line := `{"reply":` + string(reply) + `,"tools":[` + tt.tool + `],"expect":[{"a.b":{"n":[1]}}]}`
				for c, err := range eval.ReadCases(strings.NewReader(line), "f") {
					if err != nil {
						t.Fatal(err)
					}
					j, err := c.Judge(t.Context(), eval.Setting{Protocol: hermes.Protocol{}})
					if err != nil || j.Outcome != want {
						t.Errorf("%s: %s (%v, %v), want %s", arguments, j.Outcome, j.Reasons, err, want)
					}
				}
			}
		})
	}
}

func TestACaseMayDefineToolsWithTheNamesOfTheEnginesTools(t *testing.T) {
	for _, name := range []string{"results_read", "tools_search"} {
		call := `{"name":"` + name + `","arguments":{}}`
		reply, err := json.Marshal("<tool_call>\n" + call + "\n</tool_call>")
		if err != nil {
			t.Fatal(err)
		}
		line := `{"reply":` + string(reply) + `,"tools":[{"name":"` + name + `"}],"expect":[` + call + `]}`
		for c, err := range eval.ReadCases(strings.NewReader(line), "f") {
			if err != nil {
				t.Fatal(err)
			}
			j, err := c.Judge(t.Context(), eval.Setting{Protocol: hermes.Protocol{}})
			if err != nil || j.Outcome != eval.Right {
				t.Errorf("%s: %s (%v, %v), want right", name, j.Outcome, j.Reasons, err)
			}
		}
	}
}

func TestTheQuotedPolicyDecidesOnFences(t *testing.T) {
	tests := []struct {
		id     string
		quoted parser.QuotedPolicy
		want   eval.Outcome
	}{
		{"v-example-in-fence", parser.QuotedRun, eval.Unexpected},
		{"v-example-in-fence", parser.QuotedAuto, eval.Right},
		{"v-call-in-fence", parser.QuotedRun, eval.Right},
		{"v-call-in-fence", parser.QuotedAuto, eval.Right},
		{"h-example-in-fence", parser.QuotedRun, eval.Unexpected},
	}
	for _, tt := range tests {
		t.Run(tt.id+" "+tt.quoted.String(), func(t *testing.T) {
			c := caseOf(t, tt.id)
			j, err := c.Judge(t.Context(), eval.Setting{Protocol: protocolByID[c.Protocol], Quoted: tt.quoted})
			if err != nil {
				t.Fatal(err)
			}
			if j.Outcome != tt.want {
				t.Errorf("%s (%v), want %s", j.Outcome, j.Reasons, tt.want)
			}
		})
	}
}

func TestAJudgmentNamesReasonsAndRepairs(t *testing.T) {
	tests := []struct {
		id   string
		want eval.Judgment
	}{
		{"v-marker-case", eval.Judgment{Outcome: eval.Right, Repairs: map[string]int{"marker_case": 1}}},
		{"v-separator", eval.Judgment{Outcome: eval.Right, Repairs: map[string]int{"separator": 2}}},
		{"v-number-spelling", eval.Judgment{Outcome: eval.Right, Repairs: map[string]int{"number_spelling": 1}}},
		{"v-closer-forgotten", eval.Judgment{
			Outcome: eval.Refused, Reasons: []string{"malformed_request:ambiguous_value"},
		}},
		{"v-wrong-type", eval.Judgment{Outcome: eval.Refused, Reasons: []string{"invalid_arguments"}}},
		{"v-lost-connection", eval.Judgment{Outcome: eval.Refused, Reasons: []string{"incomplete"}}},
		{"v-announced", eval.Judgment{Outcome: eval.Refused}},
	}
	for _, tt := range tests {
		t.Run(tt.id, func(t *testing.T) {
			c := caseOf(t, tt.id)
			j, err := c.Judge(t.Context(), eval.Setting{Protocol: protocolByID[c.Protocol]})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, j); diff != "" {
				t.Error(diff)
			}
		})
	}
}
