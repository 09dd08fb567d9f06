package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/sqlitestore"
	"github.com/vcpgo/vcp/internal/modelserver"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// inStore returns a function that runs commands on one store.
func inStore(t *testing.T) func(args ...string) outcome {
	t.Helper()
	home := t.TempDir()
	return func(args ...string) outcome {
		t.Helper()
		return invocation{args: args, env: []string{"HOME=" + home}}.run(t)
	}
}

// sessionsOf returns the conversations that vcp sessions list shows.
func sessionsOf(t *testing.T, vcp func(...string) outcome, flags ...string) (list []chat.Metadata) {
	t.Helper()
	o := vcp(append([]string{"sessions", "list", "--json"}, flags...)...)
	o.succeeded(t)
	for line := range strings.Lines(o.stdout) {
		var m chat.Metadata
		require.NoError(t, json.Unmarshal([]byte(line), &m))
		list = append(list, m)
	}
	return list
}

func TestChatsAreKept(t *testing.T) {
	vcp := inStore(t)
	s := modelserver.Start(t,
		modelserver.Text("Hi."), modelserver.Text("Still here."), modelserver.Text("New."),
		modelserver.Text("Named."), modelserver.Text("Again."))
	talk := func(args ...string) modelserver.Request {
		t.Helper()
		o := vcp(append([]string{"chat", "--base-url", s.URL, "--model", "m"}, args...)...)
		require.Equal(t, cli.ExitOK, o.status, o.stderr)
		return s.Requests()[len(s.Requests())-1]
	}
	talk("Greet me.")
	require.Len(t, sessionsOf(t, vcp), 1)
	require.Len(t, talk("--continue", "Are you there?").Messages, 4, "the system prompt, two messages and the new one")
	require.Len(t, sessionsOf(t, vcp), 1)
	require.Len(t, talk("Who are you?").Messages, 2, "without a flag a new conversation begins")
	talk("--session", "named", "Who?")
	require.Len(t, talk("--session", "named", "And who?").Messages, 4)

	list := sessionsOf(t, vcp)
	require.Len(t, list, 3)
	require.Equal(t, []string{"named", "Who?"}, []string{list[0].ID, list[0].Title})
	o := vcp("sessions", "show", "named")
	o.succeeded(t)
	require.Equal(t, "> Who?\nNamed.\n> And who?\nAgain.\n", o.stdout)
	require.Equal(t, "[older messages are not shown; --limit shows more]\nAgain.\n",
		vcp("sessions", "show", "--limit", "1", "named").stdout)
	o = vcp("sessions", "search", "still", "HERE")
	o.succeeded(t)
	require.Contains(t, o.stdout, "Still here.")
	require.Equal(t, 1, strings.Count(o.stdout, "\n"))
}

func TestAFlagKeepsAChatOutOfTheUsersOwnStore(t *testing.T) {
	home := t.TempDir()
	for _, flag := range []string{"--no-store", "--store=" + filepath.Join(home, "own.db")} {
		o := invocation{args: []string{"chat", flag, "2+2?"}, env: []string{"HOME=" + home}}.run(t)
		require.Equal(t, cli.ExitOK, o.status, o.stderr)
		_, err := os.Stat(filepath.Join(home, ".local"))
		require.ErrorIs(t, err, os.ErrNotExist)
	}
	vcp := inStore(t)
	require.Len(t, sessionsOf(t, vcp, "--store", filepath.Join(home, "own.db")), 1)
}

func TestAChatRunsWithoutAStoreUnlessAFlagNeedsOne(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file") // not a directory
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	broken := invocation{args: []string{"chat", "2+2?"}, env: []string{"XDG_DATA_HOME=" + file}}
	o := broken.run(t)
	require.Equal(t, cli.ExitOK, o.status)
	require.Contains(t, o.stderr, "the conversation is not kept")
	broken.args = []string{"chat", "--continue", "2+2?"}
	require.Equal(t, cli.ExitFailure, broken.run(t).status)
}

