package vcpplugin

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/tool"
)

func TestManifestsAreReadInEachForm(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       manifest
	}{
		{"only a name", `{"name":" A "}`, manifest{name: "A", timeout: time.Minute}},
		{"the usual form", `{"name":"A","displayName":"甲","description":"d","pluginType":"synchronous","entryPoint":{"command":"node a.js"},
			"communication":{"protocol":"stdio","timeout":5000},"configSchema":{"K":{"type":"string","default":"v"},"L":"string"},
			"capabilities":{"invocationCommands":[{"commandIdentifier":"x","description":"does x"}]}}`, manifest{
			name: "A", title: "甲", description: "d", kind: "synchronous", protocol: "stdio", argv: []string{"node", "a.js"}, timeout: 5 * time.Second,
			defaults: []variable{{"K", "v"}}, commands: []invocation{{id: "x", description: "does x"}},
		}},
		{"a number as a text, a time limit of the entry point, no protocol", `{"name":7,"pluginType":"Synchronous",
			"entryPoint":{"command":["python","a b.py"],"timeout":"2500"}}`, manifest{
			name: "7", kind: "synchronous", protocol: "stdio", argv: []string{"python", "a b.py"}, timeout: 2500 * time.Millisecond,
		}},
		{"a list as the schema of the configuration", `{"name":"A","configSchema":[{"name":"N","default":1.50},
			{"name":"B","default":false},{"name":"O","default":{"a":[1]}},{"name":"E","default":""},{},3]}`, manifest{
			name: "A", timeout: time.Minute, defaults: []variable{{"N", "1.50"}, {"B", "false"}, {"O", `{"a":[1]}`}, {"E", ""}},
		}},
		{"arguments next to the command", `{"name":"A","entryPoint":{"command":"node","args":["a b.js",2]}}`, manifest{
			name: "A", protocol: "stdio", argv: []string{"node", "a b.js", "2"}, timeout: time.Minute,
		}},
		{"a script with arguments", `{"name":"A","entryPoint":{"script":"a.py","args":["-x"]}}`, manifest{
			name: "A", protocol: "stdio", argv: []string{"python", "a.py", "-x"}, timeout: time.Minute,
		}},
		{"an entry point that is a text", `{"name":"A","entryPoint":"node a.js"}`, manifest{
			name: "A", protocol: "stdio", argv: []string{"node", "a.js"}, timeout: time.Minute,
		}},
		{"a schema of the configuration with key in place of name", `{"name":"A","configSchema":[{"key":"K","default":"v"},{"key":"L"}]}`, manifest{
			name: "A", timeout: time.Minute, defaults: []variable{{"K", "v"}},
		}},
		{"a schema of the configuration with types", `{"name":"A",
			"configSchema":{"K":"string","L":{"type":"integer","default":5},"M":["x"]}}`, manifest{
			name: "A", timeout: time.Minute, defaults: []variable{{"L", "5"}},
		}},
		{"commands in all forms", `{"name":"A","capabilities":{"invocationCommands":[
			{"command":"a","args":[{"name":"p","type":"number","description":"d"}]},"b",{"commandIdentifier":"c","command":"short"},
			{"commandIdentifier":"a","description":"again"},{"description":"nameless"},{"example":"only an example","name":"e"},5,null]}}`, manifest{
			name: "A", timeout: time.Minute, commands: []invocation{
				{id: "a", description: "again", parameters: []parameter{{"p", "d"}}},
				{id: "b"},
				{id: "c", alias: "short"},
				{id: "command-5", description: "nameless"},
				{id: "e", description: "only an example"},
				{id: "command-7"},
				{id: "command-8"},
			},
		}},
		{"one command without a name", `{"name":"A","capabilities":{"invocationCommands":[{"description":"d"}]}}`, manifest{
			name: "A", timeout: time.Minute, commands: []invocation{{id: "A", description: "d"}},
		}},
		{"a mapping of commands", `{"name":"A","capabilities":{"invocationCommands":{
			"b":{"parameters":{"type":"object","properties":{"q":{"description":"d"}}}},"a":"does a"}}}`, manifest{
			name: "A", timeout: time.Minute, commands: []invocation{{id: "a", description: "does a"}, {id: "b", parameters: []parameter{{"q", "d"}}}},
		}},
		{"each field with a wrong type", `{"name":["A"],"pluginType":{},"entryPoint":5,"communication":"stdio",
			"configSchema":7,"capabilities":[],"aliases":"x"}`, manifest{
			timeout: time.Minute, aliases: []string{"x"}, argv: []string{"5"}, protocol: "stdio",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := readManifest([]byte(tt.text))
			require.NoError(t, err)
			got.argvErr = nil
			assert.Empty(t, cmp.Diff(&tt.want, got, cmp.AllowUnexported(manifest{}, variable{}, invocation{}, parameter{})))
		})
	}
}

