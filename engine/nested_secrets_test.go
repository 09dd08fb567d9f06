package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/requesttest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// TestNoSecretOfACallInCodeIsRecordedOrShown has a model write code that calls t_login with a
// secret argument, in each protocol and at several places of a reply. The secret must not appear in
// the journal, the events, the questions or the audit.
func TestNoSecretOfACallInCodeIsRecordedOrShown(t *testing.T) {
	const pin = "walrus tango 77"
	codes := map[string]string{
		"a literal":             `return await t_login({user: "ann", pin: "` + pin + `"})`,
		"a variable":            `const a = "` + pin + `"; return await t_login({user: "ann", pin: a})`,
		"a computed name":       `const n = "t_log" + "in"; return await call(n, {user: "ann", pin: "` + pin + `"})`,
		"a template, a comment": "// " + pin + "\nawait t_login({user: `ann`, pin: `" + pin + "`})",
		"code that is broken":   `await t_login(user: ann, pin: ` + pin,
	}
	for _, p := range []protocol.Protocol{vcp.Protocol{}, hermes.Protocol{}, qwencoder.Protocol{}} {
		for name, code := range codes {
			request := requesttest.Text(t, p, "t_run", "text", code)
			for place, text := range map[string]string{
				"a request":           request,
				"quoted":              "```\n" + request + "\n```",
				"a wrong argument":    strings.Replace(request, "text", "c0de", 1),
				"no end":              request[:len(request)-4],
				"two requests":        request + "\n" + request,
				"an unknown argument": requesttest.Text(t, p, "t_run", "text", code, "pin", pin),
			} {
				t.Run(fmt.Sprintf("%s/%s/%s", p.ID(), name, place), func(t *testing.T) {
					requireNotShown(t, p, pin, text)
				})
			}
		}
	}
}

// requireNotShown checks that a turn with a reply of the model records and shows no pin. The method
// t_run does not run the code: it calls t_login with the pin, and its error contains the code.
func requireNotShown(t *testing.T, p protocol.Protocol, pin, text string) {
	t.Helper()
	var mu sync.Mutex
	var shown strings.Builder
	show := func(v any) {
		data, err := json.Marshal(v)
		require.NoError(t, err)
		mu.Lock()
		defer mu.Unlock()
		shown.Write(data)
	}
	runCode := method(t, "run", func(ctx context.Context, c *tool.Call) (tool.Output, error) {
		_, err := engine.SessionFrom(ctx).CallWithin(ctx, c, "t_login", json.RawMessage(`{"text":"`+pin+`"}`))
		return tool.Output{}, errors.Join(err, fmt.Errorf("failed in line 1: %s", c.Arguments))
	}, tool.Composite())
	login := method(t, "login", nop, tool.SecretParameters("text"))
	j := &memoryJournal{}
	e := newEngine(t, registry(t, runCode, login), scriptOf(text, "Done.", "Done."), func(o *engine.Options) {
		o.Protocols, o.Config.Protocol = []protocol.Protocol{p}, p.ID()
		o.Config.Approve = policy.ApproveAsk
		o.Approver = func(_ context.Context, q executor.Question) (executor.Answer, error) {
			show(q)
			return q.Allow(), nil
		}
		o.Audit = func(_ context.Context, r executor.AuditRecord) error {
			show(r)
			return nil
		}
	})
	for ev, err := range e.OpenSession(engine.SessionOptions{ID: "test", Journal: j}).Run(t.Context(), question) {
		require.NoError(t, err)
		switch ev.Kind {
		case engine.EventToolStarted, engine.EventApprovalNeeded, engine.EventToolDone, engine.EventToolProgress:
			show(ev)
		default:
		}
	}
	for _, entry := range j.entries(t, -1) {
		show(entry)
	}
	for _, piece := range []string{pin, "walrus", "tango"} {
		require.NotContains(t, shown.String(), piece)
	}
}
