package sqlitestore_test

import (
	"iter"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/sqlitestore"
	"github.com/vcpgo/vcp/chat/storetest"
	"github.com/vcpgo/vcp/engine"
)

func TestStore(t *testing.T) {
	for _, c := range []struct {
		name string
		path func(*testing.T) string
	}{
		{"file", func(t *testing.T) string { return filepath.Join(t.TempDir(), "a store?#%20&;.db") }},
		{"memory", func(*testing.T) string { return sqlitestore.Memory }},
	} {
		t.Run(c.name, func(t *testing.T) {
			storetest.Run(t, func(t *testing.T) chat.Store { return open(t, c.path(t), sqlitestore.Options{}) })
		})
	}
}

// open opens a store until the end of the test.
func open(t *testing.T, path string, o sqlitestore.Options) *sqlitestore.Store {
	t.Helper()
	s, err := sqlitestore.Open(t.Context(), path, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// rangeOver ranges over a turn to its end.
func rangeOver(events iter.Seq2[engine.Event, error]) (stop engine.StopReason, err error) {
	for ev, failure := range events {
		stop, err = ev.Stop, failure
	}
	return stop, err
}