func TestJSONIsReadAsPeopleWriteIt(t *testing.T) {
	utf16le := func(s string) string {
		b := []byte{0xff, 0xfe}
		for _, u := range utf16.Encode([]rune(s)) {
			b = append(b, byte(u), byte(u>>8))
		}
		return string(b)
	}
	for name, text := range map[string]string{
		"plain":               `{"a":"//x","b":[1]}`,
		"a byte order mark":   "\xef\xbb\xbf" + `{"a":"//x","b":[1]}`,
		"UTF-16":              utf16le(`{"a":"//x","b":[1]}`),
		"comments":            "// first\n{ /* two\nlines */ \"a\": \"//x\", // and\n \"b\":[1]}// end",
		"commas at the end":   "{\"a\":\"//x\",\"b\":[1, ],\n}",
		"an unclosed comment": `{"a":"//x","b":[1]} /* end`,
	} {
		t.Run(name, func(t *testing.T) {
			got, err := readObject([]byte(text))
			require.NoError(t, err)
			assert.Empty(t, cmp.Diff(map[string]any{"a": "//x", "b": []any{json.Number("1")}}, got))
		})
	}
	got, err := readObject([]byte("{\"a\":\"two\nlines\\\"\t\"}"))
	require.NoError(t, err)
	assert.Equal(t, "two\nlines\"\t", got["a"])
	got, err = readObject([]byte(`{"a":"C:\Users\u0041\\x\users` + "\\\n\x01" + `\"end",}`))
	require.NoError(t, err)
	assert.Equal(t, "C:\\UsersA\\x\\users\\\n\x01\"end", got["a"])
	for text, want := range map[string]string{
		"":                   "line 1: ",
		"[1]":                "line 1: it is not a JSON object",
		"{\n\"a\":\n1 2}":    "line 3: ",
		"{}\n{}":             "line 2: there is more after the object",
		"{\"a\": \"unclosed": "line 1: ",
	} {
		_, err := readObject([]byte(text))
		assert.ErrorContains(t, err, want)
	}
}

// TestAnyManifestIsRead checks that any JSON object is read without a panic, and that the tool of
// each manifest with commands can be registered.
func TestAnyManifestIsRead(t *testing.T) {
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		kinds := []*rapid.Generator[any]{
			rapid.SampledFrom([]any{
				"", "a", "stdio", "synchronous", "node x", "a b", "'", "x|y", nil, true, 5, -1.5, "1e400", "9999999999999", "\x00", "末",
			}).AsAny(),
		}
		if depth > 0 {
			kinds = append(kinds, rapid.SliceOfN(value(depth-1), 0, 3).AsAny(), rapid.MapOfN(rapid.SampledFrom([]string{
				"name", "command", "commandIdentifier", "description", "default", "type", "timeout", "protocol", "properties", "script", "x",
			}), value(depth-1), 0, 4).AsAny())
		}
		return rapid.OneOf(kinds...)
	}
	rapid.Check(t, func(t *rapid.T) {
		object := map[string]any{"pluginType": "synchronous"}
		for _, field := range []string{"name", "displayName", "aliases", "entryPoint", "communication", "configSchema"} {
			object[field] = value(3).Draw(t, field)
		}
		object["capabilities"] = map[string]any{"invocationCommands": value(4).Draw(t, "commands")}
		raw, err := json.Marshal(object)
		require.NoError(t, err)
		m, err := readManifest(raw)
		require.NoError(t, err)
		if m.name == "" {
			m.name = "folder"
		}
		p := &plugin{manifest: m, dir: "/"}
		made, problems := p.makeTool(p.toolID())
		require.Empty(t, problems)
		require.Len(t, made.Methods, len(m.commands))
		if len(made.Methods) > 0 {
			require.NoError(t, tool.NewRegistry().Register(made))
		}
	})
}

func FuzzManifest(f *testing.F) {
	files, err := filepath.Glob("testdata/Plugin/*/plugin-manifest.json*")
	require.NoError(f, err)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := readManifest(raw)
		if err != nil {
			return
		}
		p := &plugin{manifest: m}
		if made, problems := p.makeTool(p.toolID()); len(problems) == 0 && len(made.Methods) > 0 {
			require.NoError(t, tool.NewRegistry().Register(made))
		}
	})
}

