package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/tool"
)

// TestScenarios plays the files of testdata/scenarios: a run of the engine against a server over
// HTTP. A file begins with what it shows; its sections are
//
//	-- config --       the configuration, if it is not the default; "approver: answers" has each question answered by the next word
//	                   (allow, deny, late), and "calls: native" lets the model call by its API
//	-- asks --         what the conversation begins with, if it is not one question: messages, each under a line "[role]", or results under "[results]"
//	-- server HOW --   one reply of the server: its text, or what HOW makes of it, as serverReply says
//	-- want --         what the scenario is about: beginnings of lines of events that must come in this order, the last of them the
//	                   last line, and "requests n", the number of requests to the server
//	-- events --       what the run reports, a line an event, without times; adjacent pieces of one kind are joined
//	-- sent --         what the server was sent with each request: what is new in its messages, after "= n", the number of those
//	                   that are as they were in the request before; a message that has changed is new
//
// The last three are what is expected. -update writes events and sent anew where they are, and
// never what is wanted.
func TestScenarios(t *testing.T) {
	paths, err := filepath.Glob("testdata/scenarios/*.txtar")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(paths), 60)
	stops, count := map[string]bool{}, 0
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			require.NotEmpty(t, strings.TrimSpace(string(archive.Comment)), "a scenario says what it shows")
			s := readScenario(t, archive)
			events, sent := s.play(t)
			s.check(t, events, sent)
			if *update {
				s.update(t, path, map[string]string{"events": events, "sent": sent})
				return
			}
			if diff := cmp.Diff(s.section("events"), events); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(s.section("sent"), sent); diff != "" {
				t.Errorf("sent (-want +got):\n%s", diff)
			}
			_, stop, _ := strings.Cut(events, "\nrun_done ")
			stops[strings.Fields(stop)[0]] = true
			count++
		})
	}
	if len(stops) > 0 && count == len(paths) {
		require.Subset(t, slices.Collect(maps.Keys(stops)), []string{
			"done", "max_iterations", "canceled", "no_progress", "model_error", "incomplete", "manual",
		})
	}
}

// played has the events of all scenarios, which several tests examine.
var played struct {
	sync.Once
	events []engine.Event
}

func scenarioEvents(t *testing.T) []engine.Event {
	t.Helper()
	played.Do(func() {
		paths, err := filepath.Glob("testdata/scenarios/*.txtar")
		require.NoError(t, err)
		for _, path := range paths {
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			s := readScenario(t, archive)
			s.each = func(ev engine.Event) { played.events = append(played.events, ev) }
			s.play(t)
		}
	})
	return played.events
}

type scenario struct {
	archive *txtar.Archive
	config  engine.Config
	answers []string // of the approver, or nil if there is none
	calls   model.Calls
	asks    []protocol.Message
	replies []modelserver.Reply
	stopAt  string // the beginning of the event at which the listener cancels the run
	each    func(engine.Event)
}

func readScenario(t *testing.T, archive *txtar.Archive) *scenario {
	s := &scenario{archive: archive, config: engine.DefaultConfig(), asks: question}
	for _, f := range archive.Files {
		text := strings.TrimSuffix(string(f.Data), "\n")
		kind, how, _ := strings.Cut(f.Name, " ")
		switch kind {
		case "config":
			s.readConfig(t, text)
		case "asks":
			s.asks = nil
			for _, part := range strings.Split("\n"+text, "\n[")[1:] {
				role, content, _ := strings.Cut(part, "]\n")
				m := protocol.Message{Role: protocol.Role(role), Content: content}
				if role == "results" {
					m = protocol.Message{Role: protocol.RoleUser, Results: results(t, m)}
				}
				s.asks = append(s.asks, m)
			}
		case "server":
			s.replies = append(s.replies, serverReply(t, how, text))
		case "want", "events", "sent":
		default:
			t.Fatalf("there is no section %q", f.Name)
		}
	}
	return s
}

