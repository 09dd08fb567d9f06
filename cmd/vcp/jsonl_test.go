package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/golden"
	"github.com/vcpgo/vcp/internal/longtest"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// reply is the part of the output that tests compare.
type reply struct {
	ID       json.RawMessage
	Version  int
	Requests []struct {
		ToolName string
		Args     map[string]string
		Status   string
		Error    *struct{ Code, Message string }
	}
	Text  string
	Error *struct{ Code, Message string }
}

// replyOf decodes a line of output.
func replyOf(t *testing.T, line string) reply {
	t.Helper()
	var r reply
	require.NoError(t, json.Unmarshal([]byte(line), &r), "%.200s", line)
	return r
}

// jsonl runs vcp parse --jsonl, and returns the lines of its output.
func jsonl(t *testing.T, input string, args ...string) ([]string, outcome) {
	t.Helper()
	o := invocation{args: append([]string{"parse", "--jsonl"}, args...), stdin: input}.run(t)
	return strings.Split(strings.TrimSuffix(o.stdout, "\n"), "\n"), o
}

func TestEachLineIsAnsweredWithItsIDInOrder(t *testing.T) {
	ids := []string{
		`"a"`, `7`, `1e400`, `null`, `true`, `"é\u00e9\/"`, `{"b":[1, 2.50],"a":null}`, `-0.0`, `"\ud800"`,
		`{"a":1,"a":2}`,
	}
	var input strings.Builder
	for i, id := range ids {
		fmt.Fprintf(&input, `{ "id" : %s,"text":"text %d"}`+"\r\n", id, i)
	}
	lines, o := jsonl(t, strings.TrimSuffix(input.String(), "\r\n"))
	o.succeeded(t)
	require.Len(t, lines, len(ids))
	for i, id := range ids {
		const format = `{"id":%s,"version":1,"requests":[],"text":"text %d","reasoning":"","dropped":[],"notices":[],` +
			`"repairCounts":{}}`
		require.Equal(t, fmt.Sprintf(format, id, i), lines[i])
	}
}

func TestHalfASurrogatePairIsAReplacementCharacter(t *testing.T) {
	lines, o := jsonl(t, `{"text":"a\ud83d"}`)
	o.succeeded(t)
	require.Equal(t, "a\ufffd", replyOf(t, lines[0]).Text)
}

func TestALineSaysWhyItsReplyStopped(t *testing.T) {
	const open = `<<<[TOOL_REQUEST]>>>tool_name:「始」t「末」`
	lines, o := jsonl(t, `{"text":"`+open+`","finish":"stop"}
{"finish":"length","text":"`+open+`"}
{"text":"`+open+`","finish":"unknown"}
{"text":"`+open+`"}
`, "--finish", "length")
	o.succeeded(t)
	var statuses []string
	for _, line := range lines {
		statuses = append(statuses, replyOf(t, line).Requests[0].Status)
	}
	require.Equal(t, []string{"ready", "incomplete", "incomplete", "incomplete"}, statuses)
}

func TestABadLineIsReportedInItsPlace(t *testing.T) {
	bad := []struct{ line, reason string }{
		{``, "empty"},
		{`no JSON`, "not JSON"},
		{`{"id":1,"text":"trunc`, "not JSON"},
		{`{"id":1,"text":"a"} {"id":2}`, "not JSON"},
		{`[1]`, "not a JSON object"},
		{`null`, "not a JSON object"},
		{`{"id":1}`, `"text" is missing`},
		{`{"id":1,"text":null}`, "text is null"},
		{`{"id":1,"text":["a"]}`, `text is ["a"]`},
		{`{"id":1,"text":"a","finish":"tool_calls"}`, `finish is "tool_calls"`},
		{`{"id":1,"text":"a","finish":null}`, "finish is null"},
		{`{"id":1,"text":"a","finish_reason":"length"}`, `no field "finish_reason"`},
		{`{"id":1,"Text":"a"}`, `no field "Text"`},
		{`{"id":1,"id":2,"text":"a"}`, `"id" occurs twice`},
		{`{"text":"a","text":"a"}`, `"text" occurs twice`},
		{`{"text":"a","finish":"stop","finish":"stop"}`, `"finish" occurs twice`},
		{`{"text":"a"`, "not JSON"},
		{`{"text":"a",}`, "not JSON"},
		{`{"text":"a\x"}`, "not JSON"},
		{`{"id":[,"text":"a"}`, "not JSON"},
		{`{"text":tru}`, "not JSON"},
		{"{\"id\":1,\"text\":\"\xff\"}", "UTF-8"},
		{strings.Repeat("[", 20000), "not JSON"},
	}
	var input strings.Builder
	for i, b := range bad {
		fmt.Fprintf(&input, "%s\n{\"id\":%d,\"text\":\"\"}\n", b.line, i)
	}
	lines, o := jsonl(t, input.String())
	o.reported(t, cli.ExitFailure, fmt.Sprintf("%d of %d lines", len(bad), 2*len(bad)))
	require.Len(t, lines, 2*len(bad))
	for i, b := range bad {
		require.True(t, strings.HasPrefix(lines[2*i], `{"id":null,"error":{"code":"bad_line","message":"line `), lines[2*i])
		got := replyOf(t, lines[2*i])
		require.Contains(t, got.Error.Message, fmt.Sprintf("line %d: ", 2*i+1))
		require.Contains(t, got.Error.Message, b.reason)
		require.Equal(t, fmt.Sprint(i), string(replyOf(t, lines[2*i+1]).ID))
	}
}

