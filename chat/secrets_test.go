package chat_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
)

// Three secrets that the engine knows, each from another source, and one that is recognized by its
// form.
const (
	modelKey  = "key-of-the-model-1"
	toolKey   = "key-of-the-tool-22"
	serverKey = `key "of" the server 3`
	formKey   = "sk-" + "proj-a1B2c3D4e5F6g7H8i9J0k1" // in two parts, so that no scanner reports it
)

// keyedScript is a model whose secret is modelKey.
type keyedScript struct{ script }

func (*keyedScript) Secrets() []string { return []string{modelKey} }

// keyedEngine returns an engine that knows modelKey, toolKey and serverKey. Its tool "t" has the
// given methods.
func keyedEngine(t testing.TB, replies []reply, change func(*engine.Options), methods ...tool.Method) *engine.Engine {
	t.Helper()
	reg := tool.NewRegistry()
	require.NoError(t, reg.Register(tool.Tool{ID: "t", Secrets: []string{toolKey}, Methods: methods}))
	return engineOn(t, reg, &keyedScript{script{replies: replies}}, func(o *engine.Options) {
		o.Secrets = func() []string { return []string{serverKey} }
		if change != nil {
			change(o)
		}
	})
}

// storedText returns everything that a store contains about a conversation, and its export.
func storedText(t testing.TB, s chat.Store, id string) string {
	t.Helper()
	m, err := s.Metadata(t.Context(), id)
	require.NoError(t, err)
	text, err := json.Marshal(m)
	require.NoError(t, err)
	list, err := s.Entries(t.Context(), id, 0, 0)
	require.NoError(t, err)
	for _, e := range list {
		text = append(append(text, e.Data...), e.Text...)
	}
	b := bytes.NewBuffer(text)
	require.NoError(t, chat.Export(t.Context(), b, s, id))
	return b.String()
}

// Each part of a turn contains the secret under test, but the store must not contain it.
func TestStoredConversationsLackSecrets(t *testing.T) {
	for _, secret := range []string{modelKey, toolKey, serverKey, formKey} {
		t.Run(secret, func(t *testing.T) {
			show, err := tool.Raw("show", "does show", json.RawMessage(`{"type":"object"}`),
				func(context.Context, *tool.Call) (tool.Output, error) {
					return tool.Output{
						Text: "It is " + secret, Details: map[string]any{"is " + secret: secret}, Files: []tool.File{{
							Name: secret, MediaType: "text/plain", Data: []byte("It is " + secret + "\n"),
						}},
					}, nil
				}, tool.AgentCallable())
			require.NoError(t, err)
			request := block(t, "t_show", "text", secret, "label", secret)
			e := keyedEngine(t, []reply{
				says("<think>"+secret+"</think>I use "+secret+". ", request), says("```\n", request, "```\n"+secret),
				says("It was " + secret),
			}, nil, show)
			store := chat.NewMemoryStore()
			c, err := chat.New(e, chat.Options{ID: "a", Store: store, Title: "With " + secret, Tags: []string{secret}})
			require.NoError(t, err)
			require.NoError(t, collect(t, c.Send(t.Context(), "Here is "+secret)).err)

			all := storedText(t, store, "a")
			encoded, err := json.Marshal(secret)
			require.NoError(t, err)
			assert.NotContains(t, all, secret)
			assert.NotContains(t, all, string(encoded[1:len(encoded)-1]))
			opened := reopened(t, store, e).History()
			history := c.History()
			require.Len(t, opened, len(history))
			assert.Equal(t, "Here is "+secret, history[0].Content, "in memory the secret stays")
			assert.Equal(t, "Here is [secret]", opened[0].Content)
			require.Len(t, opened[2].Outcomes, 1)
			assert.Equal(t, "It is "+secret, history[2].Outcomes[0].Result)
			assert.Equal(t, "It is [secret]", opened[2].Outcomes[0].Result)
			assert.JSONEq(t, `{"is [secret]":"[secret]"}`, string(opened[2].Outcomes[0].Details))
			require.Len(t, opened[2].Outcomes[0].Files, 1)
			assert.Equal(t, "It is [secret]\n", string(opened[2].Outcomes[0].Files[0].Data))
			m, err := store.Metadata(t.Context(), "a")
			require.NoError(t, err)
			assert.Equal(t, "With [secret]", m.Title)
			assert.Equal(t, []string{"[secret]"}, m.Tags)

			var export bytes.Buffer
			unmask := strings.NewReplacer("[secret]", string(encoded[1:len(encoded)-1]))
			require.NoError(t, chat.Export(t.Context(), &export, store, "a"))
			_, err = chat.Import(t.Context(), store, strings.NewReader(unmask.Replace(export.String())),
				chat.ImportOptions{ID: "b", Secrets: e.Secrets()})
			require.NoError(t, err)
			assert.NotContains(t, storedText(t, store, "b"), secret)
		})
	}
}

