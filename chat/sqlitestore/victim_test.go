//go:build unix

package sqlitestore_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/sqlitestore"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// victimVariable is the environment variable that makes this test binary the child process. Its
// value is a victimOptions as JSON.
const victimVariable = "VCP_TEST_VICTIM"

// victimOptions configure a child process that begins, finishes or imports a conversation.
type victimOptions struct {
	Store, Effects string // the paths of the store and of the file of effects
	Parallel       bool   // calls of one reply run at the same time
	// KillAt is the number of the point at which the process kills itself, from 1; 0 means never.
	// There are two points, one before and one after, for each append to the store and each effect.
	// In an import there are two for each other change of the store, too.
	KillAt int
	// Import is the path of an export that the process imports. "" means that the process begins or
	// finishes the conversation instead.
	Import string
}

// victimID is the ID of the conversation in the store of a child process.
const victimID = "conversation"

func TestMain(m *testing.M) {
	if text := os.Getenv(victimVariable); text != "" {
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

// replies are what the model writes: 20 calls, and a request in code, which the engine reports to
// the model. Of the calls, 4 are approved, 2 denied and 6 idempotent.
func replies() []string {
	calls := strings.Fields("write put pay, write refuse, pay put write, write write, put put pay, refuse write, write put write, pay put")
	var list []string
	var text strings.Builder
	for i, method := range calls {
		name, endsReply := strings.CutSuffix(method, ",")
		fmt.Fprintf(&text, "call %d\n%s", i+1, request("shop_"+name, fmt.Sprintf("c%02d", i+1)))
		if endsReply || i == len(calls)-1 {
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

// pass counts a point. At the point with the number killAt it kills the process.
func (p *points) pass() {
	if p.passed.Add(1) == p.killAt.Load() {
		if err := syscall.Kill(syscall.Getpid(), syscall.SIGKILL); err != nil {
			panic(err)
		}
		select {}
	}
}

// killingStore passes a point before each append, and one after each append that succeeds.
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

// run imports a conversation, or it begins or finishes one and prints a line for each event. It
// runs in the child process.
func (o *victimOptions) run() error {
	p := &points{}
	p.killAt.Store(int64(o.KillAt))
	ctx := context.Background()
	store, err := sqlitestore.Open(ctx, o.Store, sqlitestore.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	if o.Import != "" {
		return o.importFile(ctx, store, p)
	}
	e, err := o.engine(p)
	if err != nil {
		return err
	}
	options := chat.Options{ID: victimID, Store: killingStore{store, p}}
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

// engine returns the engine of a child process. Its methods pass a point before and after each
// effect.
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
		"write": nil, "put": {tool.Idempotent()},
		"pay": {tool.WithRisk(tool.RiskDangerous)}, "refuse": {tool.WithRisk(tool.RiskDangerous)},
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
	cmd.Env = append(os.Environ(), victimVariable+"="+string(text))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	return cmd, bufio.NewScanner(out)
}

// outcome runs a child to its end and reports whether it was killed. It kills the child after
// killAfter lines of output, unless killAfter is 0. passed is the number of points that the child
// reported last, and lines is the number of lines of its output.
func (o *victimOptions) outcome(t *testing.T, killAfter int) (killed bool, passed, lines int) {
	t.Helper()
	cmd, out := o.start(t)
	for out.Scan() {
		_, number, _ := strings.Cut(out.Text(), " ")
		passed, _ = strconv.Atoi(number)
		if lines++; lines == killAfter {
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
	unharmed := *o
	unharmed.KillAt = 0
	killed, _, _ := unharmed.outcome(t, 0)
	require.False(t, killed)
}

// newVictim returns the options of a child process that begins a conversation in a new store.
func newVictim(t *testing.T, parallel bool) *victimOptions {
	t.Helper()
	dir := t.TempDir()
	return &victimOptions{Store: filepath.Join(dir, "store.db"), Effects: filepath.Join(dir, "effects"), Parallel: parallel}
}
