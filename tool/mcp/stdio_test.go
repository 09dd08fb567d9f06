package mcp

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/require"
)

// canceledInWrite is a canceled context whose Err first returns nil. Write calls Err once before it
// writes, so that the cancellation comes during the write.
type canceledInWrite struct {
	context.Context
	called bool
}

func (c *canceledInWrite) Err() error {
	if !c.called {
		c.called = true
		return nil
	}
	return c.Context.Err()
}

// TestTheConnectionIsUsableAfterACanceledWrite checks that the notification after a canceled
// request reaches the server, even if the context ends while the request is written.
func TestTheConnectionIsUsableAfterACanceledWrite(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	defer w.Close()
	lost := func(err error) { t.Errorf("the connection is lost: %v", err) }
	c := &childConn{stdin: w, session: &session{listing: &listing{}, end: lost}}
	message := func(method string) jsonrpc.Message { return &jsonrpc.Request{Method: method} }
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	lines := bufio.NewReader(r)
	for range 100 {
		if c.Write(&canceledInWrite{Context: canceled}, message("first")) == nil {
			line, err := lines.ReadString('\n')
			require.NoError(t, err)
			require.Contains(t, line, "first")
		}
		runtime.Gosched() // lets goroutines of the canceled write run
		require.NoError(t, c.Write(t.Context(), message("second")))
		line, err := lines.ReadString('\n')
		require.NoError(t, err)
		require.Contains(t, line, "second")
	}
}

func TestTheEndOfAServersErrorsBeginsWithAWholeCharacter(t *testing.T) {
	for n := range 3 {
		o := newOutput()
		fmt.Fprint(o, strings.Repeat("中", shownOutput), strings.Repeat("-", n))
		if parts := o.report(nil); len(parts) != 1 || strings.Contains(parts[0].Error(), "\uFFFD") {
			t.Errorf("%v", parts)
		}
	}
}