// The secrets that nobody names any more are still in the conversation, and the model repeats them.
func TestFormerSecretsAreNotStored(t *testing.T) {
	for name, secret := range map[string]string{"of a tool": toolKey, "of the application": serverKey} {
		t.Run(name, func(t *testing.T) {
			reg := tool.NewRegistry()
			show := fn(t, "show", func(context.Context, in) (string, error) { return "It is " + secret, nil })
			require.NoError(t, reg.Register(tool.Tool{ID: "t", Secrets: []string{toolKey}, Methods: []tool.Method{show}}))
			named := []string{serverKey}
			model := &script{replies: []reply{says(block(t, "t_show")), says("It was " + secret)}}
			e := engineOn(t, reg, model, func(o *engine.Options) { o.Secrets = func() []string { return named } })
			store := chat.NewMemoryStore()
			c := newInStore(t, store, e)
			model.beforeDelta = func(int) {
				if len(model.requests) == 2 {
					reg.Unregister("t")
					named = nil
				}
			}
			require.NoError(t, collect(t, c.Send(t.Context(), "Show it.")).err)
			all := storedText(t, store, "a")
			assert.Contains(t, all, "It is [secret]")
			assert.Contains(t, all, "It was [secret]")
		})
	}
}

func TestATitleShowsNoPartOfASecret(t *testing.T) {
	for _, tt := range []struct{ name, beforeSecret, title string }{
		{"a title that ends within the secret", strings.Repeat("x", 70) + " ", strings.Repeat("x", 70) + " [secret]"},
		{"a secret across the end of the first 8 KiB", "x" + strings.Repeat(" ", 8<<10-10), "x [secret]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := chat.NewMemoryStore()
			c := newInStore(t, store, keyedEngine(t, []reply{says("Yes.")}, nil,
				fn(t, "echo", func(context.Context, in) (string, error) { return "", nil })))
			require.NoError(t, collect(t, c.Send(t.Context(), tt.beforeSecret+toolKey)).err)
			m, err := store.Metadata(t.Context(), "a")
			require.NoError(t, err)
			require.Equal(t, tt.title, m.Title)
		})
	}
}

// A call that contains a secret runs in the process that has the secret. After a restart the call
// is refused, whether it was dispatched or a person was being asked.
func TestCallsWithSecretsAreRefusedAfterARestart(t *testing.T) {
	for _, tt := range []struct{ name, argument, value string }{
		{"a known secret", "text", "use " + toolKey},
		{"the form of a secret", "text", "password=hunter2"},
		{"an argument with the name of a secret", "password", "hunter2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			const schema = `{"type":"object","properties":{"text":{"type":"string"},"password":{"type":"string"}}}`
			method, err := tool.Raw("use", "does use", json.RawMessage(schema),
				func(_ context.Context, c *tool.Call) (tool.Output, error) {
					got = append(got, string(c.Arguments))
					return tool.Output{Text: "used"}, nil
				}, tool.AgentCallable(), tool.WithRisk(tool.RiskDangerous))
			require.NoError(t, err)
			replies := []reply{says(block(t, "t_use", tt.argument, tt.value)), says("Done.")}
			allowAll := func(o *engine.Options) {
				o.Approver = func(_ context.Context, q executor.Question) (executor.Answer, error) {
					return q.Allow(), nil
				}
			}
			inManual := func(o *engine.Options) { o.Config.Mode = engine.ModeManual }
			dispatched := func(t *testing.T) (*chat.MemoryStore, *chat.Conversation) {
				got = nil
				store := chat.NewMemoryStore()
				c := newInStore(t, store, keyedEngine(t, replies, inManual, method))
				require.Equal(t, engine.StopManual, collect(t, c.Send(t.Context(), "Go.")).stop)
				require.NotContains(t, storedText(t, store, "a"), tt.value)
				return store, c
			}
			t.Run("dispatched, in its process", func(t *testing.T) {
				_, c := dispatched(t)
				require.NoError(t, collect(t, c.Resolve(t.Context(), approve(c, "1.1"))).err)
				require.Len(t, got, 1)
				require.Contains(t, got[0], tt.value)
			})
			t.Run("dispatched, after a restart", func(t *testing.T) {
				store, _ := dispatched(t)
				c := reopened(t, store, keyedEngine(t, replies[1:], inManual, method))
				require.NotEmpty(t, c.Pending()[0].Problem)
				require.NoError(t, collect(t, c.Resolve(t.Context(), approve(c, "1.1"))).err)
				require.Empty(t, got)
				require.Equal(t, executor.ErrorCanceled, c.History()[2].Outcomes[0].ErrorType)
			})
			t.Run("interrupted while a person is asked", func(t *testing.T) {
				got = nil
				memory := chat.NewMemoryStore()
				store := &failingStore{Store: memory}
				store.appends.Store(2) // the user's message, and the reply with the question
				c := newInStore(t, store, keyedEngine(t, replies, allowAll, method))
				require.Error(t, collect(t, c.Send(t.Context(), "Go.")).err)
				require.Empty(t, got)
				opened := reopened(t, memory, keyedEngine(t, replies[1:], allowAll, method))
				require.True(t, opened.Interrupted())
				require.NoError(t, collect(t, opened.Resume(t.Context())).err)
				require.Empty(t, got)
			})
		})
	}
}

func TestMaskSecretsMasksKnownAndLikelySecrets(t *testing.T) {
	e := keyedEngine(t, nil, nil, fn(t, "echo", func(context.Context, in) (string, error) { return "", nil }))
	require.Equal(t, "[secret] and [secret]", chat.MaskSecrets(e, modelKey+" and "+formKey))
}
