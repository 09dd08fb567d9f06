package sqlitestore_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/sqlitestore"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// Random conversations, in which all texts may contain secrets, are stored, exported and imported.
// Neither the files of the store nor the exports contain a secret.
func TestLawNoSecretIsInTheFile(t *testing.T) {
	secrets := []string{"a1B2c3D4", "correct horse battery", `"quoted\secret" & <more>`, "密钥-一二三四五六", "0123456789012345"}
	word := rapid.SampledFrom(append([]string{
		" ", "\n", "x", "password=", "“", "\\", `"`, "%", "+", "```", "你好", "{", "}", "tool", "=", ":", "<think>", "</think>",
	}, secrets...))
	text := rapid.Map(rapid.SliceOfN(word, 1, 8), func(words []string) string { return strings.Join(words, "") })
	enough, passed := longtest.Count(8, 100), 0
	rapid.Check(t, func(r *rapid.T) {
		if passed == enough { // the sample omits the other checks of rapid
			return
		}
		dir := t.TempDir()
		store, err := sqlitestore.Open(t.Context(), filepath.Join(dir, "store.db"), sqlitestore.Options{})
		if err != nil {
			r.Fatal(err)
		}
		defer store.Close()
		output := tool.Output{
			Text: text.Draw(r, "result"), Details: map[string]any{text.Draw(r, "name"): []string{text.Draw(r, "detail")}},
			Files: []tool.File{{Name: text.Draw(r, "file"), MediaType: "text/plain", Data: []byte(text.Draw(r, "data"))}},
		}
		look := method(t, "look", func(context.Context, *tool.Call) (tool.Output, error) { return output, nil })
		arguments := []protocol.Argument{{Name: "text", Value: text.Draw(r, "argument")}}
		if raw, _ := json.Marshal(map[string]string{text.Draw(r, "member"): text.Draw(r, "value")}); rapid.Bool().Draw(r, "json") {
			arguments = append(arguments, protocol.Argument{Name: "object", Value: string(raw), Form: protocol.FormJSON})
		}
		model := inTurn(text.Draw(r, "reply")+"\n\n"+callWith("shop_look", arguments...), text.Draw(r, "second"),
			text.Draw(r, "third"), "Done.")
		e := newEngine(t, model, func(o *engine.Options) { o.Secrets = func() []string { return secrets } }, look)
		c, err := chat.New(e, chat.Options{ID: "a", Store: store, Title: rapid.SampledFrom([]string{"", "a1B2c3D4"}).Draw(r, "title")})
		if err != nil {
			r.Fatal(err)
		}
		for range 2 {
			if _, err := rangeOver(c.Send(t.Context(), "x"+text.Draw(r, "message"))); err != nil {
				r.Fatal(err)
			}
		}
		var export bytes.Buffer
		if err := chat.Export(t.Context(), &export, store, "a"); err != nil {
			r.Fatal(err)
		}
		o := chat.ImportOptions{ID: "b", Secrets: secrets}
		if _, err := chat.Import(t.Context(), store, bytes.NewReader(export.Bytes()), o); err != nil {
			r.Fatal(err)
		}
		if err := chat.ExportMarkdown(t.Context(), &export, store, "a"); err != nil {
			r.Fatal(err)
		}
		files := map[string][]byte{"export": export.Bytes()}
		for _, name := range []string{"store.db", "store.db-wal", "store.db-shm"} {
			if files[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil && !os.IsNotExist(err) {
				r.Fatal(err)
			}
		}
		for name, content := range files {
			for _, secret := range secrets {
				quoted, _ := json.Marshal(secret) // encoding a string never fails
				for _, written := range []string{secret, string(quoted[1 : len(quoted)-1])} {
					if at := bytes.Index(content, []byte(written)); at >= 0 {
						r.Fatalf("%s contains %q: %q", name, secret, content[max(0, at-200):at+len(written)])
					}
				}
			}
		}
		passed++
	})
}
