package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// eventNames maps the name of each kind of event to the names of its members, without kind, time
// and iterationNumber. Programs in other languages depend on these names.
var eventNames = map[string]string{
	"text":            "text",
	"reasoning":       "text",
	"request_started": "requestId name",
	"argument_delta":  "requestId name text",
	"argument_voided": "requestId name",
	"request_done":    "requestId request",
	"reclassified":    "",
	"dropped":         "text reason",
	"notice":          "notice",
	"protocol_error":  "error",
	"approval_needed": "requestId name risk arguments approval",
	"tool_started":    "requestId name risk arguments",
	"tool_dispatched": "requestId name risk arguments",
	"tool_progress":   "requestId text",
	"tool_done":       "requestId name result",
	"iteration_done":  "iteration",
	"run_done":        "stop limit error",
}

// innerNames maps the name of each member that is an object to the names of that object's members.
var innerNames = map[string]string{
	"request":  "toolName command label arguments status repairs error",
	"notice":   "code message",
	"approval": "requestId digest toolName method risk arguments grantsMethod problem unreadable",
	"result": "requestId resultId label callId toolName method arguments digest edited decision decidedBy why " +
		"status errorType suggestion result problems repaired details files rawBytes tokens excerpted summarized " +
		"retries cached started durationMs",
	"iteration": "number started durationMs text reasoning finish dropped notices repairs usage continued " +
		"requests results dispatched",
}

// TestUnracedTheJSONOfEventsIsStable checks the events of all scenarios: each kind occurs, and has
// the names that are promised and documented.
func TestUnracedTheJSONOfEventsIsStable(t *testing.T) {
	longtest.SkipIfRaced(t) // because of the prefix TestUnraced, "make test" runs this test without the race detector
	docs, err := os.ReadFile("../docs/loop.md")
	require.NoError(t, err)
	found := map[string]map[string]bool{}
	note := func(ev engine.Event) {
		text, err := json.Marshal(ev)
		require.NoError(t, err)
		var members map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(text, &members))
		var kind engine.EventKind
		require.NoError(t, json.Unmarshal(members["kind"], &kind))
		require.Equal(t, ev.Kind, kind)
		require.Equal(t, `"`+ev.Kind.String()+`"`, string(members["kind"]))
		if found[kind.String()] == nil {
			found[kind.String()] = map[string]bool{}
		}
		for name, value := range members {
			found[kind.String()][name] = true
			var inner map[string]json.RawMessage
			if promised, ok := innerNames[name]; ok {
				require.NoError(t, json.Unmarshal(value, &inner))
				require.Subset(t, strings.Fields(promised), slices.Collect(maps.Keys(inner)), "members of %s", name)
			}
		}
	}
	for _, ev := range scenarioEvents(t) {
		note(ev)
	}
	s := session(t, registry(t), &script{replies: []reply{says(block(t, "t_echo"))}}, withProtocol(panicky{}))
	for ev, err := range s.Run(t.Context(), question) {
		require.NoError(t, err)
		note(ev)
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(eventNames)), slices.Collect(maps.Keys(found)))
	require.Len(t, documentedFields(t), len(eventNames), "each kind of the Go API has a name")
	for kind, names := range found {
		promised := append(strings.Fields(eventNames[kind]), "kind", "time", "iterationNumber")
		require.ElementsMatch(t, promised, slices.Collect(maps.Keys(names)), "members of %s", kind)
	}
	for _, list := range []map[string]string{eventNames, innerNames} {
		for name, members := range list {
			for _, word := range append(strings.Fields(members), name) {
				require.Regexp(t, "`"+regexp.QuoteMeta(word)+"`", string(docs), "docs/loop.md names %s", word)
			}
		}
	}
}

func TestEventKindsAreReadAsTheyAreWritten(t *testing.T) {
	for k := engine.EventText; k <= engine.EventRunDone; k++ {
		text, err := k.MarshalText()
		require.NoError(t, err)
		require.Equal(t, k.String(), string(text))
		var back engine.EventKind
		require.NoError(t, back.UnmarshalText(text))
		require.Equal(t, k, back)
	}
	require.Equal(t, "EventKind(0)", engine.EventKind(0).String())
	for _, k := range []engine.EventKind{0, engine.EventRunDone + 1, 255} {
		_, err := k.MarshalText()
		require.Error(t, err)
		require.Error(t, new(engine.EventKind).UnmarshalText([]byte(k.String())))
	}
}

// TestTheJSONOfEventsMasksSecretArguments checks the events of a call that show its arguments.
func TestTheJSONOfEventsMasksSecretArguments(t *testing.T) {
	login := method(t, "login", func(_ context.Context, c *tool.Call) (tool.Output, error) {
		c.Progress("at work")
		return tool.Output{Text: "in", Details: func() {}, Files: []tool.File{{Name: "a"}}}, nil
	}, tool.SecretParameters("text"), tool.WithRisk(tool.RiskDangerous))
	model := &script{replies: []reply{says(block(t, "t_login", "text", "hush-hush")), says("Done.")}}
	s := session(t, registry(t, login), model, func(o *engine.Options) { o.Approver = allowing })
	kinds := map[engine.EventKind]bool{}
	for ev, err := range s.Run(t.Context(), question) {
		require.NoError(t, err)
		text, err := json.Marshal(ev)
		require.NoError(t, err)
		switch ev.Kind {
		case engine.EventApprovalNeeded, engine.EventToolStarted, engine.EventToolDone:
			kinds[ev.Kind] = true
			require.NotContains(t, string(text), "hush")
			require.Contains(t, string(text), `"text":"[secret]"`)
		}
	}
	require.Len(t, kinds, 3)
}

func allowing(_ context.Context, q executor.Question) (executor.Answer, error) { return q.Allow(), nil }

func TestTheJSONOfACycleIsStable(t *testing.T) {
	s := session(t, registry(t), nil)
	cycle, err := s.ProcessCycle(t.Context(), "See. "+block(t, "t_echo", "text", "hi"), protocol.FinishStop)
	require.NoError(t, err)
	text, err := json.Marshal(cycle)
	require.NoError(t, err)
	for _, part := range []string{
		`"text":"See. "`, `"requests":[{"requestId":"1.1-`, `"results":[{"requestId":"1.1-`,
		`"resultMessage":{"role":"user"`, `"status":"success"`,
	} {
		require.Contains(t, string(text), part)
	}
	require.NotRegexp(t, `"[A-Z]\w*":`, string(text), "no name of a Go field")
}

func TestTheErrorOfARunIsInItsLastEvent(t *testing.T) {
	s := session(t, registry(t), &script{replies: []reply{{err: errors.New("no line")}}})
	for ev, err := range s.Run(t.Context(), question) {
		require.Equal(t, err, ev.Err)
		text, err := json.Marshal(ev)
		require.NoError(t, err)
		if ev.Kind == engine.EventRunDone {
			require.Contains(t, string(text), `"stop":"model_error","error":"no line"`)
		}
	}
}
