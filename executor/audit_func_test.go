package executor_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
)

func TestAuditIsSafeForConcurrentUse(t *testing.T) {
	var out bytes.Buffer
	x := executor.New(registry(t, method(t, "tool", says("fine"))),
		executor.Options{Parallel: true, Logger: quiet, Audit: executor.AuditJSON(&out)})
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			var reqs []executor.Request
			for j := range 50 {
				reqs = append(reqs, request(fmt.Sprintf("%d.%d", i, j), "t_tool"))
			}
			executeAll(t, x, reqs...)
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for line := range strings.Lines(out.String()) {
		var r executor.AuditRecord
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		seen[r.RequestID] = true
	}
	require.Len(t, seen, 200)
}

func TestAuditFailureChangesNoCall(t *testing.T) {
	for name, sink := range map[string]executor.AuditFunc{
		"an error": executor.AuditJSON(writer(func([]byte) (int, error) { return 0, io.ErrClosedPipe })),
		"a panic":  func(context.Context, executor.AuditRecord) error { panic("boom") },
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			x := executor.New(registry(t, method(t, "tool", says("fine"))), executor.Options{
				Audit: sink, Logger: slog.New(slog.NewTextHandler(&log, nil)),
			})
			r := execute(t, x, request("1", "t_tool"))
			require.Equal(t, "fine", r.ToolResult.Result)
			require.Contains(t, log.String(), "could not be written to the audit record")
		})
	}
}

func TestAuditContextIsNotCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var errs []error
	x := executor.New(vault(t),
		executor.Options{Logger: quiet, Audit: func(ctx context.Context, r executor.AuditRecord) error {
			require.Equal(t, executor.ErrorCanceled, r.ErrorType)
			errs = append(errs, ctx.Err())
			return nil
		}})
	x.Execute(ctx, allVisible(), executor.Observer{}, []executor.Request{request("1", "vault_open")})
	require.Equal(t, []error{nil}, errs)
}
