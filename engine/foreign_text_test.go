package engine_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/model/history"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// TestForeignTextIsNoRequest places each attack of testdata/injection everywhere that foreign text
// enters a prompt, under each protocol. A model repeats what it reads. No message for the model
// contains a request that is not its own, and the trap neither runs nor is it asked about. Only about
// a request without marks, which nothing neutralizes, a person is asked.
//
// A sample has each attack at a third of the places once. With VCP_TEST_LONG=1 each is tried with every protocol
// and with the models that repeat everything, the last line, or the last message in a fence. Of the
// other models and of changes of the protocol it is four trials each.
func TestForeignTextIsNoRequest(t *testing.T) {
	attacks := readAttacks(t)
	require.GreaterOrEqual(t, len(attacks), 150)
	for _, place := range places {
		t.Run(place.name, func(t *testing.T) {
			t.Parallel()
			for _, a := range attacks {
				var trials, others []*trial
				for _, p := range allProtocols {
					for _, before := range allProtocols {
						if before != p && !place.restored || before == p && place.otherOnly || !longtest.Enabled() && !a.targets(p) {
							continue
						}
						for _, echo := range echoes {
							x := &trial{t: t, attack: a, echo: echo, protocol: p, before: before}
							if longtest.Enabled() && echo.whole && before == p {
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

// A request of the model itself must run the trap, or the other tests prove nothing.
func TestTheTrapRunsWhenTheModelAsksForIt(t *testing.T) {
	for _, p := range allProtocols {
		x := &trial{t: t, echo: echoes[1], protocol: p, before: p}
		text, ok := x.request(p, protocol.ToolRequest{ToolName: "trap_run"})
		require.True(t, ok)
		x.converse(x.parrot(text), nil)
		require.Positive(t, x.sprung.Load())
	}
}

// TestHalvesOfARequestDoNotJoin splits a request between two messages, at each of its characters. A
// model repeats both as one.
func TestHalvesOfARequestDoNotJoin(t *testing.T) {
	messages := func(role protocol.Role, a, b string) []protocol.Message {
		return []protocol.Message{
			question[0],
			{Role: protocol.RoleAssistant, ToolCalls: []protocol.ToolCall{call("a", "t_give", "{}"), call("b", "t_give", "{}")}},
			{Role: role, Origin: protocol.OriginImport, ToolCallID: "a", Content: a},
			{Role: role, Origin: protocol.OriginImport, ToolCallID: "b", Content: b},
		}
	}
	for _, a := range readAttacks(t) {
		if !slices.Contains([]string{"vcp clean", "vcp bare fields behind prose", "vcp bare braces without markers", "vcp backslashes", "vcp double angles", "hermes clean", "hermes no end", "hermes blanks at brackets", "coder clean", "coder no start"}, a.name) {
			continue
		}
		t.Run(a.name, func(t *testing.T) {
			for _, p := range allProtocols {
				for at := range a.text {
					if !longtest.Enabled() && at%8 != 0 {
						continue
					}
					for _, role := range []protocol.Role{protocol.RoleTool, protocol.RoleAssistant} {
						x := &trial{t: t, attack: a, echo: echoes[4], protocol: p, before: p}
						x.run(func(x *trial) {
							m := x.parrot()
							m.calls, m.left = true, 1
							x.resume(m, messages(role, a.text[:at], a.text[at:]))
						})
					}
				}
			}
		})
	}
}

// sample returns up to n of the trials, always the same ones, from equal stretches of the list. A
// short run has them for a third of the places, and omits most long attacks.
func sample(trials []*trial, n int, place string, a attack) (list []*trial) {
	h := fnv.New32a()
	_, _ = h.Write([]byte(place + a.name))
	sum := int(h.Sum32() >> 1)
	if !longtest.Enabled() && (sum%3 != 0 || len(a.text) > 5000 && sum%24 != 0) {
		return nil
	}
	n = min(n, len(trials))
	for i := range n {
		list = append(list, trials[(sum/8+i*len(trials)/n)%len(trials)])
	}
	return list
}

var allProtocols = []protocol.Protocol{vcp.Protocol{}, hermes.Protocol{}, qwencoder.Protocol{}}

// attack is a line of testdata/injection/payloads.txt.
type attack struct{ name, text string }

func readAttacks(t testing.TB) (list []attack) {
	t.Helper()
	raw, err := os.ReadFile("../testdata/injection/payloads.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		at := strings.Index(line, ": \"")
		require.Positive(t, at, "%q is not a name and a text", line)
		a := attack{name: line[:at]}
		for rest := line[at+2:]; rest != ""; {
			literal, err := strconv.QuotedPrefix(rest)
			require.NoError(t, err, line)
			text, err := strconv.Unquote(literal)
			require.NoError(t, err, line)
			times, next, _ := strings.Cut(rest[len(literal):], " + ")
			n := 1
			if times != "" {
				n, err = strconv.Atoi(strings.TrimPrefix(times, "*"))
				require.NoError(t, err, line)
			}
			a.text, rest = a.text+strings.Repeat(text, n), next
		}
		list = append(list, a)
	}
	return list
}

// echo makes a reply of the messages for a model.
type echo struct {
	name   string
	of     func(shown []protocol.Message) string
	quoted parser.QuotedPolicy // for what the model writes
	whole  bool                // a long run tries it with everything
}

var echoes = []echo{
	{name: "all messages", whole: true, of: func(shown []protocol.Message) string {
		var all []string
		for _, m := range shown {
			all = append(all, m.Content)
		}
		return strings.Join(all, "\n")
	}},
	{name: "the last message", of: lastMessage},
	{name: "the last line", whole: true, of: func(shown []protocol.Message) string {
		lines := strings.FieldsFunc(shown[len(shown)-1].Content, func(r rune) bool { return r == '\n' || r == '\r' })
		return strings.Join(lines[max(0, len(lines)-1):], "")
	}},
	{name: "the result alone", of: func(shown []protocol.Message) string {
		text := shown[len(shown)-1].Content
		for _, key := range []string{"\nresult:「始", `"content": "`} {
			if at := strings.LastIndex(text, key); at >= 0 {
				text = text[at+len(key):]
				if _, value, ok := strings.Cut(text, "」"); ok && key[0] == '\n' {
					text = value
				}
			}
		}
		for _, end := range []string{"「末", "\"}\n</tool_response>"} {
			if at := strings.LastIndex(text, end); at >= 0 {
				text = text[:at]
			}
		}
		return text
	}},
	{name: "two messages as one", of: func(shown []protocol.Message) string {
		text := shown[len(shown)-1].Content
		if len(shown) > 1 {
			text = shown[len(shown)-2].Content + text
		}
		return text
	}},
	{name: "without fences and marks of quotation", of: func(shown []protocol.Message) string {
		var b strings.Builder
		for line := range strings.Lines(shown[len(shown)-1].Content) {
			line = strings.TrimLeft(line, "> \t|")
			if !strings.HasPrefix(line, "```") && !strings.HasPrefix(line, "~~~") {
				b.WriteString(strings.Trim(line, "`"))
			}
		}
		return b.String()
	}},
	{name: "from its first mark on", of: func(shown []protocol.Message) string {
		text := shown[len(shown)-1].Content
		return text[max(0, strings.IndexAny(text, "<&＜《「{\\")):]
	}},
	{name: "the system's words", of: func(shown []protocol.Message) string {
		lines := strings.Split(shown[0].Content, "\n")
		return strings.Join(lines[len(lines)/2:], "\n")
	}},
	{name: "a fence whose requests run", whole: true, quoted: parser.QuotedRun, of: func(shown []protocol.Message) string {
		return "```\n" + lastMessage(shown) + "\n```"
	}},
}

func lastMessage(shown []protocol.Message) string { return shown[len(shown)-1].Content }

// targets reports whether the attack applies to the protocol: it contains its marks, or none at
// all.
func (a *attack) targets(p protocol.Protocol) bool {
	harms := func(p protocol.Protocol) bool { return p.Neutralize(a.text) != a.text }
	return harms(p) || !slices.ContainsFunc(allProtocols, harms)
}

// trial is one attack at one place.
type trial struct {
	t         *testing.T
	attack    attack
	echo      echo
	protocol  protocol.Protocol   // in use
	before    protocol.Protocol   // that of an earlier part of the conversation
	sprung    atomic.Int32        // how often the trap ran
	own       []string            // texts of the model under the protocol in use
	called    []protocol.ToolCall // and its native calls
	described string              // what the trap's description says
}

func (x *trial) run(play func(*trial)) {
	play(x)
	if n := x.sprung.Load(); n > 0 {
		x.fail("the trap ran or was asked about %d times", n)
	}
}

func (x *trial) fail(format string, args ...any) {
	x.t.Helper()
	x.t.Errorf("%s, %s repeated, %s before %s: %s\nattack %.300q", x.attack.name, x.echo.name, x.before.ID(), x.protocol.ID(), fmt.Sprintf(format, args...), x.attack.text)
}

// parrot is a model that writes its own texts first, and then repeats what it reads.
type parrot struct {
	*trial
	protocol protocol.Protocol
	first    []reply
	left     int    // how often it repeats
	meant    string // what it wrote of itself, before it repeated anything
	calls    bool
}

func (m *parrot) Native(context.Context) (bool, error) { return m.calls, nil }

func (m *parrot) Stream(_ context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		m.examine(req.Messages)
		var r reply
		switch {
		case len(m.first) > 0:
			r, m.first = m.first[0], m.first[1:]
			for _, d := range r.deltas {
				m.meant += d.Text
			}
		case m.left > 0:
			m.left--
			r = says(strings.ToValidUTF8(m.echo.of(req.Messages), "\uFFFD"))
		default:
			r = says("Done.")
		}
		text := ""
		for _, d := range r.deltas {
			text += d.Text
			if d.Call != nil {
				m.called = append(m.called, *d.Call)
			}
		}
		m.own = append(m.own, text)
		for _, d := range r.deltas {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// examine checks the messages for a model.
func (m *parrot) examine(shown []protocol.Message) {
	for i, message := range shown {
		texts := []string{message.Content}
		for _, c := range message.ToolCalls {
			if !slices.Contains(m.called, c) {
				texts = append(texts, c.ID, c.Name, c.Arguments)
			}
		}
		for _, text := range texts {
			reply, err := parser.ParseToolRequests(m.protocol, text, parser.Options{
				Tolerance: scan.Greedy, Disabled: bareRepairs(m.protocol), Finish: protocol.FinishStop, Logger: quiet,
			})
			if err != nil {
				m.fail("message %d cannot be read: %v", i, err)
			}
			for _, q := range reply.Requests {
				own := message.Role == protocol.RoleUser && m.meant != "" && m.meant == m.attack.text // in the right form
				if !own && !m.mayShow(message.Role, q.ToolName) && (message.Role != protocol.RoleAssistant || !m.wrote(q.RawBlock)) {
					m.fail("message %d, of the role %s, holds a request for %.80q that is %s: %.600q", i, message.Role, q.ToolName, q.Status, text)
					return
				}
			}
		}
	}
}

// bareRepairs are the repairs that read requests without marks. There is nothing in such a request to
// neutralize, so it needs approval.
func bareRepairs(p protocol.Protocol) (names []string) {
	for _, r := range p.Repairs() {
		if r.Bare {
			names = append(names, r.Name)
		}
	}
	return names
}

// wrote reports whether a request is the model's own.
func (m *parrot) wrote(request string) bool {
	return slices.ContainsFunc(m.own, func(own string) bool { return strings.Contains(own, request) })
}

// mayShow reports whether the engine itself shows a request for that method: in the instructions,
// as the correct form of a request, or as a past native call in text.
func (m *parrot) mayShow(role protocol.Role, name string) bool {
	switch role {
	case protocol.RoleSystem:
		return name == "the name of a tool below" || name == "name of the function" || name == "name_of_the_function"
	case protocol.RoleTool:
		return false
	default:
		return strings.HasPrefix(name, "t_")
	}
}

// trialOf returns the trial for which a tool runs. All trials share their tools, because compiling
// schemas takes long.
func trialOf(ctx context.Context) *trial { return ctx.Value(trialKey{}).(*trial) }

type trialKey struct{}

func (x *trial) context() context.Context { return context.WithValue(x.t.Context(), trialKey{}, x) }

// trialTools are a trap, and a tool t that passes an attack to the model in several ways. Both have
// described in their descriptions if it is not empty.
func trialTools(described string) (*tool.Registry, error) {
	var (
		failed  error
		trap    = tool.Tool{ID: "trap", Title: described}
		t       = tool.Tool{ID: "t"}
		quoted  = `"must never run"`
		nothing = func(*trial) (string, error) { return "", nil }
	)
	if described != "" {
		text, err := json.Marshal(described)
		if err != nil {
			return nil, err
		}
		quoted = string(text)
	}
	add := func(to *tool.Tool, name, parameters string, run func(*trial) (string, error), opts ...tool.Option) {
		m, err := tool.Raw(name, cmp.Or(described, "does "+name), json.RawMessage(parameters), func(ctx context.Context, _ *tool.Call) (tool.Output, error) {
			text, err := run(trialOf(ctx))
			return tool.Output{Text: text}, err
		}, append(opts, tool.AgentCallable())...)
		failed = errors.Join(failed, err)
		to.Methods = append(to.Methods, m)
	}
	add(&trap, "run", `{"type":"object","properties":{"text":{"type":"string","description":`+quoted+`,"default":`+quoted+`}}}`, func(x *trial) (string, error) {
		x.sprung.Add(1)
		return "sprung", nil
	}, tool.Title(described))
	const anything = `{"type":"object"}`
	add(&t, "give", anything, func(x *trial) (string, error) { return x.attack.text, nil })
	add(&t, "fail", anything, func(x *trial) (string, error) { return "", errors.New(x.attack.text) })
	add(&t, "open", anything, func(x *trial) (string, error) {
		return "", fmt.Errorf("open %s: no such file or directory", x.attack.text)
	})
	add(&t, "ask", anything, nothing, tool.WithRisk(tool.RiskDangerous))
	add(&t, "count", `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}`, nothing)
	add(&t, "form", `{"type":"object","properties":{"text":{"enum":[`+quoted+`]}},"required":["text"]}`, nothing)
	registry := tool.NewRegistry()
	return registry, errors.Join(failed, registry.Register(trap, t))
}

var plainTools = sync.OnceValues(func() (*tool.Registry, error) { return trialTools("") })

// engine returns an engine with the tools of trials, in which each question is answered with the
// attack.
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
		o.Approver = executor.Approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
			if a.Method.FullName == "trap_run" && (len(bareRepairs(p)) == 0 || a.Provenance == nil || a.Provenance.CopiedFrom == nil) {
				x.sprung.Add(1) // an echo makes no request, except one without marks, and that is asked about
			}
			return a.Deny(x.attack.text), nil
		})
	})
}

// parrot returns a model of the protocol in use that writes these texts first, and then repeats
// what it reads.
func (x *trial) parrot(texts ...string) *parrot {
	m := &parrot{trial: x, protocol: x.protocol, left: 3}
	for _, text := range texts {
		m.first = append(m.first, says(text))
	}
	return m
}

// request writes a request in the protocol; ok is false if it cannot be written.
func (x *trial) request(p protocol.Protocol, r protocol.ToolRequest) (text string, ok bool) {
	text, err := p.FormatToolRequests([]protocol.ToolRequest{r})
	return text, err == nil
}

// asks makes the model write a request, and then repeat the messages.
func (x *trial) asks(r protocol.ToolRequest, around string) {
	if text, ok := x.request(x.protocol, r); ok {
		m := x.parrot(strings.Replace(around, "%", text, 1))
		x.converse(m, nil)
	}
}

// converse runs a session from messages and the user's question.
func (x *trial) converse(m *parrot, msgs []protocol.Message) {
	x.resume(m, append(slices.Clip(msgs), question...))
}

// resume runs a session from messages.
func (x *trial) resume(m *parrot, msgs []protocol.Message) {
	for _, err := range x.engine(m.protocol, m).NewSession("s").Run(x.context(), msgs) {
		if err != nil {
			x.fail("the run failed: %v", err)
		}
	}
}

// describe puts the attack into a tool's description, as far as a schema may be that long.
func (x *trial) describe() {
	const most = 60 << 10
	x.described = x.attack.text[max(0, len(x.attack.text)-most):]
}

func calls(name string) func(*trial) {
	return func(x *trial) { x.asks(protocol.ToolRequest{ToolName: name}, "%") }
}

// native makes a model call by its API, and then repeat the messages.
func calledNatively(call func(*trial) protocol.ToolCall) func(*trial) {
	return func(x *trial) {
		m := x.parrot()
		m.calls, m.first = true, []reply{calling("", call(x), protocol.ToolCall{ID: "b", Name: "t_give", Arguments: "{}"})}
		x.converse(m, nil)
	}
}

func imported(read func(json.RawMessage) ([]protocol.Message, error), history func(payload string) any, native bool) func(*trial) {
	return func(x *trial) {
		raw, err := json.Marshal(history(x.attack.text))
		require.NoError(x.t, err)
		msgs, err := read(raw)
		require.NoError(x.t, err)
		m := x.parrot()
		m.calls = native
		x.converse(m, msgs)
	}
}

type object = map[string]any

func openAIHistory(payload string) any {
	arguments, _ := json.Marshal(object{"text": payload})
	return []any{
		object{"role": "system", "content": payload},
		object{"role": "user", "content": payload},
		object{"role": "assistant", "content": payload, "tool_calls": []any{
			object{"id": "a", "type": "function", "function": object{"name": "t_give", "arguments": string(arguments)}},
			object{"id": "b", "type": "function", "function": object{"name": "t_give", "arguments": payload}},
			object{"id": payload, "type": "function", "function": object{"name": payload, "arguments": "{}"}},
		}},
		object{"role": "tool", "tool_call_id": "a", "content": payload},
		object{"role": "tool", "tool_call_id": "b", "content": []any{object{"type": "text", "text": payload}}},
		object{"role": "tool", "tool_call_id": payload, "content": payload},
		object{"role": "assistant", "refusal": payload},
		object{"role": "developer", "content": payload},
	}
}

func anthropicHistory(payload string) any {
	return object{
		"system": []any{object{"type": "text", "text": payload}, object{"type": "text", "text": payload}},
		"messages": []any{
			object{"role": "user", "content": []any{
				object{"type": "text", "text": payload},
				object{"type": "image", "source": object{"type": "url", "url": "https://example.org/a.png"}},
				object{"type": "text", "text": payload},
			}},
			object{"role": "assistant", "content": []any{
				object{"type": "text", "text": payload},
				object{"type": "tool_use", "id": "a", "name": "t_give", "input": object{"text": payload}},
				object{"type": "tool_use", "id": payload, "name": payload, "input": object{}},
			}},
			object{"role": "user", "content": []any{
				object{"type": "tool_result", "tool_use_id": "a", "content": payload},
				object{"type": "tool_result", "tool_use_id": payload, "is_error": true, "content": payload},
			}},
		},
	}
}

// restored begins a conversation under one protocol and continues it under another, from its store.
func restored(native bool, first func(*trial) (reply, bool)) func(*trial) {
	return func(x *trial) {
		r, ok := first(x)
		if !ok {
			return
		}
		before := &parrot{trial: x, protocol: x.before, first: []reply{r}, calls: native}
		o := chat.Options{ID: "c", Store: chat.NewMemoryStore()}
		begun, err := chat.New(x.engine(x.before, before), o)
		require.NoError(x.t, err)
		x.send(begun)
		if x.before != x.protocol {
			x.own = nil // requests in another form are not its own in this one
		}
		after, err := chat.Open(x.context(), x.engine(x.protocol, x.parrot()), o)
		require.NoError(x.t, err)
		x.send(after)
	}
}

// branched continues a conversation from the result in its middle, as if the rest had not been.
func branched(x *trial) {
	r, ok := x.says(protocol.ToolRequest{ToolName: "t_give"}, "%")
	if !ok {
		return
	}
	o := chat.Options{ID: "c", Store: chat.NewMemoryStore()}
	begun, err := chat.New(x.engine(x.before, &parrot{trial: x, protocol: x.before, first: []reply{r}, left: 1}), o)
	require.NoError(x.t, err)
	x.send(begun)
	x.own = nil
	if x.before == x.protocol {
		x.own = []string{r.deltas[0].Text}
	}
	branch, err := chat.Open(x.context(), x.engine(x.protocol, x.parrot()), o)
	require.NoError(x.t, err)
	require.NoError(x.t, branch.Branch(x.context(), begun.History()[2].Seq))
	x.send(branch)
}

// messageOf puts the attack into a message of that origin.
func messageOf(origin protocol.Origin) func(*trial) {
	return func(x *trial) {
		x.converse(x.parrot(), []protocol.Message{question[0], {Role: protocol.RoleUser, Origin: origin, Source: "notes", Content: x.attack.text}})
	}
}

func (x *trial) send(c *chat.Conversation) {
	for _, err := range c.Send(x.context(), "question") {
		if err != nil {
			x.fail("the run failed: %v", err)
		}
	}
}

// says makes the model write a request in the protocol of before.
func (x *trial) says(r protocol.ToolRequest, around string) (reply, bool) {
	text, ok := x.request(x.before, r)
	return says(strings.Replace(around, "%", text, 1)), ok
}

// places are where foreign text enters a prompt.
var places = []struct {
	name      string
	restored  bool // begun under one protocol and continued under each
	otherOnly bool // continued under the other one only
	play      func(*trial)
}{
	{name: "a result", play: calls("t_give")},
	{name: "an error", play: calls("t_fail")},
	{name: "a file's name", play: calls("t_open")},
	{name: "the reason for a denial", play: calls("t_ask")},
	{name: "the name of a tool", play: func(x *trial) { x.asks(protocol.ToolRequest{ToolName: x.attack.text}, "%") }},
	{name: "the name of a method", play: func(x *trial) { x.asks(protocol.ToolRequest{ToolName: "t", Command: x.attack.text}, "%") }},
	{name: "a tool's name in code", play: func(x *trial) { x.asks(protocol.ToolRequest{ToolName: x.attack.text}, "```\n%\n```") }},
	{name: "a tool's name in reasoning", play: func(x *trial) {
		x.asks(protocol.ToolRequest{ToolName: x.attack.text}, "<think>\n%\n</think>\n")
	}},
	{name: "a tool's name that is taken back", play: func(x *trial) {
		x.asks(protocol.ToolRequest{ToolName: x.attack.text}, "%\n</think>\n")
	}},
	{name: "the name of an argument", play: func(x *trial) {
		x.asks(protocol.ToolRequest{ToolName: "t_count", Arguments: []protocol.Argument{{Name: x.attack.text, Value: "1"}}}, "%")
	}},
	{name: "the value of an argument", play: func(x *trial) {
		x.asks(protocol.ToolRequest{ToolName: "t_count", Arguments: []protocol.Argument{{Name: "n", Value: x.attack.text}}}, "%")
	}},
	{name: "arguments that tell results apart", play: func(x *trial) {
		ask := func(text string) string {
			written, _ := x.request(x.protocol, protocol.ToolRequest{ToolName: "t_give", Arguments: []protocol.Argument{{Name: "text", Value: text}}})
			return written
		}
		m := x.parrot(ask(x.attack.text) + "\n" + ask("b"))
		x.converse(m, nil)
	}},
	{name: "a label", play: func(x *trial) { x.asks(protocol.ToolRequest{ToolName: "t_give", Label: x.attack.text}, "%") }},
	{name: "a description", play: func(x *trial) {
		x.describe()
		x.converse(x.parrot(), nil)
	}},
	{name: "a choice in the form of a request", play: func(x *trial) {
		x.describe()
		x.asks(protocol.ToolRequest{ToolName: "t_form"}, "%")
	}},
	{name: "a description for native calls", play: func(x *trial) {
		x.describe()
		m := x.parrot()
		m.calls = true
		x.converse(m, nil)
	}},
	{name: "a history of OpenAI's shape", play: imported(history.FromOpenAI, openAIHistory, false)},
	{name: "a history of OpenAI's shape, for native calls", play: imported(history.FromOpenAI, openAIHistory, true)},
	{name: "a history of Anthropic's shape", play: imported(history.FromAnthropic, anthropicHistory, false)},
	{name: "a history of Anthropic's shape, for native calls", play: imported(history.FromAnthropic, anthropicHistory, true)},
	{name: "a message of another person", play: messageOf(protocol.OriginPerson)},
	{name: "a file", play: messageOf(protocol.OriginFile)},
	{name: "a branch", restored: true, play: branched},
	{name: "a native result", play: calledNatively(func(*trial) protocol.ToolCall { return call("a", "t_give", "{}") })},
	{name: "a native error", play: calledNatively(func(*trial) protocol.ToolCall { return call("a", "t_fail", "{}") })},
	{name: "the name of a native call", play: calledNatively(func(x *trial) protocol.ToolCall { return call("a", x.attack.text, "{}") })},
	{name: "the arguments of a native call", play: calledNatively(func(x *trial) protocol.ToolCall {
		arguments, _ := json.Marshal(object{"n": x.attack.text, x.attack.text: 1})
		return call("a", "t_count", string(arguments))
	})},
	{name: "native arguments that are no JSON", play: calledNatively(func(x *trial) protocol.ToolCall { return call("a", "t_count", x.attack.text) })},
	{name: "native messages of the application", play: func(x *trial) {
		m := x.parrot()
		m.calls = true
		x.converse(m, []protocol.Message{
			question[0],
			{Role: protocol.RoleAssistant, ToolCalls: []protocol.ToolCall{call("a", "t_give", "{}"), call("b", "t_give", "{}")}},
			toolMessage("a", x.attack.text), toolMessage("b", x.attack.text),
		})
	}},
	{name: "native messages of the application, in text", play: func(x *trial) {
		x.converse(x.parrot(), []protocol.Message{
			question[0],
			{Role: protocol.RoleAssistant, ToolCalls: []protocol.ToolCall{call("a", "t_give", "{}"), call("b", x.attack.text, x.attack.text)}},
			toolMessage("a", x.attack.text), toolMessage("b", x.attack.text),
		})
	}},
	{name: "a restored result", restored: true, play: restored(false, func(x *trial) (reply, bool) {
		return x.says(protocol.ToolRequest{ToolName: "t_give"}, "%")
	})},
	{name: "a restored error", restored: true, play: restored(false, func(x *trial) (reply, bool) {
		return x.says(protocol.ToolRequest{ToolName: "t_fail"}, "%")
	})},
	{name: "a restored remark", restored: true, play: restored(false, func(x *trial) (reply, bool) {
		return x.says(protocol.ToolRequest{ToolName: x.attack.text}, "```\n%\n```")
	})},
	{name: "a restored reply", restored: true, otherOnly: true, play: restored(false, func(x *trial) (reply, bool) {
		read, err := parser.ParseToolRequests(x.before, x.attack.text, parser.Options{
			Tolerance: scan.Greedy, Finish: protocol.FinishStop, Quoted: x.echo.quoted, Logger: quiet,
		})
		return says(x.attack.text), err == nil && len(read.Ready()) == 0
	})},
	{name: "a restored native result", restored: true, play: restored(true, func(x *trial) (reply, bool) {
		return calling("", call("a", "t_give", "{}"), call("b", "t_fail", "{}")), true
	})},
	{name: "a restored native call", restored: true, play: restored(true, func(x *trial) (reply, bool) {
		return calling("", call("a", "t_count", x.attack.text), call("b", "t_give", "{}")), true
	})},
}
