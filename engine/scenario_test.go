package engine_test

import (
	"context"
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
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/tool"
)

// TestScenariosHaveTheirEventsAndRequests plays the files of testdata/scenarios: each is a run of
// the engine against a server over HTTP. A file begins with a sentence on what it shows. Its
// sections are
//
//	-- config --      the configuration, if it is not the default, and settings of the scenario:
//	                  "approver: WORDS" makes the approver answer the questions in turn (allow,
//	                  deny, late), "calls: native" lets the model call by its API, and
//	                  "stopAt: TEXT" cancels the run at the first event whose line begins so
//	-- asks --        the first messages of the conversation, each after a line "[role]", or
//	                  results after a line "[results]"; by default the user asks one question
//	-- server HOW --  one reply of the server; serverReply explains HOW
//	-- want --        beginnings of lines of events: the events must contain these lines in this
//	                  order, and end with the last one; "requests N" is the number of requests
//	-- events --      the events of the run, one on each line, without times; adjacent pieces of
//	                  one kind are joined, and a line is shortened to 200 characters
//	-- sent --        the requests to the server: a line, and the messages of the request; "= N" in
//	                  the line means that the first N messages, which are not repeated here, are
//	                  those of the request before
//
// The flag -update rewrites the sections events and sent, but never want.
func TestScenariosHaveTheirEventsAndRequests(t *testing.T) {
	paths, err := filepath.Glob("testdata/scenarios/*.txtar")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(paths), 60)
	stops, compared := map[string]bool{}, 0
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
			compared++
		})
	}
	if compared == len(paths) { // all scenarios ran, and none was updated
		require.Subset(t, slices.Collect(maps.Keys(stops)), []string{
			"done", "max_iterations", "canceled", "no_progress", "model_error", "incomplete", "manual",
		})
	}
}

// played has the events of all scenarios. Several tests examine them.
var played struct {
	sync.Once
	events []engine.Event
}

// scenarioEvents returns the events of all scenarios. The first call runs the scenarios.
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
	answers []string // of the approver; nil means that there is no approver
	calls   model.Calls
	asks    []protocol.Message
	replies []modelserver.Reply
	stopAt  string             // the first event whose line begins with it cancels the run; "" means that none does
	each    func(engine.Event) // called with each event, if it is not nil
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

// readConfig reads the settings of the scenario, and the configuration of the engine.
func (s *scenario) readConfig(t *testing.T, text string) {
	var configLines []string
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
			configLines = append(configLines, line)
		}
	}
	var err error
	s.config, err = engine.ReadConfig(strings.NewReader(strings.Join(configLines, "")))
	require.NoError(t, err)
}

func (s *scenario) section(name string) string {
	for _, f := range s.archive.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return "there is no section " + name + "\n"
}

// check compares the events and the number of requests with the section want.
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
	require.Empty(t, lines, "the section want does not end with the last event; events:\n%s", events)
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

// play runs the scenario and returns the sections events and sent. It runs in a synctest bubble: a
// time limit is reached only when nothing else can happen, however slow the machine is.
func (s *scenario) play(t *testing.T) (events, sent string) {
	synctest.Test(t, func(t *testing.T) { events, sent = s.playInBubble(t) })
	return events, sent
}

func (s *scenario) playInBubble(t *testing.T) (events, sent string) {
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
		o.add(ev)
		if o.err = err; s.stopAt != "" && strings.HasPrefix(traceLine(ev), s.stopAt) {
			stop()
		}
	}
	require.Zero(t, server.Left(), "replies of the server that the engine did not request")
	for _, line := range o.trace {
		line = strings.ReplaceAll(line, "\n", `\n`)
		const maxLine = 200 // characters
		if r := []rune(line); len(r) > maxLine {
			line = string(r[:maxLine]) + "…"
		}
		fmt.Fprintln(&b, line)
	}
	if o.err != nil {
		fmt.Fprintln(&b, "error", strings.ReplaceAll(o.err.Error(), server.URL, "URL"))
	}
	return b.String(), sentText(server.Requests(), session.Prompt())
}
