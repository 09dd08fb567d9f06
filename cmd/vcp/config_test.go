package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
)

// configured returns an environment in which the user has a configuration, and the path of its
// file.
func configured(t *testing.T, text string) (env []string, path string) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, "vcp", "config.yaml")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return []string{"XDG_CONFIG_HOME=" + dir}, path
}

// shown is the output of vcp config --json.
type shown struct {
	File   string
	Fields []struct {
		Name, From string
		Value      any
	}
}

// field returns the value of a field and what set it.
func (s *shown) field(name string) [2]any {
	for _, f := range s.Fields {
		if f.Name == name {
			return [2]any{f.Value, f.From}
		}
	}
	return [2]any{}
}

// showConfig runs vcp config --json.
func showConfig(t *testing.T, env []string, args ...string) *shown {
	t.Helper()
	o := invocation{args: append([]string{"config", "--json"}, args...), env: env}.run(t)
	o.succeeded(t)
	s := &shown{}
	require.NoError(t, json.Unmarshal([]byte(o.stdout), s))
	require.GreaterOrEqual(t, len(s.Fields), len(configuration.Fields))
	for i := range configuration.Fields {
		require.Equal(t, configuration.Fields[i].Name, s.Fields[i].Name)
	}
	return s
}

func TestFlagsWinOverTheEnvironmentAndTheFile(t *testing.T) {
	env, path := configured(t, `
model: from-file
baseUrl: http://file.example/v1
maxCalls: 7
maxIterations: 7
root: notes
toolToggles: {files: false}
approve: read
`)
	got := showConfig(t, append(env, configuration.EnvModel+"=from-environment"),
		"--max-calls", "8", "--tool-toggles", "clock=false", "--base-url", "http://flag.example/v1")
	require.Equal(t, path, got.File)
	for name, want := range map[string][2]any{
		"timeout":       {"30s", "default"},
		"maxIterations": {7.0, "file"},
		"model":         {"from-environment", configuration.EnvModel},
		"baseUrl":       {"http://flag.example/v1", "--base-url"},
		"maxCalls":      {8.0, "--max-calls"},
		"toolToggles":   {map[string]any{"files": false, "clock": false}, "--tool-toggles"},
		"approve":       {"read", "file"},
		"protocol":      {"vcp", "default"},
		"system":        {nil, "default"},
		"approveRules":  {nil, "default"},
		"root":          {filepath.Join(filepath.Dir(path), "notes"), "file"},
	} {
		require.Equal(t, want, got.field(name), name)
	}
}

func TestApproveClearsRequireConfirmation(t *testing.T) {
	env, _ := configured(t, "requireConfirmation: true\n")
	got := func(flags ...string) [2]any { return showConfig(t, env, flags...).field("requireConfirmation") }
	require.Equal(t, [2]any{true, "file"}, got())
	require.Equal(t, [2]any{false, "--approve"}, got("--approve", "all"))
	require.Equal(t, [2]any{true, "--require-confirmation"}, got("--approve", "all", "--require-confirmation"))
}

func TestAtMostOneFileIsRead(t *testing.T) {
	env, path := configured(t, "maxCalls: 7\n")
	other := filepath.Join(t.TempDir(), "other.yaml")
	require.NoError(t, os.WriteFile(other, []byte("maxIterations: 3\n"), 0o600))
	home := t.TempDir()
	inHome := filepath.Join(home, ".config", "vcp", "config.yaml")
	require.NoError(t, os.MkdirAll(filepath.Dir(inHome), 0o700))
	require.NoError(t, os.WriteFile(inHome, []byte("maxCalls: 9\n"), 0o600))
	for _, tt := range []struct {
		name  string
		env   []string
		args  []string
		file  string
		calls string // the value of maxCalls, 200 by default
	}{
		{"the file in XDG_CONFIG_HOME", env, nil, path, "7"},
		{"the file in the home directory", []string{"HOME=" + home}, nil, inHome, "9"},
		{
			"a relative XDG_CONFIG_HOME is ignored",
			[]string{"HOME=" + home, "XDG_CONFIG_HOME=config"},
			nil, inHome, "9",
		},
		{"the file that --config names", env, []string{"--config", other}, other, "200"},
		{"no file, by an empty --config", env, []string{"--config", ""}, "", "200"},
		{"no file, by --no-config", env, []string{"--no-config"}, "", "200"},
		{"no file in any of these places", nil, nil, "", "200"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.file == inHome && (runtime.GOOS == "windows" || runtime.GOOS == "darwin") {
				t.Skip("the directory is another one on this system")
			}
			got := showConfig(t, tt.env, tt.args...)
			require.Equal(t, tt.file, got.File)
			require.Equal(t, tt.calls, fmt.Sprint(got.field("maxCalls")[0]))
		})
	}
	t.Run("each command that reads the file reports an unknown field", func(t *testing.T) {
		env, path := configured(t, "maxCall: 7\n")
		for _, args := range [][]string{{"config"}, {"tools"}, {"prompt"}, {"chat", "hi"}, {"call", "clock_now"}} {
			o := invocation{args: args, env: env}.run(t)
			o.reported(t, cli.ExitFailure, path, "maxCall", "did you mean maxCalls?")
		}
		invocation{args: []string{"version"}, env: env}.run(t).succeeded(t)
		invocation{args: []string{"tools", "--no-config"}, env: env}.run(t).succeeded(t)
	})
}

