package eval_test

import (
	"strings"
	"testing"

	"github.com/vcpgo/vcp/eval"
	"github.com/vcpgo/vcp/protocol/vcp"
)

func TestTheReportCountsTries(t *testing.T) {
	s, err := suiteOf(t, smallSuite)
	if err != nil {
		t.Fatal(err)
	}
	r := eval.Report{Suite: s.Name, Model: "m|x at http://h", Notes: []string{"One note."}}
	for _, replies := range [][]string{
		{request(t, "notes_save", "title", "a", "text", "x"), "done"},
		{request(t, "notes_save", "title", "a"), request(t, "notes_save", "title", "a", "text", "x"), "done"},
		{request(t, "notes_save", "title", "a", "text", "y|z"), "done"},
	} {
		model := &scriptedModel{replies: replies}
		try, err := s.Tasks[0].Run(t.Context(), eval.Variant{Name: "vcp", Model: model, Protocol: vcp.Protocol{}})
		if err != nil {
			t.Fatal(err)
		}
		try.Duration = 0
		r.Tries = append(r.Tries, try)
	}
	if wrong, variant := r.MaxWrong(); wrong != 1 || variant != "vcp" {
		t.Errorf("MaxWrong returns %d for the variant %q, want 1 for vcp", wrong, variant)
	}
	var b strings.Builder
	if err := r.WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"# Evaluation of m\\|x at http://h\n\nSuite: small. Tries: 3.\n",
		// 7 replies, each with 10 tokens of prompt and 2 of reply.
		"| vcp | 2 of 3 (66 %) | 1 | 1 | 1 | 2.3 | 23.3 | 4.7 | 0.0 | 0 |\n",
		"| kind | vcp |\n|---|---|\n| effect | 2/3 |\n",
		"| task | vcp |\n|---|---|\n| note | 2/3 |\n",
		"| task | vcp |\n|---|---|\n| note | 2.3 replies, 28 tokens |\n",
		`- note, vcp: notes\_save was not called as expected: ` +
			`{"name":"notes\_save","arguments":{"title":"a","text":"x"}}; notes\_save ran with {"title":"a","text":"y\|z"}, which is not expected;`,
		"\nOne note.\n",
	} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("%q is missing in\n%s", part, b.String())
		}
	}
}
