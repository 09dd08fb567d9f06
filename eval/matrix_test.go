package eval_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vcpgo/vcp/eval"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

func TestTheMatrixCountsReplies(t *testing.T) {
	m := eval.NewMatrix([]eval.Setting{
		{Protocol: vcp.Protocol{}, Tolerance: scan.Strict},
		{Protocol: vcp.Protocol{}, Tolerance: scan.Safe},
		{Protocol: hermes.Protocol{}, Tolerance: scan.Safe},
	})
	for _, id := range []string{"v-clean", "v-marker-case", "v-another-city", "v-call-twice", "h-tag-case"} {
		if _, err := m.Add(t.Context(), caseOf(t, id)); err != nil {
			t.Fatal(err)
		}
	}
	if wrong, at := m.MaxWrong(); wrong != 2 || at.Protocol.ID() != "vcp" {
		t.Errorf("MaxWrong returns %d for %s, want 2 for a setting of vcp", wrong, at)
	}
	got, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"version":1,"settings":[` +
		`{"protocol":"vcp","tolerance":"strict","quoted":"skip","replies":4,` +
		`"counts":{"otherArguments":1,"refused":1,"right":1,"unexpected":1,"unseen":0},` +
		`"ids":{"otherArguments":["v-another-city"],"refused":["v-marker-case"],` +
		`"unexpected":["v-call-twice"],"unseen":[]},` +
		`"reasons":{"malformed_request:repair_refused":1},"repairs":{"marker_case":1}},` +
		`{"protocol":"vcp","tolerance":"safe","quoted":"skip","replies":4,` +
		`"counts":{"otherArguments":1,"refused":0,"right":2,"unexpected":1,"unseen":0},` +
		`"ids":{"otherArguments":["v-another-city"],"refused":[],"unexpected":["v-call-twice"],"unseen":[]},` +
		`"reasons":{},"repairs":{"marker_case":1}},` +
		`{"protocol":"hermes","tolerance":"safe","quoted":"skip","replies":1,` +
		`"counts":{"otherArguments":0,"refused":0,"right":1,"unexpected":0,"unseen":0},` +
		`"ids":{"otherArguments":[],"refused":[],"unexpected":[],"unseen":[]},"reasons":{},"repairs":{"marker_case":1}}]}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	var text bytes.Buffer
	if err := m.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"other arguments", "vcp, strict, skip", "reasons: malformed_request:repair_refused 1", "unexpected: v-call-twice",
	} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("%q is missing in\n%s", part, text.String())
		}
	}
}
