package evaluation

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/eval"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol/vcp"
)

func TestAnInterruptedReportKeepsItsOtherNotes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "suite.yaml")
	const text = "name: one\ntasks: [{id: a, kind: k, user: Hi., check: {answer: [x]}}]\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	suite, err := eval.LoadSuite(path)
	require.NoError(t, err)
	client, err := model.New(model.Options{BaseURL: "http://127.0.0.1:1/v1", Model: "m"})
	require.NoError(t, err)
	defer client.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l := liveFlags{tries: 1}
	report := &eval.Report{Notes: []string{"native: skipped after 3 errors in a row."}}
	for _, name := range []string{"text", "no tools"} {
		v := eval.Variant{Name: name, Model: client, Protocol: vcp.Protocol{}}
		require.NoError(t, l.run(ctx, suite, v, report, io.Discard))
	}
	require.Equal(t, []string{"native: skipped after 3 errors in a row.", interruptedNote}, report.Notes)
}
