package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/protocol"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// scriptTask is how the scripted model solves a task of testdata/eval/scripts.yaml.
type scriptTask struct {
	question string // words of the user's message
	method   string // called for each of 20 values
	argument string
	values   string         // the format of these values, for a number from 1 to 20
	found    *regexp.Regexp // matches what the model looks for in results; its group is a value
	change   string         // method to call for each value that was found, or "" if no method is called
	answer   func(found []string) string
	code     string // a script that solves the task and returns the answer
}

var scriptTasks = []scriptTask{
	{
		question: "ERROR lines", method: "logs_read", argument: "host", values: "web-%02d",
		found:  regexp.MustCompile(`ERROR (web-\d\d)`),
		answer: func(found []string) string { return fmt.Sprintf("There are %d ERROR lines.", len(found)) },
		code: `let n = 0;
for (let i = 1; i <= 20; i++) n += (await logs_read({host: "web-" + String(i).padStart(2, "0")})).split("ERROR").length - 1;
return "There are " + n + " ERROR lines."`,
	},
	{
		question: "货号", method: "stock_level", argument: "item", values: "K-%02d",
		found:  regexp.MustCompile(`(K-\d\d)：库存 \d 件`),
		answer: func(found []string) string { return "库存少于 10 件：" + strings.Join(found, "、") },
		code: `const low = [];
for (let i = 1; i <= 20; i++) {
  const text = await stock_level({item: "K-" + String(i).padStart(2, "0")});
  if (/ \d 件/.test(text)) low.push(text.slice(0, 4));
}
return "库存少于 10 件：" + low.join("、")`,
	},
	{
		question: "tickets", method: "tickets_read", argument: "id", values: "T-%02d",
		found:  regexp.MustCompile(`(T-\d\d) message 12, customer: it is solved`),
		change: "tickets_close",
		answer: func(found []string) string { return "Closed: " + strings.Join(found, ", ") },
		code: `const closed = [];
for (let i = 1; i <= 20; i++) {
  const id = "T-" + String(i).padStart(2, "0");
  if (!(await tickets_read({id})).includes("it is solved")) continue;
  await tickets_close({id});
  closed.push(id);
}
return "Closed: " + closed.join(", ")`,
	},
}

// answerOfScript finds the value that a script returned, in the result of script_run.
var answerOfScript = regexp.MustCompile(`There are \d+ ERROR lines\.|库存少于 10 件：[^"\\\n]+|Closed: [^"\\\n]+`)

// reply returns the next reply of the model. If the prompt describes script_run, the model writes a
// script. Otherwise it writes one request or, if together is true, all requests whose arguments are
// known.
func (s *scriptTask) reply(t *testing.T, r modelserver.Request, together bool) string {
	var results strings.Builder
	written := 0 // requests so far
	for _, m := range r.Messages {
		switch m.Role {
		case "assistant":
			written += strings.Count(m.Content, "<tool_call>")
		case "user":
			results.WriteString(m.Content)
		}
	}
	if strings.Contains(r.System(), "script_run") {
		if written == 0 {
			return hermesRequest(t, "script_run", "code", s.code)
		}
		return answerOfScript.FindString(results.String())
	}
	var found []string
	for _, match := range s.found.FindAllStringSubmatch(results.String(), -1) {
		found = append(found, match[1])
	}
	var all []string
	for i := range 20 {
		all = append(all, hermesRequest(t, s.method, s.argument, fmt.Sprintf(s.values, i+1)))
	}
	if s.change != "" && written >= len(all) {
		for _, value := range found {
			all = append(all, hermesRequest(t, s.change, s.argument, value))
		}
	}
	switch left := all[min(written, len(all)):]; {
	case len(left) == 0:
		return s.answer(found)
	case together:
		return strings.Join(left, "\n")
	default:
		return left[0]
	}
}

// hermesRequest returns a request of the Hermes form with one argument.
func hermesRequest(t *testing.T, method, argument, value string) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"name": method, "arguments": map[string]string{argument: value}})
	require.NoError(t, err)
	return "<tool_call>\n" + string(text) + "\n</tool_call>"
}

// scriptModel is a server whose model solves the tasks. It reports estimated tokens.
func scriptModel(t *testing.T, together bool) *modelserver.Server {
	t.Helper()
	next := modelserver.Func(func(r modelserver.Request) modelserver.Reply {
		user := slices.IndexFunc(r.Messages, func(m modelserver.Message) bool { return m.Role == "user" })
		question := r.Messages[user].Content
		i := slices.IndexFunc(scriptTasks, func(s scriptTask) bool { return strings.Contains(question, s.question) })
		text := scriptTasks[i].reply(t, r, together)
		reply := modelserver.Pieces(text)
		reply.Usage = &modelserver.Usage{CompletionTokens: protocol.EstimateTokens(text)}
		for _, m := range r.Messages {
			reply.Usage.PromptTokens += protocol.EstimateTokens(m.Content)
		}
		reply.Usage.TotalTokens = reply.Usage.PromptTokens + reply.Usage.CompletionTokens
		return reply
	})
	const replies = 200 // more than all tasks take
	return modelserver.Start(t, slices.Repeat([]modelserver.Reply{next}, replies)...)
}

func TestEvalLiveComparesScripts(t *testing.T) {
	cost := regexp.MustCompile(`\| ([a-z-]+) \| ([0-9.]+) replies, (\d+) tokens \| ([0-9.]+) replies, (\d+) tokens \|`)
	for _, tt := range []struct {
		name     string
		together bool
		replies  []string // for each task, the replies that it takes without a script
		factors  []int    // for each task: tokens without a script > factor * tokens with one
	}{
		{"one request in each reply", false, []string{"21.0", "21.0", "24.0"}, []int{30, 4, 10}},
		{"all requests in one reply", true, []string{"2.0", "2.0", "3.0"}, []int{5, 1, 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := scriptModel(t, tt.together)
			o := runArgs(t, "eval", "--live", "testdata/eval/scripts.yaml", "--script", "all", "--calls", "text",
				"--protocol", "hermes", "--base-url", server.URL, "--model", "scripted", "--max-wrong", "0")
			require.Equal(t, cli.ExitOK, o.status, o.stderr)
			t.Log(o.stdout)
			require.Contains(t, o.stdout, "\n| hermes | 3 of 3 (100 %) | 0 |")
			require.Contains(t, o.stdout, "\n| hermes with script\\_run | 3 of 3 (100 %) | 0 |")
			rows := cost.FindAllStringSubmatch(o.stdout, -1)
			require.Len(t, rows, len(scriptTasks))
			for i, row := range rows {
				task, replies, tokens, repliesOfScript, tokensOfScript := row[1], row[2], row[3], row[4], row[5]
				require.Equal(t, tt.replies[i], replies, task)
				require.Equal(t, "2.0", repliesOfScript, task)
				without, err := strconv.Atoi(tokens)
				require.NoError(t, err)
				with, err := strconv.Atoi(tokensOfScript)
				require.NoError(t, err)
				require.Greater(t, without, tt.factors[i]*with, task)
			}
		})
	}
}