// readConfig reads what is the engine's own, and what is the scenario's.
func (s *scenario) readConfig(t *testing.T, text string) {
	var own []string
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "approver":
			s.answers = strings.Fields(value)
		case "calls":
			s.calls = model.Calls(value)
		case "stopAt":
			s.stopAt = value
		default:
			own = append(own, line)
		}
	}
	var err error
	s.config, err = engine.ReadConfig(strings.NewReader(strings.Join(own, "")))
	require.NoError(t, err)
}

// serverReply makes a reply. HOW is any of these words, separated by blanks:
//
//	stop, length, none   the finish reason; none is a reply without one
//	whole                the text in one piece rather than in pieces of 5 characters
//	usage=P,C            the reported usage: prompt and completion tokens
//	reasoning=TEXT       reasoning in its own field, before the text; "_" stands for a blank
//	calls                native calls, a line each: id, name and arguments, separated by blanks
//	stall                nothing more comes, and the connection stays open
//	cut=N                the connection breaks off after the first N bytes of the text
//	nodone               no "[DONE]" at the end
//	status=N             an error of the API, with the text as its message
//	html, event          a body as it is: a page, or a stream of events
//	hangup               no response at all
func serverReply(t *testing.T, how, text string) modelserver.Reply {
	r := modelserver.Text(text)
	for word := range strings.FieldsSeq(how) {
		word, value, _ := strings.Cut(word, "=")
		number := func() int {
			n, err := strconv.Atoi(value)
			require.NoError(t, err)
			return n
		}
		switch word {
		case "stop", "length":
			r.Finish = word
		case "none":
			r.Finish = ""
		case "whole":
			r.Pieces = []string{text}
		case "usage":
			r.Usage = &modelserver.Usage{}
			_, err := fmt.Sscanf(value, "%d,%d", &r.Usage.PromptTokens, &r.Usage.CompletionTokens)
			require.NoError(t, err)
		case "reasoning":
			r.Reasoning = []string{strings.ReplaceAll(value, "_", " ")}
		case "calls":
			r = modelserver.Reply{Finish: "tool_calls"}
			for line := range strings.Lines(text) {
				parts := strings.SplitN(strings.TrimSpace(line), " ", 3)
				r.ToolCalls = append(r.ToolCalls, modelserver.ToolCall{ID: parts[0], Name: parts[1], Arguments: parts[2]})
			}
		case "stall":
			r.Finish, r.NoDone, r.Stall = "", true, true
		case "cut":
			at := number()
			r = modelserver.Pieces(text[:at], text[at:])
			whole := modelserver.Reply{Pieces: r.Pieces[:1], NoDone: true}
			r = r.Cut(len(whole.Body(true)) + len("data: {"))
		case "nodone":
			r.NoDone = true
		case "status":
			r = modelserver.Failure(number(), text)
		case "html":
			r = modelserver.Raw("text/html", text)
		case "event":
			r = modelserver.Raw("text/event-stream", text+"\n\n")
		case "hangup":
			r = modelserver.Reply{HangUp: true}
		default:
			t.Fatalf("a reply cannot be %q", word)
		}
	}
	return r
}

func (s *scenario) section(name string) string {
	for _, f := range s.archive.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return "there is no section " + name + "\n"
}

// check compares the outcome of a scenario with what is wanted.
func (s *scenario) check(t *testing.T, events, sent string) {
	lines := strings.Split(strings.TrimSpace(events), "\n")
	for want := range strings.Lines(s.section("want")) {
		want = strings.TrimSuffix(want, "\n")
		if number, ok := strings.CutPrefix(want, "requests "); ok {
			require.Equal(t, number, strconv.Itoa(strings.Count(sent, "== request ")), "requests in\n%s", sent)
			continue
		}
		at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, want) })
		require.GreaterOrEqual(t, at, 0, "%q is wanted next; events:\n%s", want, events)
		lines = lines[at+1:]
	}
	require.Empty(t, lines, "the last line is wanted; events:\n%s", events)
}

func (s *scenario) update(t *testing.T, path string, sections map[string]string) {
	for i := range s.archive.Files {
		if text, ok := sections[s.archive.Files[i].Name]; ok {
			s.archive.Files[i].Data = []byte(text)
			delete(sections, s.archive.Files[i].Name)
		}
	}
	require.Empty(t, sections, "sections that a scenario lacks")
	require.NoError(t, os.WriteFile(path, txtar.Format(s.archive), 0o644))
}