func TestNoInputYieldsNoOutput(t *testing.T) {
	o := invocation{args: []string{"parse", "--jsonl"}}.run(t)
	o.succeeded(t)
	require.Empty(t, o.stdout)
}

func TestALineMayBeLong(t *testing.T) {
	long := strings.Repeat("word <&> 「字」 ", 1<<20/20) // about 1 MiB
	text, err := json.Marshal(long)
	require.NoError(t, err)
	input := `{"id":1,"text":"a"}` + "\n" + `{"id":2,"text":` + string(text) + `}` + "\n" + `{"id":3,"text":"b"}` + "\n"
	lines, o := jsonl(t, input, "--chunk", "4093")
	o.succeeded(t)
	require.Len(t, lines, 3)
	require.Equal(t, long, replyOf(t, lines[1]).Text)
	require.Equal(t, "b", replyOf(t, lines[2]).Text)
}

// TestLinesAreAnsweredAtOnce writes and reads lines in turn, like a program that keeps the command
// running.
func TestLinesAreAnsweredAtOnce(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := invocation{args: []string{"parse", "--jsonl"}}.command(ctx, t)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	answers := bufio.NewReader(out)
	begin := `{"id":0,`
	for i := range 3 {
		// The command also gets the beginning of the next line, which must not delay the answer.
		next := fmt.Sprintf(`{"id":%d,`, i+1)
		_, err := io.WriteString(in, begin+`"text":""}`+"\n"+next)
		require.NoError(t, err)
		line, err := answers.ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(i), string(replyOf(t, line).ID))
		begin = ""
	}
	_, err = io.WriteString(in, `"text":""}`)
	require.NoError(t, err)
	require.NoError(t, in.Close())
	_, err = io.Copy(io.Discard, answers)
	require.NoError(t, err)
	require.NoError(t, cmd.Wait())
}

// TestTheCommandReadsTheCorpus reads the cases of the corpus with the command, except cases with
// limits, long cases and cases that are not UTF-8. It reads them whole and in pieces of one size,
// or of several sizes in the long suite. The parser's tests check that pieces do not matter; this
// tests the flag.
func TestTheCommandReadsTheCorpus(t *testing.T) {
	cases, err := golden.Load("../../testdata/vcp")
	require.NoError(t, err)
	type setting struct{ tolerance, quoted, reasoning, disabled string }
	groups := map[setting][]golden.Case{}
	for _, c := range cases {
		if c.Options.Limits != (golden.Limits{}) || len(c.Input) > 1<<20 || !utf8.ValidString(c.Input) {
			continue
		}
		s := setting{c.Options.Tolerance, c.Options.Quoted, c.Options.Reasoning, strings.Join(c.Options.Disabled, " ")}
		groups[s] = append(groups[s], c)
	}
	for s, group := range groups {
		var args []string
		for _, flag := range [][2]string{
			{"--tolerance", s.tolerance}, {"--quoted", s.quoted}, {"--reasoning", s.reasoning},
		} {
			if flag[1] != "" {
				args = append(args, flag[0], flag[1])
			}
		}
		for _, name := range strings.Fields(s.disabled) {
			args = append(args, "--disable", name)
		}
		var input strings.Builder
		for _, c := range group {
			line := map[string]any{"id": c.Name, "text": c.Input}
			if c.Options.Finish != nil {
				line["finish"] = *c.Options.Finish
			}
			b, err := json.Marshal(line)
			require.NoError(t, err)
			input.Write(append(b, '\n'))
		}
		whole, o := jsonl(t, input.String(), args...)
		o.succeeded(t)
		require.Len(t, whole, len(group))
		for i, c := range group {
			checkCase(t, c, whole[i])
		}
		for _, n := range longtest.Sample(1, []string{"1", "2", "3", "7", "100"}) {
			chunked, o := jsonl(t, input.String(), append(args, "--chunk", n)...)
			o.succeeded(t)
			if d := cmp.Diff(whole, chunked); d != "" {
				t.Errorf("with --chunk %s the output differs (-whole +chunked):\n%s", n, d)
			}
		}
	}
}

// checkCase compares the statuses and the text with the case. The parser's tests compare the rest.
func checkCase(t *testing.T, c golden.Case, line string) {
	t.Helper()
	var want reply
	require.NoError(t, json.Unmarshal(c.Want, &want))
	got := replyOf(t, line)
	require.Equal(t, `"`+c.Name+`"`, string(got.ID))
	require.Equal(t, want.Text, got.Text, c.Name)
	require.Len(t, got.Requests, len(want.Requests), c.Name)
	for i := range want.Requests {
		require.Equal(t, want.Requests[i].Status, got.Requests[i].Status, c.Name)
	}
}