func TestVariablesOfConfigEnvAreRead(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []variable
	}{
		{"plain", "A=1\nB = two words \nC=\n", []variable{{"A", "1"}, {"B", "two words"}, {"C", ""}}},
		{"comments", "# A=1\nB=x # y\nC=x#y\nD= # nothing\nE='a # b' # c\n", []variable{{"B", "x"}, {"C", "x#y"}, {"D", ""}, {"E", "a # b"}}},
		{"quotes", "A=\"a\\nb\\\"c\"\nB='a\\nb'\nC=`x\"'y`\nD=\"two\nlines\"\nE='open\nF=1\n", []variable{
			{"A", "a\nb\"c"}, {"B", "a\\nb"}, {"C", "x\"'y"}, {"D", "two\nlines"}, {"E", "'open"}, {"F", "1"},
		}},
		{"export, and the line ends of Windows", "export A=1\r\nB=2\r\n", []variable{{"A", "1"}, {"B", "2"}}},
		{"nothing is expanded", "A=$B${C}$(id)\n", []variable{{"A", "$B${C}$(id)"}}},
		{"lines that are not variables", "hello\n=x\na b=c\n\nA=1", []variable{{"A", "1"}}},
		{"an equals sign in a value", "A=b=c==", []variable{{"A", "b=c=="}}},
		{"a byte order mark", "\xef\xbb\xbfA=1", []variable{{"A", "1"}}},
	} {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, parseEnv([]byte(tt.text))) })
	}
}

func TestCommandLinesAreSplitWithoutAShell(t *testing.T) {
	for line, want := range map[string][]string{
		"node a.js":                 {"node", "a.js"},
		"  python  -u \t main.py ":  {"python", "-u", "main.py"},
		`node "a b.js" --x='1 2'""`: {"node", "a b.js", "--x=1 2"},
		`run '' "|"`:                {"run", "", "|"},
		`C:\tools\run.exe a\b`:      {`C:\tools\run.exe`, `a\b`},
	} {
		got, err := splitCommandLine(line)
		require.NoError(t, err, line)
		assert.Equal(t, want, got)
	}
	for _, line := range []string{
		"", "  ", "''", "cd x && node y", "a | b", "node $X", "node `id`", "a;b", "a > b", "(a)", `"open`, "K=v node x", "a\x00", "a '\x00'",
	} {
		_, err := splitCommandLine(line)
		require.Error(t, err, line)
	}
}

func TestTheLastReplyInTheOutputCounts(t *testing.T) {
	for _, tt := range []struct{ name, printed, result string }{
		{"alone", `{"status":"success","result":"x"}`, `"x"`},
		{
			"over several lines",
			"{\n  \"status\": \"success\",\n  \"result\": {\n\"status\": \"y\"}\n}\n", "{\n\"status\": \"y\"}",
		},
		{"among other output", "a {\"b\":1} c {\"status\":\"success\",\"result\":1} d }", "1"},
		{"after another reply", "{\"status\":\"success\",\"result\":1}\n{\"status\":\"success\",\"result\":2}\n{\"other\":3}", "2"},
		{"after another reply in the line", `x {"status":"success","result":1} {"status":"success","result":2}`, "2"},
		{"indented", `   {"status":"success","result":1}`, "1"},
		{"after a byte order mark", "\xef\xbb\xbf{\"status\":\"success\",\"result\":1}", "1"},
		{"after many braces", strings.Repeat("{", 1<<20) + "\n{\"status\":\"success\",\"result\":1}", "1"},
		{"after deep nesting", strings.Repeat(`{"a":`, 1<<16) + "\n{\"status\":\"success\",\"result\":1}", "1"},
		{"an unknown status", `{"status":"ok","result":1}`, ""},
		{"truncated", `{"status":"success","result":"x`, ""},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := findReply([]byte(tt.printed))
			assert.Equal(t, tt.result != "", ok)
			assert.Equal(t, tt.result, string(got.Result))
		})
	}
}

func TestAResultMayBeTheWordNull(t *testing.T) {
	for _, tt := range []struct{ name, reply, want string }{
		{"no result", `{"status":"success","result":null}`, ""},
		{"the word", `{"status":"success","result":"null"}`, "null"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var r reply
			require.NoError(t, json.Unmarshal([]byte(tt.reply), &r))
			out, err := r.output(&plugin{}, "en")
			require.NoError(t, err)
			require.Equal(t, tt.want, out.Text)
		})
	}
}
