package chat_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/protocol"
)

// damage returns a JSON value in which one part was changed, removed or repeated.
func damage(t *rapid.T, v any) any {
	switch v := v.(type) {
	case []any:
		if len(v) == 0 {
			return []any{map[string]any{}}
		}
		i := rapid.IntRange(0, len(v)-1).Draw(t, "index")
		switch rapid.IntRange(0, 5).Draw(t, "list") {
		case 0:
			return slices.Insert(slices.Clone(v), i, v[i])
		case 1:
			return slices.Delete(slices.Clone(v), i, i+1)
		default:
			v = slices.Clone(v)
			v[i] = damage(t, v[i])
			return v
		}
	case map[string]any:
		if len(v) == 0 {
			return nil
		}
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(v))).Draw(t, "name")
		v = maps.Clone(v)
		if rapid.IntRange(0, 5).Draw(t, "object") == 0 {
			delete(v, name)
		} else {
			v[name] = damage(t, v[name])
		}
		return v
	}
	return rapid.SampledFrom([]any{
		nil, "", "x", "vcp", "1.1-aaaaaaaaaaaa", -1, 0, 7, 1 << 40, true, false, []any{}, map[string]any{},
	}).Draw(t, "value")
}

// nativeExport returns the export of a conversation in which native calls wait for decisions.
func nativeExport(t *testing.T) string {
	store := chat.NewMemoryStore()
	c := newInStore(t, store, engineOf(t, &native{script{replies: []reply{calls("Look.",
		protocol.ToolCall{ID: "c1", Name: "t_echo", Arguments: `{"text":"hi"}`},
		protocol.ToolCall{ID: "c2", Name: "t_none", Arguments: `{`},
	)}}}, manual))
	collect(t, c.Send(t.Context(), "Go on."))
	text := exported(t, store)
	require.Contains(t, text, `"toolCalls"`)
	return text
}

// An export that Import accepts can be read, and the conversation can continue. (A law is a
// property that rapid checks with generated inputs.)
func TestLawWhatImportAcceptsCanBeRead(t *testing.T) {
	var exports []map[string]any
	for _, text := range []string{exported(t, branched(t)), nativeExport(t)} {
		var export map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &export))
		exports = append(exports, export)
	}
	accepted := 0
	rapid.Check(t, func(rt *rapid.T) {
		export := maps.Clone(rapid.SampledFrom(exports).Draw(rt, "export"))
		entries := slices.Clone(export["entries"].([]any))
		for range rapid.IntRange(1, 3).Draw(rt, "times") {
			e := maps.Clone(rapid.SampledFrom(entries).Draw(rt, "entry").(map[string]any))
			e["data"] = damage(rt, e["data"])
			entries[int(e["seq"].(float64))-1] = e
		}
		export["entries"] = entries
		file, err := json.Marshal(export)
		require.NoError(rt, err)
		store := chat.NewMemoryStore()
		m, err := chat.Import(t.Context(), store, bytes.NewReader(inOrder(t, file)), chat.ImportOptions{})
		if err != nil {
			if !errors.As(err, new(*chat.InvalidError)) {
				require.ErrorAs(rt, err, new(*chat.ImportError))
			}
			return
		}
		accepted++
		for seq := range m.Entries {
			_, _, err := chat.ReadPage(t.Context(), store, "a", seq+1, 1000)
			require.NoError(rt, err)
		}
		model := &script{replies: []reply{says("Well.")}}
		c, err := chat.Open(t.Context(), engineOf(t, model, nil), chat.Options{Store: store, ID: "a"})
		require.NoError(rt, err)
		for _, err := range c.Send(t.Context(), "Go on.") {
			require.NoError(rt, err)
		}
	})
	require.Positive(t, accepted)
}

func TestImportRefusesTwoRequestsOfOneID(t *testing.T) {
	good := exported(t, branched(t))
	firstRequest := strings.Index(good, `"requests":[`) + len(`"requests":[`)
	var request json.RawMessage
	require.NoError(t, json.NewDecoder(strings.NewReader(good[firstRequest:])).Decode(&request))
	bad := good[:firstRequest] + string(request) + "," + good[firstRequest:]
	_, err := chat.Import(t.Context(), chat.NewMemoryStore(), strings.NewReader(bad), chat.ImportOptions{})
	var refused *chat.ImportError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "entries[1]", refused.Part)
}

// panickingStore panics when entries are appended, and counts the renewals of leases.
type panickingStore struct {
	chat.Store
	renewals atomic.Int64
}

func (s *panickingStore) Append(context.Context, chat.Lease, int64, ...chat.Entry) (int64, error) {
	panic("a bug of the store")
}

func (s *panickingStore) Renew(ctx context.Context, l chat.Lease) error {
	s.renewals.Add(1)
	return s.Store.Renew(ctx, l)
}

func TestAnImportThatPanicsRenewsNoLease(t *testing.T) {
	export := nativeExport(t)
	synctest.Test(t, func(t *testing.T) {
		s := &panickingStore{Store: chat.NewMemoryStore()}
		require.Panics(t, func() {
			_, _ = chat.Import(t.Context(), s, strings.NewReader(export), chat.ImportOptions{})
		})
		time.Sleep(time.Minute)
		require.Zero(t, s.renewals.Load())
	})
}

// cancelingStore cancels a context after a conversation was created.
type cancelingStore struct {
	chat.Store
	cancel context.CancelFunc
}

func (s *cancelingStore) Create(ctx context.Context, m chat.Metadata) error {
	defer s.cancel()
	return s.Store.Create(ctx, m)
}

func TestACanceledImportAddsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &cancelingStore{chat.NewMemoryStore(), cancel}
	_, err := chat.Import(ctx, s, strings.NewReader(nativeExport(t)), chat.ImportOptions{})
	require.ErrorIs(t, err, context.Canceled)
	list, _, err := s.List(t.Context(), chat.ListOptions{})
	require.NoError(t, err)
	require.Empty(t, list)
}
