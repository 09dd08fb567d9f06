//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/internal/modelserver"
)

func TestModelNameCannotSteerTheTerminal(t *testing.T) {
	s := modelserver.Start(t)
	s.SetModels("good\x1b]0;title\x07\u202e\n> all is well")
	p := atTerminal(t, invocation{args: []string{"chat", "--base-url", s.URL}, env: []string{"NO_COLOR=1"}})
	p.expect(`characters or a secret: "good]0;title > all is well"; name the model`)
	p.exits(1)
}

func TestAChatBeginsInTheLanguageOfTheLocale(t *testing.T) {
	s := modelserver.Start(t)
	p := talk(t, s, invocation{env: []string{"LC_ALL=zh_CN.UTF-8"}})
	p.expect("正在与 " + s.URL + " 上的 scripted 对话。")
	p.quits()
}

func TestResultCannotSteerTheTerminal(t *testing.T) {
	dir := t.TempDir()
	const content = "one\ttwo\n\x1b]0;title\x07\u202ethree ❤\ufe0f\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte(content), 0o600))
	call := invocation{args: []string{"call", "--root", dir, "files_read", "path=a.txt"}}
	p := atTerminal(t, call)
	p.expect("]0;titlethree ❤\ufe0f")
	p.exits(cli.ExitOK)
	require.NotContains(t, p.shown(), "\x1b")
	require.NotContains(t, p.shown(), "\u202e")

	o := call.run(t)
	o.succeeded(t)
	require.Contains(t, o.stdout, content, "output that is not a terminal gets the bytes as they are")
}

func TestHistoryOfMessagesIsKept(t *testing.T) {
	home := t.TempDir()
	env := []string{"HOME=" + home, "XDG_STATE_HOME=" + filepath.Join(home, "state")}
	s := modelserver.Start(t, modelserver.Text("One."), modelserver.Text("Two."))
	p := talk(t, s, invocation{env: env})
	p.says("the first question", "One.")
	p.quits()

	path := filepath.Join(home, "state", "vcp", "history")
	requirePrivate(t, path)
	// A very long line does not prevent the later ones from being read.
	lines := strings.Repeat("long ", 2000) + "\nthe first question\n"
	require.NoError(t, os.WriteFile(path, []byte(lines), 0o600))

	p = talk(t, s, invocation{env: env})
	p.expect("> ")
	p.types(up)
	p.expect("the first question")
	p.types("\r")
	p.expect("Two.")
	p.quits()
	require.Equal(t, "the first question", s.Requests()[1].Last())
}

func TestTheHistoryOfMessagesLacksSecrets(t *testing.T) {
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"what a chat keeps is masked": {nil, "my password=[secret]\n"},
		"--no-store keeps nothing":    {[]string{"--no-store"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			state := t.TempDir()
			s := modelserver.Start(t, modelserver.Text("One."))
			p := talk(t, s, invocation{args: tt.args, env: []string{"XDG_STATE_HOME=" + state}})
			p.says("my password=Xk29fQz7Lm", "One.")
			p.quits()
			kept, _ := os.ReadFile(filepath.Join(state, "vcp", "history")) // no file is an empty history
			require.Equal(t, tt.want, string(kept))
		})
	}
}

func TestAChatNeedsNoHistoryFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	s := modelserver.Start(t, modelserver.Text("One."))
	p := talk(t, s, invocation{env: []string{"XDG_STATE_HOME=" + file}})
	p.expect("history of messages is not kept")
	p.says("hi", "One.")
	p.quits()
}

func TestTheEnvironmentCanSwitchColorsOff(t *testing.T) {
	for _, tt := range []struct {
		name    string
		env     []string
		colored bool
	}{
		{"a terminal has colors", nil, true},
		{"NO_COLOR is respected", []string{"NO_COLOR=1"}, false},
		{"an empty NO_COLOR is ignored", []string{"NO_COLOR="}, true},
		{"a dumb terminal has no colors", []string{"TERM=dumb"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			call := modelserver.Reply{
				Reasoning: []string{"Hm."}, Pieces: []string{request(t, "clock_now")}, Finish: "stop",
			}
			s := modelserver.Start(t, call, modelserver.Text("Late."))
			p := talk(t, s, invocation{args: []string{"hi"}, env: tt.env})
			p.expect("[reasoning]")
			p.expect("Late.")
			p.exits(cli.ExitOK)
			require.Equal(t, tt.colored, strings.Contains(p.shown(), "\x1b["))
		})
	}
}
