package chat_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// branched returns a store with the conversation "a", which has calls and two branches.
func branched(t *testing.T) chat.Store {
	t.Helper()
	store := chat.NewMemoryStore()
	c, err := chat.New(engineOf(t, &script{replies: []reply{
		says("Look: ", block(t, "t_echo", "text", "```hi\n"), block(t, "t_fail")), says("It says *hi*."),
		says("Bye."), says("Farewell."),
	}}, nil), chat.Options{ID: "a", Store: store, Owner: "ann", Title: "A talk", Tags: []string{"x"}})
	require.NoError(t, err)
	collect(t, c.Send(t.Context(), "What does it say?"))
	collect(t, c.Send(t.Context(), "Bye!"))
	require.NoError(t, collect(t, c.Regenerate(t.Context(), c.History()[len(c.History())-1].Seq)).err)
	return store
}

// exported returns the export of the conversation "a".
func exported(t *testing.T, s chat.Store) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, chat.Export(t.Context(), &b, s, "a"))
	require.True(t, json.Valid(b.Bytes()))
	return b.String()
}

func TestAnExportCanBeImported(t *testing.T) {
	from, to := branched(t), chat.NewMemoryStore()
	text := exported(t, from)
	got, err := chat.Import(t.Context(), to, strings.NewReader(text), chat.ImportOptions{ID: "b", Owner: "bob"})
	require.NoError(t, err)
	want, err := from.Metadata(t.Context(), "a")
	require.NoError(t, err)
	want.ID, want.Owner, want.Imported = "b", "bob", want.Entries
	assert.Empty(t, cmp.Diff(want, got, cmpopts.IgnoreFields(chat.Metadata{}, "Fence", "Bytes")))
	entries, err := from.Entries(t.Context(), "a", 0, 0)
	require.NoError(t, err)
	copied, err := to.Entries(t.Context(), "b", 0, 0)
	require.NoError(t, err)
	assert.Empty(t, cmp.Diff(entries, copied, equalJSON))
	branches, err := chat.ReadBranches(t.Context(), to, "b")
	require.NoError(t, err)
	assert.Len(t, branches, 2)
}

func TestImportRefusesAnIDThatIsTaken(t *testing.T) {
	store := branched(t)
	_, err := chat.Import(t.Context(), store, strings.NewReader(exported(t, store)), chat.ImportOptions{})
	require.ErrorIs(t, err, chat.ErrConversationExists)
}

func TestExportNeedsAConversation(t *testing.T) {
	require.ErrorIs(t, chat.Export(t.Context(), &bytes.Buffer{}, branched(t), "no"), chat.ErrNoConversation)
}

// noEntries is a store that has lost the entries of its conversations.
type noEntries struct{ chat.Store }

func (noEntries) Entries(context.Context, string, int64, int) ([]chat.Entry, error) { return nil, nil }

func TestExportOfADamagedStoreFails(t *testing.T) {
	var bad *chat.StoreError
	require.ErrorAs(t, chat.Export(t.Context(), new(bytes.Buffer), noEntries{branched(t)}, "a"), &bad)
	require.Equal(t, chat.ProblemCorrupt, bad.Problem)
}

func TestTheExportInTheDocumentCanBeImported(t *testing.T) {
	text, err := os.ReadFile("../docs/conversations.md")
	require.NoError(t, err)
	_, example, found := strings.Cut(string(text), "```json\n")
	require.True(t, found)
	example, _, _ = strings.Cut(example, "```")
	store := chat.NewMemoryStore()
	m, err := chat.Import(t.Context(), store, strings.NewReader(example), chat.ImportOptions{})
	require.NoError(t, err)
	page, _, err := chat.ReadPage(t.Context(), store, m.ID, m.Tip, 0)
	require.NoError(t, err)
	require.Equal(t, []string{"user: Hi"}, brief(page))
}

func TestImportRefusesDamagedExports(t *testing.T) {
	good := exported(t, branched(t))
	for name, c := range map[string]struct{ old, new string }{
		"another_format":            {`"vcp-conversation"`, `"something"`},
		"a_newer_version":           {`"version":1`, `"version":2`},
		"no_format":                 {`"format"`, `"fromat"`},
		"no_id":                     {`"id":"a"`, `"id":""`},
		"a_gap":                     {`{"seq":2,`, `{"seq":3,`},
		"a_parent_that_comes_later": {`"parent":1,`, `"parent":2,`},
		"a_negative_parent":         {`"parent":1,`, `"parent":-1,`},
		"a_tip_that_is_no_entry":    {`"tip":`, `"tip":9`},
		"fewer_entries":             {`"entries":13`, `"entries":14`},
		"more_entries":              {`"entries":13`, `"entries":12`},
		"an_unknown_kind":           {`"kind":"reply"`, `"kind":"spell"`},
		"data_of_another_kind":      {`"kind":"user","time"`, `"kind":"reply","time"`},
		"data_after_the_end":        {"]}\n", "]} {}"},
		"no_end":                    {"]}\n", ""},
		"no_JSON":                   {`{"format"`, `format`},
		"a_bad_time":                {`"time":"2`, `"time":"x2`},
		"a_title_too_long":          {`"title":"`, `"title":"` + strings.Repeat("x", chat.MaxTitleBytes)},
		"another_order":             {`{"format":"vcp-conversation","version":1,`, `{"version":1,"format":"vcp-conversation",`},
		"an_invalid_entry":          {`{"seq":2,`, `7,{"seq":2,`},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, good, c.old)
			store := chat.NewMemoryStore()
			bad := strings.Replace(good, c.old, c.new, 1)
			_, err := chat.Import(t.Context(), store, strings.NewReader(bad), chat.ImportOptions{})
			if !errors.As(err, new(*chat.InvalidError)) {
				require.ErrorAs(t, err, new(*chat.ImportError))
			}
			list, _, err := store.List(t.Context(), chat.ListOptions{})
			require.NoError(t, err)
			assert.Empty(t, list, "nothing is added")
		})
	}
	t.Run("too_long", func(t *testing.T) {
		store := chat.NewMemoryStore()
		read := func(text string, limit int) error {
			o := chat.ImportOptions{MaxBytes: int64(limit)}
			_, err := chat.Import(t.Context(), store, strings.NewReader(text), o)
			return err
		}
		var bad *chat.ImportError
		require.ErrorAs(t, read(good, len(good)/2), &bad)
		assert.Contains(t, bad.Reason, "limit")
		require.ErrorAs(t, read(good+"\n", len(good)), &bad)
		assert.Contains(t, bad.Reason, "limit")
		require.ErrorAs(t, read(good[:len(good)/2], len(good)/2), &bad)
		assert.NotContains(t, bad.Reason, "limit", "the export is damaged, not too long")
		require.NoError(t, read(good, len(good)))
	})
}

