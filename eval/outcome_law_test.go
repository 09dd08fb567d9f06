package eval_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/eval"
	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/protocol/hermes"
)

// expectedCall is an expectation of a call of n_take, whose argument must be one of these numbers.
type expectedCall []int

// TestCallsMatchAsManyExpectationsAsPossible compares the outcome with that of outcomeOf, which
// tries all ways to match expectations with different calls.
func TestCallsMatchAsManyExpectationsAsPossible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.IntRange(1, 5)
		calls := rapid.SliceOfN(number, 0, 5).Draw(t, "calls")
		want := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) expectedCall {
			return rapid.SliceOfN(number, 1, 3).Draw(t, "numbers")
		}), 0, 5).Draw(t, "expected")

		var reply strings.Builder
		for _, n := range calls {
			fmt.Fprintf(&reply, "<tool_call>\n{\"name\": \"n_take\", \"arguments\": {\"n\": %d}}\n</tool_call>\n", n)
		}
		expect := []any{}
		for _, numbers := range want {
			expect = append(expect, map[string]any{"name": "n_take", "possible": map[string]any{"n": numbers}})
		}
		line, err := json.Marshal(map[string]any{
			"reply": reply.String(), "expect": expect,
			"tools": []any{map[string]any{
				"name": "n_take", "inputSchema": json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`),
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		for c, err := range eval.ReadCases(strings.NewReader(string(line)), "f") {
			if err != nil {
				t.Fatal(err)
			}
			j, err := c.Judge(t.Context(), eval.Setting{Protocol: hermes.Protocol{}})
			if err != nil {
				t.Fatal(err)
			}
			if outcome := outcomeOf(calls, want); j.Outcome != outcome {
				t.Errorf("calls %v, expected %v: %s, want %s", calls, want, j.Outcome, outcome)
			}
		}
	})
}

// outcomeOf returns the outcome of calls that all ran.
func outcomeOf(calls []int, want []expectedCall) eval.Outcome {
	most := mostMatched(calls, want)
	switch {
	case most == len(want) && most == len(calls):
		return eval.Right
	case most == len(want):
		return eval.Unexpected
	case most == len(calls):
		return eval.Unseen
	}
	return eval.OtherArguments
}

// mostMatched returns the largest number of expectations that different calls can match.
func mostMatched(calls []int, want []expectedCall) int {
	if len(want) == 0 {
		return 0
	}
	most := mostMatched(calls, want[1:])
	for i, n := range calls {
		if slices.Contains(want[0], n) {
			most = max(most, 1+mostMatched(slices.Delete(slices.Clone(calls), i, i+1), want[1:]))
		}
	}
	return most
}
