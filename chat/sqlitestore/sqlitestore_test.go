package sqlitestore_test

import (
	"path/filepath"
	"testing"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/sqlitestore"
	"github.com/vcpgo/vcp/chat/storetest"
)

func TestAFileAndMemoryFollowTheRulesOfStores(t *testing.T) {
	for _, c := range []struct {
		name string
		path func(*testing.T) string
	}{
		// The name has characters that a URL must escape.
		{"file", func(t *testing.T) string { return filepath.Join(t.TempDir(), "a store?#%20&;.db") }},
		{"memory", func(*testing.T) string { return sqlitestore.Memory }},
	} {
		t.Run(c.name, func(t *testing.T) {
			storetest.Run(t, func(t *testing.T) chat.Store { return open(t, c.path(t), sqlitestore.Options{}) })
		})
	}
}
