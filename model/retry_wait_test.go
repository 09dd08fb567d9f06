package model_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
)

func TestALongRetryAfterIsAnErrorAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		_, c := piped(t, model.Options{MaxRetryWait: time.Hour},
			with(modelserver.Failure(429, "slow down"), "Retry-After", "7200"))
		_, err := ask(t.Context(), c, hello)
		e := requireError(t, err)
		require.Equal(t, 2*time.Hour, e.RetryAfter)
		require.Contains(t, e.Error(), "slow down")
		require.Contains(t, e.Error(), "2h0m0s")
		require.Zero(t, time.Since(begun), "the client does not wait")
	})
}

// The time limit of the reply forbids an endless wait even if MaxRetryWait allows every wait.
func TestAnEndlessRetryAfterIsAnErrorAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		busy := with(modelserver.Failure(429, "slow down"), "Retry-After", "99999999999999999999")
		s, c := piped(t, model.Options{MaxRetryWait: math.MaxInt64}, busy, modelserver.Text("hi"))
		_, err := ask(t.Context(), c, hello)
		require.Equal(t, model.KindStatus, requireError(t, err).Kind)
		require.Zero(t, time.Since(begun))
		require.Len(t, s.Requests(), 1)
	})
}

func TestAWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := with(modelserver.Failure(429, "slow down"), "Retry-After", "50")
		s, c := piped(t, model.Options{}, busy, modelserver.Text("hi"))
		ctx, cancel := context.WithCancelCause(t.Context())
		stopped := errors.New("stopped by the user")
		begun := time.Now()
		time.AfterFunc(3*sec, func() { cancel(stopped) })
		_, err := ask(ctx, c, hello)
		e := requireError(t, err)
		require.Equal(t, model.KindCanceled, e.Kind)
		require.ErrorIs(t, err, stopped)
		require.Equal(t, 3*sec, time.Since(begun))
		require.Len(t, s.Requests(), 1)
	})
}

func TestAWaitPastTheDeadlineIsAnErrorAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := piped(t, model.Options{}, with(modelserver.Failure(429, "slow down"), "Retry-After", "50"),
			modelserver.Text("hi"))
		ctx, cancel := context.WithTimeout(t.Context(), 20*sec)
		defer cancel()
		begun := time.Now()
		_, err := ask(ctx, c, hello)
		require.Equal(t, model.KindStatus, requireError(t, err).Kind, "the error is the server's")
		require.Zero(t, time.Since(begun))
		require.Len(t, s.Requests(), 1)
	})
}