func TestExportedSessionsCanBeImported(t *testing.T) {
	exporting, importing := inStore(t), inStore(t)
	o := exporting("chat", "--session", "sums", "What is 17*23?")
	require.Equal(t, cli.ExitOK, o.status, o.stderr)
	exported := exporting("sessions", "export", "sums")
	exported.succeeded(t)
	file := filepath.Join(t.TempDir(), "sums.json")
	require.NoError(t, os.WriteFile(file, []byte(exported.stdout), 0o600))
	o = importing("sessions", "import", file)
	o.succeeded(t)
	require.Equal(t, "sums\n", o.stdout)
	require.Equal(t, exporting("sessions", "show", "sums").stdout, importing("sessions", "show", "sums").stdout)
	require.Contains(t, importing("sessions", "export", "--markdown", "sums").stdout, "## User (imported), ")
	importing("sessions", "import", file).reported(t, cli.ExitFailure, "--session")
	importing("sessions", "import", "--session", "copy", file).succeeded(t)
	require.Len(t, sessionsOf(t, importing), 2)
}

func TestDeletedSessionsAreNamed(t *testing.T) {
	vcp := inStore(t)
	for _, name := range []string{"a", "b", "c"} {
		o := vcp("chat", "--session", name, "2+2?")
		require.Equal(t, cli.ExitOK, o.status, o.stderr)
	}
	o := vcp("sessions", "delete", "a", "b")
	o.succeeded(t)
	require.Equal(t, "a\nb\n", o.stdout)
	require.Len(t, sessionsOf(t, vcp), 1)
	require.Empty(t, vcp("sessions", "delete", "--older-than", "1h").stdout)
	require.Equal(t, "c\n", vcp("sessions", "delete", "--older-than", "1ns").stdout)
	require.Empty(t, sessionsOf(t, vcp))
}

func TestEmptyListsAreExplained(t *testing.T) {
	vcp := inStore(t)
	for _, c := range []struct {
		args []string
		why  string
	}{
		{[]string{"list"}, "vcp sessions list: no conversations yet"},
		{
			[]string{"list", "--owner", "ann", "--tag", "work"},
			`no conversations of the owner "ann" with the tag "work"`,
		},
		{[]string{"search", "word"}, "vcp sessions search: nothing found"},
	} {
		o := vcp(append([]string{"sessions"}, c.args...)...)
		require.Equal(t, cli.ExitOK, o.status)
		require.Empty(t, o.stdout)
		require.Contains(t, o.stderr, c.why)
		vcp(append(append([]string{"sessions"}, c.args...), "--json")...).succeeded(t)
	}
}

func TestListShowsOwners(t *testing.T) {
	file := filepath.Join(t.TempDir(), "chats.db")
	store, err := sqlitestore.Open(t.Context(), file, sqlitestore.Options{})
	require.NoError(t, err)
	at := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	add := func(m chat.Metadata) {
		m.Created, m.Updated = at, at
		require.NoError(t, store.Create(t.Context(), m))
	}
	list := func() string {
		o := runArgs(t, "sessions", "list", "--store", file)
		o.succeeded(t)
		return strings.ReplaceAll(o.stdout, cli.LocalTime(at), "TIME")
	}
	add(chat.Metadata{ID: "a", Title: "One"})
	require.Equal(t, "a  TIME  One\n", list())
	add(chat.Metadata{ID: "b", Title: "Two", Owner: "ann"})
	require.NoError(t, store.Close())
	require.ElementsMatch(t, []string{"a  TIME  -    One", "b  TIME  ann  Two"},
		strings.Split(strings.TrimSpace(list()), "\n"))
}

