package hermes_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/scan"
)

// At the level greedy, a missing or surplus closing brace is repaired only if a call can be made in
// one way by adding or removing one brace (J20, J21).
func TestAmbiguousBracketsAreNotRepaired(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	repaired := 0
	for range 4000 {
		object := drawCall(rnd)
		var damaged string
		if rnd.IntN(2) == 0 {
			damaged = strings.TrimSuffix(object, "}")
		} else {
			damaged = object + "}"
		}
		reply, err := parser.ParseToolRequests(hermes.Protocol{}, "<tool_call>"+damaged+"</tool_call>", parser.Options{
			Tolerance: scan.Greedy, Finish: protocol.FinishStop,
		})
		require.NoError(t, err)
		if len(reply.Ready()) == 0 {
			continue
		}
		repaired++
		require.Equal(t, []string{object}, callsNear(damaged), damaged)
	}
	require.Greater(t, repaired, 1000, "too few of the calls are repaired to test anything")
}

// drawCall draws a call, in which objects and lists are nested.
func drawCall(rnd *rand.Rand) string {
	call := `{"name": "a_b", "arguments": ` + drawObject(rnd, []string{"x", "y", "id", "name", "type"}, 3) + `}`
	if rnd.IntN(8) == 0 {
		call = strings.TrimSuffix(call, "}") + `, "id": "7"}`
	}
	return call
}

func drawObject(rnd *rand.Rand, keys []string, depth int) string {
	var members []string
	for _, i := range rnd.Perm(len(keys))[:rnd.IntN(3)] {
		value := `"}, {"`
		if depth > 0 {
			value = []string{
				"1", `"v"`, drawObject(rnd, []string{"k", "l"}, depth-1),
				"[" + drawObject(rnd, []string{"k", "l"}, depth-1) + ", 2]",
			}[rnd.IntN(4)]
		}
		members = append(members, `"`+keys[i]+`": `+value)
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// callsNear returns the calls that result if one closing brace outside of strings is added to text
// or removed from it.
func callsNear(text string) (calls []string) {
	quoted := false
	for i := 0; i <= len(text); i++ {
		if !quoted {
			calls = append(calls, text[:i]+"}"+text[i:])
		}
		if i < len(text) && !quoted && text[i] == '}' {
			calls = append(calls, text[:i]+text[i+1:])
		}
		quoted = quoted != (i < len(text) && text[i] == '"')
	}
	calls = slices.DeleteFunc(calls, func(text string) bool {
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		var call struct {
			Name      string                     `json:"name"`
			Arguments map[string]json.RawMessage `json:"arguments"`
			ID, Type  any
		}
		return !json.Valid([]byte(text)) || d.Decode(&call) != nil || call.Arguments == nil
	})
	slices.Sort(calls)
	return slices.Compact(calls)
}
