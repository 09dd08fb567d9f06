//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// steering is foreign text that sets the title of a terminal, erases its screen, and reverses what
// follows. Commands must show it without the characters that do this.
const steering = "steered \x1b]0;title\x07 \x1b[2J \u009b2J \r \u202egnp.exe \u2066"

// isNotSteered waits for the end of the command and checks that its screen shows the steering text
// without the characters that steer.
func (p *person) isNotSteered(status int) {
	p.t.Helper()
	p.exits(status)
	require.NoError(p.t, p.tty.Close())
	<-p.ended
	shown := strings.ReplaceAll(p.shown(), "\r\n", "\n")
	require.Contains(p.t, shown, "steered", "the foreign text")
	for at, r := range shown {
		require.True(p.t, r == '\n' || r == '\t' || !unicode.In(r, unicode.Cc, unicode.Bidi_Control),
			"%U in %q", r, shown[max(0, at-40):min(len(shown), at+40)])
	}
}

func TestNoCommandLetsForeignTextSteerTheTerminal(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	quoted := strconv.QuoteToASCII(steering)
	quotedJSON, err := json.Marshal(steering)
	require.NoError(t, err)
	store := []string{"--store", filepath.Join(dir, "chats.db")}
	exported := file("export.json", `{"format":"vcp-conversation","version":1,"exported":"2026-03-01T12:00:00Z",`+
		`"conversation":{"id":"trip","title":`+string(quotedJSON)+`,"created":"2026-03-01T10:00:00Z",`+
		`"updated":"2026-03-01T10:00:09Z","tip":1,"entries":1,"bytes":1},"entries":[`+
		`{"seq":1,"parent":0,"kind":"user","time":"2026-03-01T10:00:00Z","data":`+
		`{"kind":"user","time":"2026-03-01T10:00:00Z","user":{"role":"user","content":`+string(quotedJSON)+`}}}]}`)
	invocation{args: append([]string{"sessions", "import", exported}, store...)}.run(t).succeeded(t)
	reply := "Hi " + steering + request(t, "calculator_evaluate", "expression", steering) +
		request(t, "none", "label", steering)
	tools := file("tools.yaml", "tools:\n  - id: notes\n    description: "+quoted+"\n    methods:\n"+
		"      - name: append\n        description: "+quoted+"\n        run: [echo, "+quoted+"]\n")
	broken := file("broken.yaml", "tools:\n  - id: "+quoted+"\n")
	replies := func() string {
		first := modelserver.Reply{Reasoning: []string{steering}, Pieces: []string{reply}, Finish: "stop"}
		return modelserver.Start(t, first, modelserver.Text("Well, "+steering)).URL
	}
	tests := []struct {
		command string
		args    []string
		status  int
	}{
		{"chat", []string{"--base-url", replies(), "--model", "m", steering}, 0},
		{"chat", []string{"--base-url", replies(), "--model", "m", steering, "--json"}, 0},
		{"sessions list", store, 0},
		{"sessions list", append([]string{"--json"}, store...), 0},
		{"sessions show", append([]string{"trip"}, store...), 0},
		{"sessions show", append([]string{"trip", "--json"}, store...), 0},
		{"sessions search", append([]string{"steered"}, store...), 0},
		{"sessions search", append([]string{"steered", "--json"}, store...), 0},
		{"sessions export", append([]string{"trip"}, store...), 0},
		{"sessions export", append([]string{"trip", "--markdown"}, store...), 0},
		{"sessions import", append([]string{exported, "--session", steering}, store...), 0},
		{"sessions delete", append([]string{steering}, store...), 0},
		{"parse", []string{file("reply.txt", reply)}, 0},
		{
			"parse",
			[]string{"--jsonl", file("replies.jsonl", "{\"id\":[\r\"\u009b\"],\"text\":"+string(quotedJSON)+"}\n")},
			0,
		},
		{"prompt", []string{"--tools", tools}, 0},
		{
			"results",
			[]string{file("results.jsonl", `{"requestId":"1","toolName":"a","result":`+string(quotedJSON)+"}\n")},
			0,
		},
		{"tools", []string{"--tools", tools}, 0},
		{"tools", []string{"--tools", tools, "--json"}, 0},
		{"tools check", []string{broken}, 1},
		{"tools new", []string{filepath.Join(dir, steering)}, 1},
		{"call", []string{"--root", dir, "files_read", "path=reply.txt"}, 0},
		{"call", []string{"files_read", "path=" + steering}, 1},
		{"config", []string{"--system", steering}, 0},
		{"config", []string{"--system", steering, "--json"}, 0},
		{
			"eval",
			[]string{file("eval.jsonl", `{"id":`+string(quotedJSON)+`,"reply":"No.","expect":[{"steered":{}}]}`+"\n")},
			0,
		},
		{"eval", []string{"--json", filepath.Join(dir, "eval.jsonl")}, 0},
	}
	// These commands print no foreign text, or programs read their output.
	covered := []string{"mcp", "demo-model", "version", "help", "script-worker"}
	var asJSON []string
	for _, tt := range tests {
		covered = append(covered, tt.command)
		if slices.Contains(tt.args, "--json") {
			asJSON = append(asJSON, tt.command)
		}
		t.Run(tt.command, func(t *testing.T) {
			args := append(strings.Fields(tt.command), tt.args...)
			p := atTerminal(t, invocation{args: args, env: []string{"NO_COLOR=1", "TERM=dumb"}})
			p.isNotSteered(tt.status)
		})
	}
	var walk func(cmd *cobra.Command, path string)
	walk = func(cmd *cobra.Command, path string) {
		for _, sub := range cmd.Commands() {
			name := strings.TrimSpace(path + " " + sub.Name())
			walk(sub, name)
			if name == "sessions" { // it needs an action
				continue
			}
			require.Contains(t, covered, name, "a command that the test does not run")
			if sub.Flags().Lookup("json") != nil {
				require.Contains(t, asJSON, name, "a command whose JSON the test does not read")
			}
		}
	}
	walk(newRoot(cli.Streams{}), "")
}
