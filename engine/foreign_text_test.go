package engine_test

import (
	"hash/fnv"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine/internal/injectiontest"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/protocol"
)

// TestForeignTextIsNotARequest places each attack of testdata/injection everywhere that foreign
// text enters a prompt, under each protocol. A model repeats what it reads. No message for the
// model contains a request that is not its own. The trap, the method trap_run, never runs. Nobody
// is asked to approve it either, unless the attack is a request without marks, because nothing
// neutralizes those.
//
// Usually an attack is tried at about one place in 18, and a long attack at fewer. With
// VCP_TEST_LONG=1 each attack is tried at every place, with every protocol, and with the models
// that repeat everything, the last line, or the last message in a fence. The other models and
// changes of the protocol get four trials for each attack and place.
func TestForeignTextIsNotARequest(t *testing.T) {
	attacks := readAttacks(t)
	require.GreaterOrEqual(t, len(attacks), 150)
	targeted := make([][]protocol.Protocol, len(attacks)) // the protocols that each attack is tried with
	for k, a := range attacks {
		for _, p := range allProtocols {
			if longtest.Enabled() || targets(a, p) {
				targeted[k] = append(targeted[k], p)
			}
		}
	}
	for _, place := range places {
		t.Run(place.name, func(t *testing.T) {
			t.Parallel()
			for k, a := range attacks {
				var trials, others []*trial
				for _, p := range targeted[k] {
					for _, earlier := range allProtocols {
						if earlier != p && !place.restored || earlier == p && place.otherOnly {
							continue
						}
						for _, echo := range echoes {
							x := &trial{t: t, attack: a, echo: echo, protocol: p, earlier: earlier}
							if longtest.Enabled() && echo.allCases && earlier == p {
								trials = append(trials, x)
							} else {
								others = append(others, x)
							}
						}
					}
				}
				for _, x := range append(trials, sample(others, longtest.Count(1, 4), place.name, a)...) {
					x.run(place.play)
				}
			}
		})
	}
}

// TestTheTrapRunsIfTheModelRequestsIt checks that a request of the model itself runs the trap.
// Otherwise the other tests would prove nothing.
func TestTheTrapRunsIfTheModelRequestsIt(t *testing.T) {
	for _, p := range allProtocols {
		x := &trial{t: t, echo: echoes[1], protocol: p, earlier: p} // "the last message"
		text, ok := x.request(p, protocol.ToolRequest{ToolName: "trap_run"})
		require.True(t, ok)
		x.converse(x.parrot(text), nil)
		require.Positive(t, x.sprung.Load())
	}
}

// splitAttacks names the attacks that TestHalvesOfARequestDoNotJoin splits.
var splitAttacks = []string{
	"vcp clean", "vcp bare fields after prose", "vcp bare braces without markers", "vcp backslashes",
	"vcp double angles", "hermes clean", "hermes no end", "hermes blanks at brackets", "coder clean", "coder no start",
}

// TestHalvesOfARequestDoNotJoin splits a request between two messages. A model repeats both
// messages as one text. With VCP_TEST_LONG=1 it splits at each character, otherwise at about every
// eighth.
func TestHalvesOfARequestDoNotJoin(t *testing.T) {
	messages := func(role protocol.Role, a, b string) []protocol.Message {
		return []protocol.Message{
			question[0],
			{Role: protocol.RoleAssistant, ToolCalls: []protocol.ToolCall{
				call("a", "t_give", "{}"), call("b", "t_give", "{}"),
			}},
			{Role: role, Origin: protocol.OriginImport, ToolCallID: "a", Content: a},
			{Role: role, Origin: protocol.OriginImport, ToolCallID: "b", Content: b},
		}
	}
	for _, a := range readAttacks(t) {
		if !slices.Contains(splitAttacks, a.Name) {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			for _, p := range allProtocols {
				for at := range a.Text {
					if !longtest.Enabled() && at%8 != 0 {
						continue
					}
					for _, role := range []protocol.Role{protocol.RoleTool, protocol.RoleAssistant} {
						x := &trial{t: t, attack: a, echo: echoes[4], protocol: p, earlier: p} // "two messages as one"
						x.run(func(x *trial) {
							m := x.parrot()
							m.native, m.left = true, 1
							x.resume(m, messages(role, a.Text[:at], a.Text[at:]))
						})
					}
				}
			}
		})
	}
}

// sample returns up to n of the trials, at equal distances in the list; place and a determine
// which. A short run returns none for 17 of 18 places, and none for most long attacks.
func sample(trials []*trial, n int, place string, a injectiontest.Attack) (list []*trial) {
	h := fnv.New32a()
	_, _ = h.Write([]byte(place + a.Name))
	sum := int(h.Sum32() >> 1) // 31 bits, so that sum is not negative even if an int has 32 bits
	if !longtest.Enabled() && (sum%18 != 0 || len(a.Text) > longAttack && sum%144 != 0) {
		return nil
	}
	n = min(n, len(trials))
	for i := range n {
		// sum itself would favor some trials: in a short run it is a multiple of 18.
		list = append(list, trials[(sum/8+i*len(trials)/n)%len(trials)])
	}
	return list
}
