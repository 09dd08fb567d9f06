//go:build unix

package sqlitestore_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/sqlitestore"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// The kill test runs a conversation of 20 calls in a child process, kills the child, and lets other
// children finish the turn. Each call appends a line to a file outside of the store and syncs it,
// so that the file shows which effects happened.

// victim is the environment variable that makes this test binary the child process. Its value is a
// victimOptions as JSON.
const victim = "VCP_TEST_VICTIM"

type victimOptions struct {
	Store, Effects string // files
	Parallel       bool
	// KillAt is the number of the point at which the process kills itself, from 1; 0 means never.
	// There are two points for each append to the journal and two for each effect: before it and
	// after it.
	KillAt int
}

const killID = "conversation"

func TestMain(m *testing.M) {
	if text := os.Getenv(victim); text != "" {
		var o victimOptions
		err := json.Unmarshal([]byte(text), &o)
		if err == nil {
			err = o.run()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// replies are what the model writes: 20 calls, of which 4 are approved, 2 denied and 6 idempotent,
// and a request in code, which the engine reports to the model.
func replies() []string {
	calls := strings.Fields("write put pay, write refuse, pay put write, write write, put put pay, refuse write, write put write, pay put")
	var list []string
	var text strings.Builder
	for i, method := range calls {
		name, last := strings.CutSuffix(method, ",")
		fmt.Fprintf(&text, "call %d\n%s", i+1, request("shop_"+name, fmt.Sprintf("c%02d", i+1)))
		if last || i == len(calls)-1 {
			list = append(list, text.String())
			text.Reset()
		}
	}
	return append(list, "```\n"+request("shop_write", "in code")+"```\n", "All done.")
}

func request(name, item string) string {
	return callWith(name, protocol.Argument{Name: "item", Value: item})
}

// points counts the points at which the child process may kill itself.
type points struct {
	killAt, passed atomic.Int64
}

func (p *points) pass() {
	if p.passed.Add(1) == p.killAt.Load() {
		if err := syscall.Kill(syscall.Getpid(), syscall.SIGKILL); err != nil {
			panic(err)
		}
		select {}
	}
}

// killingStore passes a point before and after each append.
type killingStore struct {
	chat.Store
	points *points
}

func (s killingStore) Append(ctx context.Context, l chat.Lease, parent int64, entries ...chat.Entry) (int64, error) {
	s.points.pass()
	last, err := s.Store.Append(ctx, l, parent, entries...)
	if err == nil {
		s.points.pass()
	}
	return last, err
}

// run begins or finishes the conversation, and prints a line for each event. It runs in the child
// process.
func (o *victimOptions) run() error {
	p := &points{}
	p.killAt.Store(int64(o.KillAt))
	ctx := context.Background()
	store, err := sqlitestore.Open(ctx, o.Store, sqlitestore.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	e, err := o.engine(p)
	if err != nil {
		return err
	}
	options := chat.Options{ID: killID, Store: killingStore{store, p}}
	c, err := chat.Open(ctx, e, options)
	if errors.Is(err, chat.ErrNoConversation) {
		c, err = chat.New(e, options)
	}
	if err != nil {
		return err
	}
	turn := c.Resume(ctx)
	if _, begun := c.Last(); !begun {
		turn = c.Send(ctx, "Do it.")
	} else if !c.Interrupted() {
		return nil
	}
	for ev, err := range turn {
		if err != nil {
			return err
		}
		fmt.Println(ev.Kind, p.passed.Load())
		if ev.Kind == engine.EventRunDone && ev.Stop != engine.StopDone {
			return fmt.Errorf("the turn ended with %s", ev.Stop)
		}
	}
	return nil
}

func (o *victimOptions) engine(p *points) (*engine.Engine, error) {
	type in struct {
		Item string `json:"item"`
	}
	handle := func(ctx context.Context, i in) (string, error) {
		call := tool.CallFrom(ctx)
		p.pass()
		f, err := os.OpenFile(o.Effects, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return "", err
		}
		defer f.Close()
		if _, err := fmt.Fprintln(f, call.ID, call.Method.FullName, i.Item); err != nil {
			return "", err
		}
		err = f.Sync()
		p.pass()
		return "did " + i.Item, err
	}
	var methods []tool.Method
	for name, options := range map[string][]tool.Option{
		"write": nil, "put": {tool.Idempotent()}, "pay": {tool.WithRisk(tool.RiskDangerous)}, "refuse": {tool.WithRisk(tool.RiskDangerous)},
	} {
		m, err := tool.New(name, "does "+name, handle, append(options, tool.AgentCallable())...)
		if err != nil {
			return nil, err
		}
		methods = append(methods, m)
	}
	registry := tool.NewRegistry()
	if err := registry.Register(tool.Tool{ID: "shop", Methods: methods}); err != nil {
		return nil, err
	}
	config := engine.DefaultConfig()
	config.ParallelExecution, config.MaxIterations = o.Parallel, 20
	return engine.New(engine.Options{
		Registry: registry, Protocols: []protocol.Protocol{vcp.Protocol{}}, Model: inTurn(replies()...), Config: config,
		Logger: slog.New(slog.DiscardHandler),
		Approver: func(_ context.Context, q executor.Question) (executor.Answer, error) {
			if q.Method.Method.Name == "refuse" {
				return q.Deny("too dear"), nil
			}
			return q.Allow(), nil
		},
	})
}

// start starts a child, which is killed at the latest when the test ends.
func (o *victimOptions) start(t *testing.T) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	text, err := json.Marshal(o)
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), victim+"="+string(text))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	return cmd, bufio.NewScanner(out)
}

// outcome runs a child to its end and reports whether it was killed. After the given number of
// lines of output, the test kills the child; 0 means that it does not. passed is the number of
// points that the child reported last.
func (o *victimOptions) outcome(t *testing.T, after int) (killed bool, passed, lines int) {
	t.Helper()
	cmd, out := o.start(t)
	for out.Scan() {
		_, number, _ := strings.Cut(out.Text(), " ")
		passed, _ = strconv.Atoi(number)
		if lines++; lines == after {
			_ = cmd.Process.Kill() // the child may have ended
		}
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		status, _ := exit.Sys().(syscall.WaitStatus)
		require.True(t, status.Signaled() && status.Signal() == syscall.SIGKILL, "the child failed: %v", err)
		return true, passed, lines
	}
	require.NoError(t, err)
	return false, passed, lines
}

// finish runs a child that finishes the turn and is not killed.
func (o *victimOptions) finish(t *testing.T) {
	t.Helper()
	last := *o
	last.KillAt = 0
	killed, _, _ := last.outcome(t, 0)
	require.False(t, killed)
}

func newVictim(t *testing.T, parallel bool) *victimOptions {
	t.Helper()
	dir := t.TempDir()
	return &victimOptions{Store: filepath.Join(dir, "store.db"), Effects: filepath.Join(dir, "effects"), Parallel: parallel}
}

// aftermath is what remains of a conversation.
type aftermath struct {
	transcript []string       // the messages, without ids and results
	effects    map[string]int // lines of the file of effects
	unknown    int            // calls that may have happened
}

// check checks the store and the file of effects after a conversation, and returns what they
// contain.
func (o *victimOptions) check(t *testing.T) aftermath {
	t.Helper()
	a := aftermath{effects: map[string]int{}}
	text, err := os.ReadFile(o.Effects)
	require.NoError(t, err)
	happened := map[string]int{} // by the request's id
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		require.Len(t, fields, 3, "each line of effects is complete")
		happened[fields[0]]++
		a.effects[fields[1]+" "+fields[2]]++
	}

	store := open(t, o.Store, sqlitestore.Options{})
	entries, err := store.Entries(t.Context(), killID, 0, chat.MaxPage)
	require.NoError(t, err)
	require.NotEmpty(t, entries)
	list := make([]engine.Entry, len(entries))
	results, ends := map[string]*executor.Result{}, 0
	for i := range entries {
		require.NoError(t, json.Unmarshal(entries[i].Data, &list[i]))
		require.Equal(t, int64(i), entries[i].Parent, "the entries form one path")
		if r := list[i].Result; r != nil {
			require.Nil(t, results[r.ID], "the call %s has one result", r.ID)
			results[r.ID] = r
		}
		if list[i].End != nil {
			ends++
			require.Equal(t, engine.StopDone, list[i].End.Stop)
		}
	}
	require.Equal(t, 1, ends)
	calls := 0
	for i := range list {
		if list[i].Reply == nil {
			continue
		}
		for _, q := range list[i].Reply.Requests {
			calls++
			r := results[q.ID]
			require.NotNil(t, r, "the call %s has a result", q.ID)
			switch times := happened[q.ID]; {
			case r.ErrorType == executor.ErrorUnknown:
				a.unknown++
				require.NotEqual(t, "shop_put", q.Method, "an idempotent call is repeated")
				require.LessOrEqual(t, times, 1)
			case q.Method == "shop_refuse":
				require.Zero(t, times, "a denied call does not happen")
				require.Equal(t, executor.ErrorPermissionDenied, r.ErrorType)
			case q.Method == "shop_put":
				require.GreaterOrEqual(t, times, 1)
				require.Equal(t, protocol.StatusSuccess, r.Status)
			default:
				require.Equal(t, 1, times, "the call %s happens once", q.ID)
				require.Equal(t, protocol.StatusSuccess, r.Status)
			}
		}
	}
	require.Equal(t, 20, calls)

	e, err := o.engine(&points{})
	require.NoError(t, err)
	c, err := chat.Open(t.Context(), e, chat.Options{ID: killID, Store: store})
	require.NoError(t, err)
	require.False(t, c.Interrupted())
	for _, m := range c.History() {
		line := fmt.Sprintf("%s %s", m.Role, m.Content)
		for _, r := range m.Outcomes {
			line += " " + r.Method
		}
		a.transcript = append(a.transcript, line)
	}
	return a
}

