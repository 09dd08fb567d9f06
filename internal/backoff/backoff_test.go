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

func TestSleep(t *testing.T) {
	for _, tt := range []struct {
		name             string
		cancel, deadline time.Duration // 0 is never
		slept            time.Duration
		more             bool
	}{
		{"the time passes", 0, 0, time.Minute, true},
		{"a later deadline changes nothing", 0, time.Hour, time.Minute, true},
		{"a deadline that comes first is not waited for", 0, time.Second, 0, false},
		{"the context ends meanwhile", time.Second, 0, time.Second, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if tt.deadline > 0 {
					ctx, cancel = context.WithTimeout(ctx, tt.deadline)
					defer cancel()
				}
				if tt.cancel > 0 {
					time.AfterFunc(tt.cancel, cancel)
				}
				begun := time.Now()
				require.Equal(t, tt.more, backoff.Sleep(ctx, time.Minute))
				require.Equal(t, tt.slept, time.Since(begun))
			})
		})
	}
}
