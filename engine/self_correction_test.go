package engine_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
)

var update = flag.Bool("update", false, "rewrite the conversations in testdata, after a deliberate change")

// correctionTexts are what the person asks and what the model writes before its requests, by the
// number of the reply. The fourth reply is empty.
type correctionTexts struct{ question, first, second, third, fifth, sixth, answer string }

var textsByLanguage = map[string]correctionTexts{
	"en": {
		"Which files are in docs?", "Let me look.", "That tool does not exist; I meant another one.",
		"Right, the argument is called path.", "I look at the folder below it, too.", "I look once more.",
		"There are two files: docs/guide.md and docs/api/index.md.",
	},
	"zh": {
		"docs 里有哪些文件？", "我看一下。", "没有这个工具，我要用的是另一个。", "对，参数名是 path。",
		"再看看下面的目录。", "再看一次。", "共有两个文件：docs/guide.md 和 docs/api/index.md。",
	},
}

// TestAModelCorrectsItsCalls makes a model on a server call an unknown tool, then a known one with
// wrong arguments, then with right ones. Then the model writes an empty reply, makes a call in the
// last reply that may make one, and requests one call more. Files in testdata show what the model
// is told each time.
func TestAModelCorrectsItsCalls(t *testing.T) {
	for _, p := range []protocol.Protocol{vcp.Protocol{}, hermes.Protocol{}} {
		for language, texts := range textsByLanguage {
			name := p.ID() + "-" + language
			t.Run(name, func(t *testing.T) {
				correctsItsCalls(t, p, language, &texts, filepath.Join("testdata", "self_correction", name+".txt"))
			})
		}
	}
}

func correctsItsCalls(t *testing.T, p protocol.Protocol, language string, texts *correctionTexts, golden string) {
	reply := func(text, method string, arguments ...protocol.Argument) modelserver.Reply {
		request, err := p.FormatToolRequests([]protocol.ToolRequest{{ToolName: method, Arguments: arguments}})
		require.NoError(t, err)
		return modelserver.Text(text + "\n" + request)
	}
	argument := func(name, value string) protocol.Argument { return protocol.Argument{Name: name, Value: value} }
	server := modelserver.Start(
		t,
		reply(texts.first, "file_list", argument("path", "docs")),
		reply(texts.second, "files_list", argument("pth", "docs"), argument("recursive", "perhaps")),
		reply(texts.third, "files_list", argument("path", "docs"), argument("recursive", "yes")),
		modelserver.Text(""),
		reply(texts.fifth, "files_list", argument("path", "docs/api")),
		reply(texts.sixth, "files_list", argument("path", "docs/api")),
		modelserver.Text(texts.answer),
	)
	client, err := model.New(model.Options{BaseURL: server.URL, Model: "scripted"})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	e := newEngine(
		t, docsTools(t), client, withProtocol(p),
		config(func(c *engine.Config) { c.MaxIterations = 5 }),
		func(o *engine.Options) {
			o.Profile = &engine.Profile{Prompt: protocol.PromptOptions{Language: language}}
		},
	)
	o := run(t, e.NewSession("correcting"), []protocol.Message{{Role: protocol.RoleUser, Content: texts.question}})
	require.Equal(t, engine.StopMaxIterations, o.stop)
	stats := e.Stats()
	require.Equal(t, []int{4, 2}, []int{stats.Calls, stats.Succeeded})
	require.Equal(t, []int{1, 1}, []int{stats.UnknownNames, stats.InventedArguments})
	require.Equal(t, []int{2, 1}, []int{stats.Mistakes, stats.Corrected},
		"the second call has the right name, and is still wrong")

	// The last request contains the whole conversation without its reply.
	requests := server.Requests()
	messages := requests[len(requests)-1].Messages
	first := slices.IndexFunc(messages, func(m modelserver.Message) bool { return m.Content == texts.question })
	got := transcript(append(messages[max(first, 0):], modelserver.Message{Role: "assistant", Content: texts.answer}))
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(golden), 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs; after a deliberate change, rewrite it with "+
			"go test ./engine -run TestAModelCorrectsItsCalls -update (-want +got):\n%s", golden, diff)
	}
}

// docsTools returns the default tools over two files in docs.
func docsTools(t *testing.T) *tool.Registry {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "docs", "api"), 0o700))
	for _, name := range []string{"docs/guide.md", "docs/api/index.md"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { _ = root.Close() })
	tools, err := builtin.Tools(root)
	require.NoError(t, err)
	registry := tool.NewRegistry()
	require.NoError(t, registry.Register(tools...))
	return registry
}

// transcript returns messages as a text; the first message is the person's.
func transcript(messages []modelserver.Message) string {
	var b strings.Builder
	b.WriteString("A model with five replies that may use tools: it calls an unknown tool, " +
		"then with wrong arguments, then rightly. It\nwrites nothing, calls a tool in the fifth reply, and requests another call. " +
		"The system message, which defines the tools, is omitted.\n")
	for i, m := range messages {
		who := "the model"
		switch {
		case i == 0:
			who = "the person"
		case m.Role == "user":
			who = "the model is told"
		}
		fmt.Fprintf(&b, "\n-- %s --\n%s\n", who, strings.TrimSpace(m.Content))
	}
	return b.String()
}