// play runs the scenario and returns what was told and what was sent. It runs in a synctest bubble:
// a time limit is reached only when nothing else can happen, however slow the machine is.
func (s *scenario) play(t *testing.T) (events, sent string) {
	synctest.Test(t, func(t *testing.T) { events, sent = s.playIn(t) })
	return events, sent
}

func (s *scenario) playIn(t *testing.T) (events, sent string) {
	server, httpClient := modelserver.Pipe(t, s.replies...)
	client, err := model.New(model.Options{
		BaseURL: server.URL, Model: "scripted", Calls: s.calls, Retries: -1, HTTPClient: httpClient, Logger: quiet,
	})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	session := session(t, scenarioTools(t), client, func(o *engine.Options) {
		o.Protocols = append(o.Protocols, hermes.Protocol{})
		o.Config = s.config
		if s.answers != nil {
			o.Approver = (&answers{list: s.answers}).next
			o.ApprovalTimeout = time.Minute
		}
	})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	o := outcome{line: scenarioLine}
	var b strings.Builder
	for ev, err := range session.Run(ctx, s.asks) {
		if ev.Kind == engine.EventToolDispatched {
			require.NoError(t, session.Complete(ev.RequestID, tool.Output{Text: "answered by the application"}, nil))
		}
		if s.each != nil {
			s.each(ev)
		}
		o.take(ev)
		if o.err = err; s.stopAt != "" && strings.HasPrefix(traceLine(ev), s.stopAt) {
			stop()
		}
	}
	require.Zero(t, server.Left(), "replies that were not asked for")
	for _, line := range o.trace {
		line = strings.ReplaceAll(line, "\n", `\n`)
		if r := []rune(line); len(r) > 200 {
			line = string(r[:200]) + "…"
		}
		fmt.Fprintln(&b, line)
	}
	if o.err != nil {
		fmt.Fprintln(&b, "error", strings.ReplaceAll(o.err.Error(), server.URL, "URL"))
	}
	return b.String(), sentText(server.Requests(), session.Prompt())
}

// scenarioLine shows more of an event than traceLine does.
func scenarioLine(ev engine.Event) string {
	line := traceLine(ev)
	switch ev.Kind {
	case engine.EventDropped:
		line += fmt.Sprintf(" %s |%s", ev.Reason, ev.Text)
	case engine.EventNotice:
		line += fmt.Sprintf(" %s", ev.Notice.Code)
	case engine.EventArgumentVoided:
		line += fmt.Sprintf(" %s %s", shortID(ev.RequestID), ev.Name)
	case engine.EventApprovalNeeded, engine.EventToolDispatched:
		line += fmt.Sprintf(" %s %s %s", shortID(ev.RequestID), ev.Name, ev.Arguments)
	case engine.EventToolDone:
		if ev.Result.Details != nil {
			details, _ := json.Marshal(ev.Result.Details)
			line += fmt.Sprintf(" details %s", details)
		}
	case engine.EventIterationDone:
		if u := ev.Iteration.Usage; u != nil {
			line += fmt.Sprintf(" usage %d,%d", u.PromptTokens, u.CompletionTokens)
		}
		for _, name := range slices.Sorted(maps.Keys(ev.Iteration.Reply.RepairCounts())) {
			line += " repair " + name
		}
		if n := ev.Iteration.Continued; n > 0 {
			line += fmt.Sprintf(" continued %d", n)
		}
	case engine.EventRunDone:
		if ev.Limit != "" {
			line += " " + string(ev.Limit)
		}
	default:
	}
	return line
}

