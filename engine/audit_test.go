package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
)

func TestTheAuditRecordNamesTheSessionAndItsOwner(t *testing.T) {
	var list []executor.AuditRecord
	e := newEngine(t, registry(t), nil, func(o *engine.Options) {
		o.Audit = func(_ context.Context, r executor.AuditRecord) error { list = append(list, r); return nil }
	})
	execute(t, e.OpenSession(engine.SessionOptions{ID: "one", Owner: "ann"}), "1", "t_echo")
	_, err := e.NewSession("two").ProcessCycle(t.Context(), block(t, "t_echo", "label", "mine"), protocol.FinishStop)
	require.NoError(t, err)
	require.Len(t, list, 2)
	first, second := list[0], list[1]
	require.Equal(t, []string{"one", "1", "", "ann"},
		[]string{first.Session, first.RequestID, first.Label, first.Owner})
	require.Equal(t, []string{"two", "1.1", "mine", ""},
		[]string{second.Session, shortID(second.RequestID), second.Label, second.Owner})
	require.Equal(t, protocol.StatusSuccess, second.Status)
}
