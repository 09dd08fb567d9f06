package backoff_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/backoff"
)

func TestWaitsDoubleUpToTheLongest(t *testing.T) {
	p := backoff.Policy{First: 100, Longest: 350}
	for failed, allowed := range map[int]time.Duration{1: 100, 2: 200, 3: 350, 4: 350, 1000: 350} {
		for range 100 {
			wait := p.Wait(failed)
			require.GreaterOrEqual(t, wait, allowed/2)
			require.Less(t, wait, allowed)
		}
	}
}

func TestTheDeadlineAllowsShorterWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		require.True(t, backoff.Allows(t.Context(), time.Hour), "a context without a deadline allows any wait")
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		require.True(t, backoff.Allows(ctx, time.Minute-1))
		require.False(t, backoff.Allows(ctx, time.Minute))
	})
}

func TestSleepEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		require.True(t, backoff.Sleep(t.Context(), time.Minute))
		require.Equal(t, time.Minute, time.Since(begun))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		require.False(t, backoff.Sleep(ctx, time.Minute))
		require.Equal(t, time.Minute+time.Second, time.Since(begun))
	})
}
