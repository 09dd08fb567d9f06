package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/longtest"
)

// Other programs rely on each byte of the output. The size of the pieces in which the input is read
// does not matter.
func TestTheOutputOfParseIsStable(t *testing.T) {
	tests := []struct {
		file string
		args []string
	}{
		{"everything", nil},
		{"not-utf8", nil},
		{"truncated", []string{"--finish", "length"}},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			input, err := os.ReadFile(filepath.Join("testdata", "parse", tt.file+".txt"))
			require.NoError(t, err)
			want, err := os.ReadFile(filepath.Join("testdata", "parse", tt.file+".json"))
			require.NoError(t, err)
			parse := func(args ...string) {
				t.Helper()
				args = slices.Concat([]string{"parse"}, tt.args, args)
				o := invocation{args: args, stdin: string(input)}.run(t)
				o.succeeded(t)
				if d := cmp.Diff(string(want), o.stdout); d != "" {
					t.Errorf("parse %q (-want +got):\n%s", args, d)
				}
			}
			parse()
			parse("-")
			parse(filepath.Join("cmd", "vcp", "testdata", "parse", tt.file+".txt"))
			var sizes []string
			for n := 1; n <= len(input)+1; n += 1 + n/8 {
				sizes = append(sizes, strconv.Itoa(n))
			}
			for _, n := range longtest.Sample(8, sizes) {
				parse("--chunk", n)
			}
		})
	}
}

func TestFlagsOfParseDecideWhatIsReady(t *testing.T) {
	const (
		call     = "tool_name:「始」clock_now「末」<<<[END_TOOL_REQUEST]>>>"
		clean    = "<<<[TOOL_REQUEST]>>>" + call
		damaged  = "<<<[tool_request]>>>" + call
		open     = "<<<[TOOL_REQUEST]>>>tool_name:「始」clock_now「末」"
		fenced   = "```\n" + clean + "\n```\n"
		reasoned = "<think>" + clean + "</think>\nDone."
	)
	tests := []struct {
		name   string
		input  string
		args   []string
		status string
		code   string
	}{
		{"safe repairs", damaged, nil, "ready", ""},
		{"strict repairs nothing", damaged, []string{"--tolerance", "strict"}, "invalid", "repair_refused"},
		{"a repair can be switched off", damaged, []string{"--disable", "marker_case"}, "invalid", "repair_refused"},
		{
			"switching off other repairs changes nothing",
			damaged,
			[]string{"--disable", "separator", "--disable", "key_case"},
			"ready", "",
		},
		{"a reply that the model ended is complete", open, nil, "ready", ""},
		{
			"a reply truncated at its token limit is not complete",
			open,
			[]string{"--finish", "length"},
			"incomplete", "",
		},
		{"a reply without a finish reason is not complete", open, []string{"--finish", "unknown"}, "incomplete", ""},
		{"quoted requests are skipped", fenced, nil, "quoted", ""},
		{"quoted requests may run", fenced, []string{"--quoted", "run"}, "ready", ""},
		{"quoted requests may run if the reply has no others", fenced, []string{"--quoted", "auto"}, "ready", ""},
		{"requests in reasoning are ignored", reasoned, nil, "reasoning", ""},
		{"requests in reasoning may run", reasoned, []string{"--reasoning", "run"}, "ready", ""},
		{
			"requests in reasoning may run if the reply has no others",
			reasoned,
			[]string{"--reasoning", "run_if_nothing_else"},
			"ready", "",
		},
		{"the protocol can be named", clean, []string{"--protocol", "vcp"}, "ready", ""},
		{
			"another protocol reads another form",
			`<tool_call>{"name": "a_b"}</tool_call>`,
			[]string{"--protocol", "hermes"},
			"ready", "",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := invocation{args: append([]string{"parse"}, tt.args...), stdin: tt.input}.run(t)
			o.succeeded(t)
			got := replyOf(t, o.stdout)
			require.Len(t, got.Requests, 1)
			require.Equal(t, tt.status, got.Requests[0].Status)
			if tt.code == "" {
				require.Nil(t, got.Requests[0].Error)
				return
			}
			require.NotNil(t, got.Requests[0].Error)
			require.Equal(t, tt.code, got.Requests[0].Error.Code)
		})
	}
}

func TestReplyWithoutRequestsHasEmptyLists(t *testing.T) {
	o := invocation{args: []string{"parse"}, stdin: "<a> & \"b\""}.run(t)
	o.succeeded(t)
	const want = `{"version":1,"requests":[],"text":"<a> & \"b\"","reasoning":"","dropped":[],"notices":[],` +
		`"repairCounts":{}}` + "\n"
	require.Equal(t, want, o.stdout)
}

func TestAnInvalidRequestIsNotAFailure(t *testing.T) {
	const nameless = "<<<[TOOL_REQUEST]>>>a:「始」b「末」<<<[END_TOOL_REQUEST]>>>"
	o := invocation{args: []string{"parse"}, stdin: nameless}.run(t)
	o.succeeded(t)
	got := replyOf(t, o.stdout)
	require.Equal(t, "invalid", got.Requests[0].Status)
	require.Equal(t, map[string]string{"a": "b"}, got.Requests[0].Args)
	require.Equal(t, 1, strings.Count(o.stdout, "\n"), "one object, one line")
}
