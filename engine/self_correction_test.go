package engine_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
)

var update = flag.Bool("update", false, "rewrite the conversations in testdata, after a deliberate change")

// TestAModelCorrectsItsCalls makes a model on a server write one wrong request after the other, and
// shows each error as the model saw it.
func TestAModelCorrectsItsCalls(t *testing.T) {
	server := modelserver.Start(t,
		modelserver.Text("Let me look.\n"+block(t, "file_list", "path", "docs")),
		modelserver.Text("That tool does not exist; I meant another one.\n"+block(t, "files_list", "pth", "docs", "recursive", "perhaps")),
		modelserver.Text("Right, the argument is called path.\n"+block(t, "files_list", "path", "docs", "recursive", "yes")),
		modelserver.Text("There are two files: docs/guide.md and docs/api/index.md."))
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
	client, err := model.New(model.Options{BaseURL: server.URL, Model: "scripted"})
	require.NoError(t, err)
	t.Cleanup(client.Close)

	e := newEngine(t, registry, client)
	asked := []protocol.Message{{Role: protocol.RoleUser, Content: "Which files are in docs?"}}
	o := run(t, e.NewSession("correcting"), asked)
	require.Equal(t, engine.StopDone, o.stop)
	f := e.Stats()
	require.Equal(t, []int{3, 1, 1, 1, 2, 1}, []int{f.Calls, f.Succeeded, f.UnknownNames, f.InventedArguments, f.Mistakes, f.Corrected},
		"the second call corrects the name of the first, and is still wrong")

	// The last request contains the whole conversation without its reply.
	requests := server.Requests()
	var b strings.Builder
	b.WriteString("A model that calls an unknown tool, then with wrong arguments, then rightly, and what it is told each time.\n" +
		"The system message, which tells of the tools, is left out.\n")
	messages := requests[len(requests)-1].Messages[1:]
	messages = append(messages, modelserver.Message{Role: "assistant", Content: o.iterations[3].Raw})
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
	path := filepath.Join("testdata", "self_correction.txt")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String(), "go test ./engine -run TestAModelCorrectsItsCalls -update rewrites it, after a deliberate change")
}
