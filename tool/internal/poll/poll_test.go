package poll_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool/internal/poll"
)

func TestEachChangeIsReadOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		stamps, calls := []string{"a", "a", "a", "b", "b", "a"}, 0
		var readAt []int
		poll.Watch(ctx, time.Hour, func() string {
			calls++
			if calls > len(stamps) {
				cancel()
				return "a"
			}
			return stamps[calls-1]
		}, func() { readAt = append(readAt, calls) })
		assert.Equal(t, []int{1, 4, 6}, readAt)
	})
}

func TestTheStampChangesWithTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	missing := poll.Stamp(file)
	require.NoError(t, os.WriteFile(file, []byte("a"), 0o600))
	one := poll.Stamp(file)
	assert.NotEqual(t, missing, one)
	assert.Equal(t, one, poll.Stamp(file))
	require.NoError(t, os.Chtimes(file, time.Time{}, time.Unix(1, 0)))
	assert.NotEqual(t, one, poll.Stamp(file))
}