func TestAChatUsesTheSettingsOfTheFile(t *testing.T) {
	s := modelserver.Start(t, modelserver.Text(request(t, "files_read", "path", "a.txt")), modelserver.Text("Done."))
	env, path := configured(t, "model: from-file\nbaseUrl: "+s.URL+"\nroot: notes\nsystem: Be kind.\n")
	require.NoError(t, os.Mkdir(filepath.Join(filepath.Dir(path), "notes"), 0o700))
	file := filepath.Join(filepath.Dir(path), "notes", "a.txt")
	require.NoError(t, os.WriteFile(file, []byte("a secret garden"), 0o600))
	invocation{args: []string{"chat", "hi"}, env: env}.run(t).succeeded(t)
	sent := s.Requests()
	require.Equal(t, "from-file", sent[0].Model)
	require.Contains(t, sent[0].System(), "Be kind.")
	require.Contains(t, sent[1].Last(), "a secret garden")
}

func TestAnErrorNamesTheFileThatSetsTheValue(t *testing.T) {
	env, path := configured(t, "model: m\n")
	o := invocation{args: []string{"chat", "hi"}, env: env}.run(t)
	o.reported(t, cli.ExitUsage, path+`: model is "m"`, "no server is named")
	env, path = configured(t, "root: missing\n")
	o = invocation{args: []string{"tools"}, env: env}.run(t)
	o.reported(t, cli.ExitFailure, path+": root cannot be opened")
	env, path = configured(t, "saveFiles: config.yaml\n")
	o = invocation{args: []string{"tools"}, env: env}.run(t)
	o.reported(t, cli.ExitFailure, path+": saveFiles is ", "config.yaml\", which is not a directory")
}

func TestALimitIsNamedWithTheFileThatSetsIt(t *testing.T) {
	s := modelserver.Start(t, modelserver.Text(request(t, "clock_now")), modelserver.Text("Late."))
	env, path := configured(t, "maxIterations: 1\nmodel: m\nbaseUrl: "+s.URL+"\n")
	o := invocation{args: []string{"chat", "hi"}, env: env}.run(t)
	o.reported(t, cli.ExitOK, "was reached ("+path+": maxIterations is 1)")
}

func TestAMalformedBaseURLIsNamedWithItsPlace(t *testing.T) {
	env, path := configured(t, "baseUrl: localhost:1234\n")
	o := invocation{args: []string{"chat", "hi"}, env: env}.run(t)
	o.reported(t, cli.ExitUsage, path+`: baseUrl: the base URL "localhost:1234" is not valid`)
	o = invocation{args: []string{"chat", "hi"}, env: append(env, configuration.EnvBaseURL+"=there")}.run(t)
	o.reported(t, cli.ExitUsage, configuration.EnvBaseURL+`: the base URL "there" is not valid`)
}

func TestTheConfigurationIsShownWithoutSecrets(t *testing.T) {
	env, _ := configured(t, "baseUrl: http://me:hush-password@127.0.0.1/v1?key=hush-query\n"+
		"system: \"the key is sk-hush-12345\"\n")
	env = append(env, configuration.EnvKey+"=sk-hush-12345")
	for _, args := range [][]string{{"config"}, {"config", "--json"}, {"config", "--base-url", "://hush"}} {
		o := invocation{args: args, env: env}.run(t)
		o.succeeded(t)
		require.NotContains(t, o.stdout, "hush")
		require.Contains(t, o.stdout, configuration.EnvKey)
		require.Contains(t, o.stdout, "[secret]")
	}
}

func TestTheConfigurationIsShownAsATable(t *testing.T) {
	env, path := configured(t, "system: \"one\\u001b[31m\\ntwo\"\nmaxTime: 90s\n")
	o := invocation{args: []string{"config"}, env: env}.run(t)
	o.succeeded(t)
	lines := strings.Split(o.stdout, "\n")
	require.Equal(t, "file: "+path, lines[0])
	require.Equal(t, []string{"FIELD", "VALUE", "FROM"}, strings.Fields(lines[2]))
	require.Contains(t, o.stdout, "\nmaxTime              1m30s        file\n")
	require.Contains(t, o.stdout, "\nprotocol             vcp          default\n")
	require.NotContains(t, o.stdout, "\x1b")
	o = runArgs(t, "config")
	require.Contains(t, o.stdout, "no file is read; the default is ")
}

func TestWarningsAreLinesForPeople(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vcp.yaml")
	require.NoError(t, os.WriteFile(path, []byte("toolToggles: {calculater: false}\n"), 0o600))
	o := runArgs(t, "tools", "--config", path)
	require.Equal(t, "vcp: toolToggles names no registered tool or method (name: calculater, nearest: calculator)\n",
		o.stderr)
}