func TestImportedRequestsNeverRun(t *testing.T) {
	// The export ends in the middle of a turn, without the result of a call.
	runs := 0
	burn := fn(t, "burn", func(context.Context, in) (string, error) { runs++; return "burnt", nil })
	for name, change := range map[string]func(*engine.Config){"interrupted": nil, "dispatched": manual} {
		t.Run(name, func(t *testing.T) {
			memory := chat.NewMemoryStore()
			store := &failingStore{Store: memory}
			store.appends.Store(2) // the user's message, and the reply
			request := block(t, "t_burn")
			c := newInStore(t, store, engineOf(t, &script{replies: []reply{says(request)}}, change, burn))
			collect(t, c.Send(t.Context(), "Look: "+request))
			runs = 0
			list, err := memory.Entries(t.Context(), "a", 0, 0)
			require.NoError(t, err)
			require.NotEqual(t, "end", list[len(list)-1].Kind)

			target := chat.NewMemoryStore()
			_, err = chat.Import(t.Context(), target, strings.NewReader(exported(t, memory)), chat.ImportOptions{})
			require.NoError(t, err)
			model := &script{replies: []reply{says("Hm.")}}
			opened := reopened(t, target, engineOf(t, model, change, burn))
			assert.False(t, opened.Interrupted())
			require.ErrorIs(t, collect(t, opened.Resume(t.Context())).err, chat.ErrNotInterrupted)
			assert.Empty(t, opened.Pending())
			require.NoError(t, collect(t, opened.Send(t.Context(), "Go on.")).err)
			assert.Zero(t, runs)
			for _, m := range model.requests[0].Messages[1:] {
				read, err := vcp.Protocol{}.ParseToolResults(m.Content)
				require.NoError(t, err)
				if len(read) == 0 {
					assert.NotContains(t, m.Content, "<<<[TOOL_REQUEST]>>>", "imported text is neutralized")
				}
			}
			assert.True(t, opened.History()[0].Imported)
			assert.False(t, opened.History()[len(opened.History())-1].Imported)
		})
	}
}

func TestExportMarkdownWritesTheCurrentBranch(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, chat.ExportMarkdown(t.Context(), &b, branched(t), "a"))
	var lines []string
	for line := range strings.Lines(b.String()) {
		if beforeTime, _, ok := strings.Cut(line, ", 20"); ok { // as in "## User, 2026-…"
			line = beforeTime + "\n"
		}
		lines = append(lines, line)
	}
	got := strings.Join(lines, "")
	for _, want := range []string{
		"# A talk\n", "## User\n\nWhat does it say?\n\n## Assistant\n\nLook:\n\n",
		"Look:\n\nRequest of `t_echo`, answered:\n\n````json\n",
		"Result of `t_echo`, success:\n\n````\n```hi\n````\n", "Result of `t_fail`, error:\n\n```\n",
		"## Assistant\n\nIt says *hi*.\n", "## Assistant\n\nFarewell.\n",
	} {
		assert.Contains(t, got, want)
	}
	assert.NotContains(t, got, "Bye.", "only the current branch is exported")
}

func TestExportMarkdownWritesALongConversationInOrder(t *testing.T) {
	var b bytes.Buffer
	long := longConversation(t, 1000)
	require.NoError(t, chat.ExportMarkdown(t.Context(), &b, long, "a"))
	rest := b.String()
	for i := range 500 {
		var found bool
		_, rest, found = strings.Cut(rest, fmt.Sprintf("\nMessage %d\n", i))
		require.True(t, found, "message %d must follow the message before it", i)
	}
	assert.LessOrEqual(t, long.entries, 6*1500, "each of the 1500 entries is read at most 6 times on average")
}

func TestUnracedExportReadsEachEntryOnce(t *testing.T) {
	longtest.SkipIfRaced(t)
	long := longConversation(t, 10000)
	require.NoError(t, chat.Export(t.Context(), &bytes.Buffer{}, long, "a"))
	assert.Equal(t, 15000, long.entries, "three for each turn of two messages")
	assert.Equal(t, 15, long.calls, "one for each page")
}
