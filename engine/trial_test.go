package engine_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/engine/internal/injectiontest"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/tool"
)

// trial is one attack at one place of a conversation.
type trial struct {
	t         *testing.T
	attack    injectiontest.Attack
	echo      echo
	protocol  protocol.Protocol   // in use at the end of the conversation
	earlier   protocol.Protocol   // in use at the beginning of the conversation, often the same
	sprung    atomic.Int32        // how often the trap ran, or an approver was asked about it
	own       []string            // texts that the model wrote while protocol was in use
	called    []protocol.ToolCall // native calls that the model made
	described string              // the description of all tools; "" means ordinary ones
}

// run plays a conversation, and fails the test if the trap ran or was asked about.
func (x *trial) run(play func(*trial)) {
	play(x)
	if n := x.sprung.Load(); n > 0 {
		x.fail("the trap ran or was asked about %d times", n)
	}
}

func (x *trial) fail(format string, args ...any) {
	x.t.Helper()
	x.t.Errorf("%s, %s repeated, %s before %s: %s\nattack %.300q",
		x.attack.Name, x.echo.name, x.earlier.ID(), x.protocol.ID(), fmt.Sprintf(format, args...), x.attack.Text)
}

// trialOf returns the trial for which a tool runs. All trials share their tools, because compiling
// schemas takes long.
func trialOf(ctx context.Context) *trial { return ctx.Value(trialKey{}).(*trial) }

type trialKey struct{}

func (x *trial) context() context.Context { return context.WithValue(x.t.Context(), trialKey{}, x) }

// trialTools returns a registry with a trap, which must not run, and a tool t that passes an attack
// to the model in several ways. If described is not empty, it is the description of all methods.
func trialTools(described string) (*tool.Registry, error) {
	var (
		failed  error
		trap    = tool.Tool{ID: "trap", Title: described}
		t       = tool.Tool{ID: "t"}
		inJSON  = `"must never run"` // described in JSON, or a harmless text
		nothing = func(*trial) (string, error) { return "", nil }
	)
	if described != "" {
		text, err := json.Marshal(described)
		if err != nil {
			return nil, err
		}
		inJSON = string(text)
	}
	add := func(to *tool.Tool, name, parameters string, run func(*trial) (string, error), opts ...tool.Option) {
		m, err := tool.Raw(name, cmp.Or(described, "does "+name), json.RawMessage(parameters),
			func(ctx context.Context, _ *tool.Call) (tool.Output, error) {
				text, err := run(trialOf(ctx))
				return tool.Output{Text: text}, err
			}, append(opts, tool.AgentCallable())...)
		failed = errors.Join(failed, err)
		to.Methods = append(to.Methods, m)
	}
	add(&trap, "run",
		`{"type":"object","properties":{"text":{"type":"string","description":`+inJSON+`,"default":`+inJSON+`}}}`,
		func(x *trial) (string, error) {
			x.sprung.Add(1)
			return "sprung", nil
		}, tool.Title(described))
	const anything = `{"type":"object"}`
	add(&t, "give", anything, func(x *trial) (string, error) { return x.attack.Text, nil })
	add(&t, "fail", anything, func(x *trial) (string, error) { return "", errors.New(x.attack.Text) })
	add(&t, "open", anything, func(x *trial) (string, error) {
		return "", fmt.Errorf("open %s: no such file or directory", x.attack.Text)
	})
	add(&t, "ask", anything, nothing, tool.WithRisk(tool.RiskDangerous))
	add(&t, "count",
		`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}`, nothing)
	add(&t, "form", `{"type":"object","properties":{"text":{"enum":[`+inJSON+`]}},"required":["text"]}`, nothing)
	registry := tool.NewRegistry()
	return registry, errors.Join(failed, registry.Register(trap, t))
}

var plainTools = sync.OnceValues(func() (*tool.Registry, error) { return trialTools("") })

// engine returns an engine with the tools of trials. Its approver denies each call, with the attack
// as the reason.
func (x *trial) engine(p protocol.Protocol, m engine.Model) *engine.Engine {
	tools := plainTools
	if x.described != "" {
		tools = func() (*tool.Registry, error) { return trialTools(x.described) }
	}
	registry, err := tools()
	require.NoError(x.t, err)
	return newEngine(x.t, registry, m, config(func(c *engine.Config) {
		c.Approve, c.ResultTokens, c.MaxIterations = policy.ApproveWrite, 0, 5
	}), func(o *engine.Options) {
		o.Protocols = []protocol.Protocol{p}
		o.Profile = &engine.Profile{Reading: parser.Options{Tolerance: scan.Greedy, Quoted: x.echo.quoted}}
		o.Approver = func(_ context.Context, q executor.Question) (executor.Answer, error) {
			// Only a request without marks, which nothing neutralizes, may need approval.
			withoutMarks := len(bareRepairs(p)) > 0 && q.Provenance != nil && q.Provenance.CopiedFrom != nil
			if q.Method.FullName == "trap_run" && !withoutMarks {
				x.sprung.Add(1)
			}
			return q.Deny(x.attack.Text), nil
		}
	})
}

// request writes a request in the protocol; ok reports whether the protocol can write it.
func (x *trial) request(p protocol.Protocol, r protocol.ToolRequest) (text string, ok bool) {
	text, err := p.FormatToolRequests([]protocol.ToolRequest{r})
	return text, err == nil
}

func (x *trial) send(c *chat.Conversation) {
	for _, err := range c.Send(x.context(), "question") {
		if err != nil {
			x.fail("the run failed: %v", err)
		}
	}
}

// says returns a reply: the text around, with a request of the protocol x.earlier in place of its
// %. It returns false if that protocol cannot write the request.
func (x *trial) says(r protocol.ToolRequest, around string) (reply, bool) {
	text, ok := x.request(x.earlier, r)
	return says(strings.Replace(around, "%", text, 1)), ok
}

// bareRepairs returns the repairs that read requests without marks. Such a request contains nothing
// to neutralize, and needs approval instead.
func bareRepairs(p protocol.Protocol) (names []string) {
	for _, r := range p.Repairs() {
		if r.Bare {
			names = append(names, r.Name)
		}
	}
	return names
}