// runWhole runs the conversation without a kill. It returns what the conversation leaves behind,
// and how many points and lines of output it has.
func runWhole(t *testing.T, parallel bool) (a aftermath, points, lines int) {
	t.Helper()
	o := newVictim(t, parallel)
	killed, points, lines := o.outcome(t, 0)
	require.False(t, killed)
	a = o.check(t)
	require.Zero(t, a.unknown)
	require.Len(t, a.effects, 18)
	return a, points, lines
}

// If the process is killed before or after any append to the journal or any effect, nothing is lost
// and nothing is done twice.
func TestATurnIsFinishedAfterAKillAtEachPoint(t *testing.T) {
	for _, parallel := range []bool{false, true} {
		t.Run(fmt.Sprintf("parallel=%t", parallel), func(t *testing.T) {
			want, points, _ := runWhole(t, parallel)
			numbers := make([]int, points)
			for i := range numbers {
				numbers[i] = i + 1
			}
			for _, n := range longtest.Sample(2, numbers) {
				t.Run(fmt.Sprint(n), func(t *testing.T) {
					t.Parallel()
					o := newVictim(t, parallel)
					o.KillAt = n
					killed, _, _ := o.outcome(t, 0)
					// Calls that start together share an append, so a parallel run may have fewer
					// points.
					require.True(t, killed || parallel)
					o.finish(t)
					got := o.check(t)
					requireSameTranscript(t, &want, &got)
					require.LessOrEqual(t, got.unknown, 3, "only calls that were running may be unknown")
				})
			}
		})
	}
}

// Nothing is lost and nothing is done twice if another process kills the process at any time, up to
// three times.
func TestATurnIsFinishedAfterAKillAtAnyTime(t *testing.T) {
	want, _, lines := runWhole(t, false)
	for seed := range longtest.Count(2, 300) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(uint64(seed), 7))
			o := newVictim(t, seed%2 == 1)
			for range 1 + rnd.IntN(3) {
				o.outcome(t, 1+rnd.IntN(lines))
			}
			o.finish(t)
			got := o.check(t)
			requireSameTranscript(t, &want, &got)
		})
	}
}

func requireSameTranscript(t *testing.T, want, got *aftermath) {
	t.Helper()
	if diff := cmp.Diff(want.transcript, got.transcript); diff != "" {
		t.Errorf("transcript (-want +got):\n%s", diff)
	}
	for effect := range maps.Keys(got.effects) {
		require.Contains(t, slices.Collect(maps.Keys(want.effects)), effect)
	}
}
