package main

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat/sqlitestore"
	"github.com/vcpgo/vcp/internal/modelserver"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

func TestAKilledChatIsFinished(t *testing.T) {
	for _, how := range []string{"resume", "continue"} {
		t.Run(how, func(t *testing.T) {
			asked, killed := make(chan struct{}), make(chan struct{})
			s := modelserver.Start(t,
				modelserver.Text("I count. "+request(t, "calculator_evaluate", "expression", "6*7")),
				modelserver.Func(func(modelserver.Request) modelserver.Reply {
					close(asked)
					<-killed
					return modelserver.Text("Nobody reads this.")
				}),
				modelserver.Text("It is 42."), modelserver.Text("It is still 42."))
			home := t.TempDir()
			flags := []string{"--base-url", s.URL, "--model", "m", "--retries", "0"}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			args := append([]string{"chat", "--session", "sums", "What is 6*7?"}, flags...)
			cmd := invocation{args: args, env: []string{"HOME=" + home}}.command(ctx, t)
			require.NoError(t, cmd.Start())
			<-asked
			require.NoError(t, cmd.Process.Kill())
			_ = cmd.Wait() // it was killed
			close(killed)

			args = append([]string{"chat", "--resume"}, flags...)
			if how == "continue" {
				args = append([]string{"chat", "--continue", "And now?"}, flags...)
			}
			o := invocation{args: args, env: []string{"HOME=" + home}}.run(t)
			require.Equal(t, cli.ExitOK, o.status, o.stderr)
			require.Contains(t, o.stdout, "It is 42.")
			third := s.Requests()[2]
			require.Contains(t, third.Messages[len(third.Messages)-1].Content, "42", "the recorded result is used")
			want := "> What is 6*7?\nI count.\n[tool] calculator_evaluate ... ok: 6*7 = 42\nIt is 42.\n"
			if how == "continue" {
				require.Contains(t, o.stdout, "it is finished first")
				want += "> And now?\nIt is still 42.\n"
			}
			shown := invocation{args: []string{"sessions", "show", "sums"}, env: []string{"HOME=" + home}}.run(t)
			require.Equal(t, want, shown.stdout)
		})
	}
}

func TestAKilledImportIsNoConversation(t *testing.T) {
	file := filepath.Join(t.TempDir(), "chats.db")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := invocation{args: []string{"sessions", "import", "-", "--store", file}}.command(ctx, t)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	const at = "2026-03-01T10:00:00Z"
	_, err = fmt.Fprintf(in, `{"format":"vcp-conversation","version":1,"exported":%q,"conversation":{"id":"trip",`+
		`"created":%q,"updated":%q,"tip":2000,"entries":2000,"bytes":1},"entries":[`, at, at, at)
	require.NoError(t, err)
	for i := range 1200 { // more than one batch of the import, and fewer than the announced entries
		_, err := fmt.Fprintf(in, `{"seq":%d,"parent":%d,"kind":"user","time":%q,`+
			`"data":{"kind":"user","time":%[3]q,"user":{"role":"user","content":"needle"}}},`, i+1, i, at)
		require.NoError(t, err)
	}
	vcp := func(args ...string) outcome {
		t.Helper()
		return runArgs(t, append(args, "--store", file)...)
	}
	store, err := sqlitestore.Open(ctx, file, sqlitestore.Options{})
	require.NoError(t, err)
	for {
		if m, err := store.Metadata(ctx, "trip"); err == nil && m.Entries > 0 {
			break
		}
		require.NoError(t, ctx.Err())
		time.Sleep(time.Millisecond)
	}
	require.NoError(t, store.Close())
	require.Equal(t, cli.ExitFailure, vcp("chat", "--session", "trip", "2+2?").status, "the import still runs")
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait() // it was killed

	require.Empty(t, sessionsOf(t, vcp))
	require.Empty(t, vcp("sessions", "search", "needle", "--json").stdout)
	vcp("sessions", "show", "trip").reported(t, cli.ExitFailure, "has not ended")
	require.Equal(t, cli.ExitFailure, vcp("chat", "--continue", "2+2?").status)
	o := vcp("chat", "--session", "trip", "2+2?")
	require.Equal(t, cli.ExitOK, o.status, o.stderr)
	list := sessionsOf(t, vcp)
	require.Len(t, list, 1)
	require.Zero(t, list[0].Imported)
}
