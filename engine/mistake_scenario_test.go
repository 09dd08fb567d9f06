package engine_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
)

// TestWeakModelsAreToldHowToCorrectMistakes plays the files of testdata/mistakes. In each, a model
// makes a mistake of small models in a task, and corrects it. A file begins with a description of
// the mistake. Its sections are
//
//	-- task --       lines "protocol: ID" and "language: en" or "zh"
//	-- file PATH --  a file that the tools can read; "{300 lines}" in it stands for 300 lines
//	-- user --       the user's message
//	-- reply --      a reply of the model; "reply length" ends at the token limit, and
//	                 "reply none" has no finish reason
//	-- told --       what the model must read before it can write the next reply: on each line a
//	                 text, or several with " | " between them, of which it must read one; a text
//	                 after "not " must not be there
//	-- ran --        the calls that ran, in order: name, arguments, and success or the error type
//	-- end --        the stop reason of the run
//
// A scenario fails if the feedback lacks something that the model needs to write its next reply.
// With -v the test shows the conversations.
func TestWeakModelsAreToldHowToCorrectMistakes(t *testing.T) {
	paths, err := filepath.Glob("testdata/mistakes/*.txtar")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(paths), 57, "files of testdata/mistakes are missing")
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			require.NotEmpty(t, strings.TrimSpace(string(archive.Comment)), "a scenario says what the mistake is")
			s := readMistake(t, archive)
			synctest.Test(t, func(t *testing.T) { s.play(t) }) // the clock shows the same time in each run
		})
	}
}

// mistake is a scenario of TestWeakModelsAreToldHowToCorrectMistakes.
type mistake struct {
	protocol protocol.Protocol
	language string
	files    map[string]string
	user     string
	replies  []reply
	told     map[int][]string // lines of the sections told, by the number of replies before them
	ran      []string
	stop     engine.StopReason
}

func readMistake(t *testing.T, archive *txtar.Archive) *mistake {
	s := &mistake{files: map[string]string{}, told: map[int][]string{}}
	for _, section := range archive.Files {
		kind, name, _ := strings.Cut(section.Name, " ")
		text := strings.TrimSuffix(string(section.Data), "\n")
		switch kind {
		case "task":
			s.readTask(t, text)
		case "file":
			s.files[name] = text + "\n"
		case "user":
			s.user = text
		case "reply":
			finish, known := map[string]protocol.FinishReason{
				"": protocol.FinishStop, "length": protocol.FinishLength, "none": protocol.FinishUnknown,
			}[name]
			require.True(t, known, "%s: finish reason", section.Name)
			s.replies = append(s.replies, reply{deltas: []engine.Delta{{Text: text}, {Finished: true, Finish: finish}}})
		case "told":
			s.told[len(s.replies)] = strings.Split(text, "\n")
		case "ran":
			if text != "" {
				s.ran = strings.Split(text, "\n")
			}
		case "end":
			s.stop = engine.StopReason(text)
		default:
			t.Fatalf("there is no section %q", section.Name)
		}
	}
	return s
}

func (s *mistake) readTask(t *testing.T, text string) {
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "protocol":
			i := slices.IndexFunc(mistakeProtocols, func(p protocol.Protocol) bool { return p.ID() == value })
			require.GreaterOrEqual(t, i, 0, "protocol %s", value)
			s.protocol = mistakeProtocols[i]
		case "language":
			s.language = value
		default:
			t.Fatalf("a task has no %q", key)
		}
	}
}

var mistakeProtocols = []protocol.Protocol{vcp.Protocol{}, hermes.Protocol{}, qwencoder.Protocol{}}

func (s *mistake) play(t *testing.T) {
	model := &script{replies: s.replies}
	session := session(t, s.tools(t), model, withProtocol(s.protocol), func(o *engine.Options) {
		o.Profile = &engine.Profile{Prompt: protocol.PromptOptions{Language: s.language}}
		o.Config.Approve = policy.ApproveAll
	})
	var ran []string
	started := map[string]bool{}
	var o outcome
	for ev, err := range session.Run(t.Context(), []protocol.Message{{Role: protocol.RoleUser, Content: s.user}}) {
		require.NoError(t, err)
		switch {
		case ev.Kind == engine.EventToolStarted:
			started[ev.RequestID] = true
		case ev.Kind == engine.EventToolDone && started[ev.RequestID]:
			r := ev.Result
			ran = append(ran, fmt.Sprintf("%s %s %s", r.Method, r.Arguments, cmp.Or(r.ErrorType, string(r.Status))))
		}
		o.add(ev)
	}
	s.checkTold(t, model.asked)
	t.Logf("calls that ran:\n%s\nstop reason: %s", strings.Join(ran, "\n"), o.stop)
	require.Equal(t, s.ran, ran, "calls that ran")
	require.Equal(t, s.stop, o.stop)
	require.Len(t, model.asked, len(s.replies), "replies that the model wrote")
}