// sentText writes requests down, each by what is new in it.
func sentText(requests []modelserver.Request, prompt string) string {
	var b strings.Builder
	var before []modelserver.Message
	for i, r := range requests {
		same := 0
		for same < len(before) && same < len(r.Messages) && cmp.Equal(before[same], r.Messages[same]) {
			same++
		}
		fmt.Fprintf(&b, "== request %d", i+1)
		if i > 0 {
			fmt.Fprintf(&b, " = %d", same)
		}
		if len(r.Stop) > 0 && i == 0 {
			fmt.Fprintf(&b, " stop %q", r.Stop)
		}
		b.WriteString("\n")
		for _, m := range r.Messages[same:] {
			content := strings.Replace(m.Content, prompt, "(prompt)", 1)
			if prompt == "" {
				content = m.Content
			}
			who := m.Role
			if m.ToolCallID != "" {
				who += " " + m.ToolCallID
			}
			fmt.Fprintf(&b, "[%s]\n", who)
			if content != "" {
				fmt.Fprintln(&b, content)
			}
			for _, c := range m.ToolCalls {
				fmt.Fprintf(&b, "(calls %s %s %s)\n", c.ID, c.Name, c.Arguments)
			}
		}
		before = r.Messages
	}
	return b.String()
}

// answers is an approver that gives one answer after the other.
type answers struct{ list []string }

func (a *answers) next(ctx context.Context, q executor.Question) (executor.Answer, error) {
	answer := a.list[0]
	a.list = a.list[1:]
	switch answer {
	case "allow":
		return q.Allow(), nil
	case "deny":
		return q.Deny("not today"), nil
	}
	<-ctx.Done()
	return q.Allow(), nil
}

// scenarioTools are what a model in a scenario can call.
func scenarioTools(t *testing.T) *tool.Registry {
	count := 0
	raw := func(name, parameters string, h tool.Handler, opts ...tool.Option) tool.Method {
		m, err := tool.Raw(name, "does "+name, json.RawMessage(parameters), h, append(opts, tool.AgentCallable())...)
		require.NoError(t, err)
		return m
	}
	none := `{"type":"object","properties":{}}`
	ask, err := tool.HostRun("ask", "does ask", json.RawMessage(none), tool.AgentCallable())
	require.NoError(t, err)
	reg := tool.NewRegistry()
	require.NoError(t, reg.Register(tool.Tool{ID: "t", Methods: []tool.Method{
		method(t, "echo", func(_ context.Context, c *tool.Call) (tool.Output, error) {
			var in struct{ Text string }
			err := json.Unmarshal(c.Arguments, &in)
			return tool.Output{Text: in.Text, Details: map[string]int{"length": len(in.Text)}}, err
		}),
		raw("add", `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"],"additionalProperties":false}`,
			func(_ context.Context, c *tool.Call) (tool.Output, error) {
				var in struct{ A, B int }
				err := json.Unmarshal(c.Arguments, &in)
				return tool.Output{Text: strconv.Itoa(in.A + in.B)}, err
			}, tool.Example(map[string]any{"a": 1, "b": 2})),
		raw("write", `{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path"]}`,
			func(_ context.Context, c *tool.Call) (tool.Output, error) {
				var in struct{ Path, Content string }
				err := json.Unmarshal(c.Arguments, &in)
				return tool.Output{Text: fmt.Sprintf("wrote %d bytes to %s", len(in.Content), in.Path)}, err
			}),
		raw("count", none, func(context.Context, *tool.Call) (tool.Output, error) {
			count++
			return tool.Output{Text: strconv.Itoa(count)}, nil
		}),
		raw("fail", none, func(context.Context, *tool.Call) (tool.Output, error) {
			return tool.Output{}, fmt.Errorf("the disk is full")
		}),
		raw("tell", none, func(_ context.Context, c *tool.Call) (tool.Output, error) {
			c.Progress("half way")
			return tool.Output{Text: "there"}, nil
		}),
		raw("long", none, func(context.Context, *tool.Call) (tool.Output, error) {
			count++
			return tool.Output{Text: strings.TrimSuffix(strings.Repeat(fmt.Sprintf("line of result %d\n", count), 60), "\n")}, nil
		}),
		raw("wait", none, func(ctx context.Context, _ *tool.Call) (tool.Output, error) {
			<-ctx.Done()
			return tool.Output{}, ctx.Err()
		}),
		raw("erase", none, func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{Text: "erased"}, nil },
			tool.WithRisk(tool.RiskDangerous)),
		ask,
	}}))
	return reg
}