func TestWrongUseOfSessionsIsRefused(t *testing.T) {
	vcp := inStore(t)
	for _, c := range []struct {
		status int
		args   []string
		part   string
	}{
		{cli.ExitUsage, []string{"sessions"}, "name an action"},
		{cli.ExitUsage, []string{"sessions", "copy"}, `no action "copy"`},
		{cli.ExitUsage, []string{"sessions", "show"}, "NAME is missing"},
		{cli.ExitUsage, []string{"sessions", "search"}, "WORD is missing"},
		{cli.ExitUsage, []string{"sessions", "delete"}, "--older-than"},
		{cli.ExitUsage, []string{"sessions", "delete", "--older-than", "1h", "a"}, "cannot be used together"},
		{cli.ExitUsage, []string{"sessions", "delete", "--older-than", "30"}, `is "30"; allowed is a duration with a unit`},
		{cli.ExitUsage, []string{"sessions", "delete", "--keep-bytes", "-1"}, "negative"},
		{cli.ExitUsage, []string{"chat", "--no-store", "--continue", "hi"}, "--no-store"},
		{cli.ExitUsage, []string{"chat", "--session", "a", "--continue", "hi"}, "cannot be used together"},
		{cli.ExitUsage, []string{"chat", "--resume", "hi"}, "--continue"},
		{cli.ExitFailure, []string{"sessions", "show", "nothing"}, "vcp sessions list"},
		{cli.ExitFailure, []string{"sessions", "import", "missing.json"}, "missing.json"},
	} {
		vcp(c.args...).reported(t, c.status, c.part)
	}
	o := vcp("chat", "--continue", "hi")
	require.Equal(t, cli.ExitFailure, o.status)
	require.Contains(t, o.stderr, "no conversation yet")
	require.Equal(t, cli.ExitOK, vcp("chat", "--session", "a", "2+2?").status)
	o = vcp("chat", "--resume")
	require.Equal(t, cli.ExitFailure, o.status)
	require.Contains(t, o.stderr, "no turn was interrupted")
}

// The store belongs to an application with users: "open" has no owner, and "anns" is the newest.
func TestOnlyConversationsOfTheOwnerAreContinued(t *testing.T) {
	file := filepath.Join(t.TempDir(), "app.db")
	store, err := sqlitestore.Open(t.Context(), file, sqlitestore.Options{})
	require.NoError(t, err)
	for i, m := range []chat.Metadata{{ID: "open"}, {ID: "bobs", Owner: "bob"}, {ID: "anns", Owner: "ann"}} {
		m.Created = time.Date(2026, time.January, 1+i, 0, 0, 0, 0, time.UTC)
		require.NoError(t, store.Create(t.Context(), m))
	}
	require.NoError(t, store.Close())
	vcp := inStore(t)
	talk := func(status int, args ...string) string {
		t.Helper()
		o := vcp(append([]string{"chat", "--store", file, "2+2?"}, args...)...)
		require.Equal(t, status, o.status, o.stderr)
		return o.stderr
	}
	entries := func() map[string]int64 {
		n := map[string]int64{}
		for _, m := range sessionsOf(t, vcp, "--store", file) {
			n[m.ID] = m.Entries
		}
		return n
	}
	t.Run("a conversation without an owner", func(t *testing.T) {
		talk(cli.ExitOK, "--continue")
		now := entries()
		require.NotZero(t, now["open"])
		require.Equal(t, []int64{0, 0}, []int64{now["anns"], now["bobs"]})
	})
	t.Run("a conversation of the given owner", func(t *testing.T) {
		talk(cli.ExitOK, "--continue", "--owner", "bob")
		now := entries()
		require.NotZero(t, now["bobs"])
		require.Zero(t, now["anns"])
	})
	t.Run("a conversation of another owner", func(t *testing.T) {
		unchanged := entries()
		require.Contains(t, talk(cli.ExitFailure, "--session", "anns"), `--owner`)
		require.Contains(t, talk(cli.ExitFailure, "--session", "anns", "--owner", "bob"), `"ann"`)
		require.Contains(t, talk(cli.ExitFailure, "--session", "open", "--owner", "bob"), "no owner")
		require.Contains(t, talk(cli.ExitFailure, "--continue", "--owner", "eve"), "belongs to")
		require.Equal(t, unchanged, entries())
	})
	t.Run("a new conversation", func(t *testing.T) {
		talk(cli.ExitOK, "--session", "new", "--owner", "eve")
		list := sessionsOf(t, vcp, "--store", file, "--owner", "eve")
		require.Len(t, list, 1)
		require.Equal(t, "new", list[0].ID)
	})
}