// checkTold compares what the model has read after each reply with what it needs.
func (s *mistake) checkTold(t *testing.T, asked []engine.ModelRequest) {
	t.Logf("the user: %s", s.user)
	for i, request := range asked {
		lastReply := -1 // index of the last reply
		for j, m := range request.Messages {
			if m.Role == protocol.RoleAssistant {
				lastReply = j
			}
		}
		var news strings.Builder
		for _, m := range request.Messages[lastReply+1:] {
			if m.Role != protocol.RoleSystem {
				fmt.Fprintln(&news, m.Content)
			}
		}
		if i > 0 {
			t.Logf("the model is told:\n%s", news.String())
		}
		if i < len(s.replies) {
			t.Logf("the model:\n%s", s.replies[i].deltas[0].Text)
		}
		for _, line := range s.told[i] {
			unwanted, forbidden := strings.CutPrefix(line, "not ")
			reads := func(text string) bool { return strings.Contains(news.String(), text) }
			if forbidden && reads(unwanted) {
				t.Errorf("after reply %d the model reads %q:\n%s", i, unwanted, news.String())
			}
			if !forbidden && !slices.ContainsFunc(strings.Split(line, " | "), reads) {
				t.Errorf("after reply %d the model does not read %q:\n%s", i, line, news.String())
			}
		}
	}
}

// tools returns the office tools, the calculator, the clock, and the tools for files, which see the
// files of the scenario.
func (s *mistake) tools(t *testing.T) *tool.Registry {
	t.Helper()
	directory := t.TempDir()
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		path := filepath.Join(directory, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(manyLines(s.files[name])), 0o600))
	}
	root, err := os.OpenRoot(directory)
	require.NoError(t, err)
	t.Cleanup(func() { _ = root.Close() })
	files, err := builtin.Files(root, builtin.Writable())
	require.NoError(t, err)
	calculator, err := builtin.Calculator()
	require.NoError(t, err)
	clock, err := builtin.Clock()
	require.NoError(t, err)
	reg := tool.NewRegistry()
	require.NoError(t, reg.Register(append(officeTools(t), files, calculator, clock)...))
	return reg
}

// manyLines replaces a line "{N lines}" by N lines, each with its number in the file.
func manyLines(text string) string {
	var b strings.Builder
	number := 0
	for line := range strings.Lines(text) {
		count := 1
		if _, err := fmt.Sscanf(line, "{%d lines}", &count); err != nil {
			b.WriteString(line)
			number++
			continue
		}
		for range count {
			number++
			fmt.Fprintf(&b, "line %d: request handled in 12 ms\n", number)
		}
	}
	return b.String()
}

// officeTools returns a weather report, a mail server that is not available, and a stock system
// that is busy at the first call.
func officeTools(t *testing.T) []tool.Tool {
	type runFunc = func(arguments map[string]any) (string, error)
	withOneMethod := func(id, name, description, parameters string, run runFunc) tool.Tool {
		handler := func(_ context.Context, c *tool.Call) (tool.Output, error) {
			var arguments map[string]any
			if err := json.Unmarshal(c.Arguments, &arguments); err != nil {
				return tool.Output{}, err
			}
			text, err := run(arguments)
			return tool.Output{Text: text}, err
		}
		m, err := tool.Raw(name, description, json.RawMessage(parameters), handler, tool.AgentCallable())
		require.NoError(t, err)
		return tool.Tool{ID: id, Methods: []tool.Method{m}}
	}
	stockCalls := 0
	return []tool.Tool{
		withOneMethod("weather", "get", "Tells the weather of a city.", `{"type":"object","properties":{
			"city":{"type":"string","description":"the city, such as Rome"},
			"days":{"type":"integer","minimum":1,"maximum":7,"description":"how many days; the default is today only"}},
			"required":["city"]}`,
			func(arguments map[string]any) (string, error) {
				return fmt.Sprintf("%v: 14 °C, light rain.", arguments["city"]), nil
			}),
		withOneMethod("mail", "send", "Sends an e-mail.", `{"type":"object","properties":{
			"to":{"type":"string","description":"the address"},"subject":{"type":"string"},"text":{"type":"string"}},
			"required":["to","subject","text"]}`,
			func(map[string]any) (string, error) {
				return "", errors.New("the mail server is unavailable until tomorrow; nothing was delivered")
			}),
		withOneMethod("stock", "level", "Tells how many pieces of an item are in stock.",
			`{"type":"object","properties":{
			"item":{"type":"string","description":"the name of the item"}},"required":["item"]}`,
			func(arguments map[string]any) (string, error) {
				if stockCalls++; stockCalls == 1 {
					return "", errors.New("the stock system is busy; try again")
				}
				return fmt.Sprintf("In stock: 57 pieces of %v.", arguments["item"]), nil
			}),
	}
}
