package model_test

import (
	"cmp"
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
)

func TestASilentServerTimesOut(t *testing.T) {
	const limit = 10 * sec
	tests := []struct {
		name  string
		reply modelserver.Reply
		text  string // of the reply before the timeout
	}{
		{"a server that does not respond", modelserver.Reply{Pieces: []string{"hello"}, Pause: time.Minute}, ""},
		{"a server that stops after its header", modelserver.Reply{Raw: " ", Stall: true}, ""},
		{"a server that stops in the middle", modelserver.Stalled("hello"), "hello"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, c := piped(t, model.Options{IdleTimeout: limit}, tt.reply)
				begun := time.Now()
				got, err := ask(t.Context(), c, hello)
				require.Equal(t, reply{Text: tt.text}, got)
				e := requireError(t, err)
				require.Equal(t, model.KindTimeout, e.Kind)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.Contains(t, e.Error(), "sent nothing for 10s")
				require.Equal(t, limit, time.Since(begun))
			})
		})
	}
}

func TestASlowServerIsNotSilent(t *testing.T) {
	comments := strings.Repeat(": still here\n", 400) // with the Pause, they take an hour, the default of Timeout
	tests := map[string]modelserver.Reply{
		"pieces that come slowly": {Pieces: []string{"hel", "lo"}, Finish: "stop", Pause: 9 * sec},
		"comments before the first piece": {
			Raw: comments + "data: " + pieceHello + "\n\ndata: " + endStop + "\n\n", Pause: 9 * sec,
		},
	}
	for name, r := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, c := piped(t, model.Options{IdleTimeout: 10 * sec, Timeout: -1}, r)
				got, err := ask(t.Context(), c, hello)
				require.NoError(t, err)
				require.True(t, got.Finished)
				require.Equal(t, "hello", got.Text)
			})
		})
	}
}

func TestASlowReaderDoesNotTimeOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, c := piped(t, model.Options{IdleTimeout: sec}, modelserver.Pieces("a", "b", "c"))
		text := ""
		for d, err := range c.Stream(t.Context(), hello) {
			require.NoError(t, err)
			text += d.Text
			time.Sleep(time.Minute)
		}
		require.Equal(t, "abc", text)
	})
}

// The usage of a reply may follow its finish reason. The client waits for it, but not while the
// reader is busy.
func TestASlowReaderGetsUsage(t *testing.T) {
	const firstUsage = `{"choices":[],"usage":{"prompt_tokens":1}}`
	for name, after := range map[string][]string{
		"after the finish reason": {lastUsage},
		"after an earlier usage":  {firstUsage, lastUsage},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				body := strings.Join(append([]string{"", pieceHello, endStop}, after...), "\ndata: ")
				_, c := piped(t, model.Options{}, modelserver.Reply{Raw: body, Pause: sec / 4})
				var got *engine.Usage
				for d, err := range c.Stream(t.Context(), hello) {
					require.NoError(t, err)
					time.Sleep(time.Minute)
					got = cmp.Or(d.Usage, got)
				}
				require.Equal(t, &engine.Usage{PromptTokens: 7, CompletionTokens: 2}, got)
			})
		})
	}
}

func TestTheWaitForUsageIsLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, c := piped(t, model.Options{}, modelserver.Reply{
			Raw: "data: " + endStop + "\n\n" + strings.Repeat("data: "+lastUsage+"\n\n", 1000), Pause: sec / 16,
		})
		begun := time.Now()
		got, err := ask(t.Context(), c, hello)
		require.NoError(t, err)
		require.True(t, got.Finished)
		require.Equal(t, sec/16+sec, time.Since(begun))
	})
}

func TestALongReplyTimesOut(t *testing.T) {
	long := modelserver.Reply{Raw: strings.Repeat("data: "+pieceHello+"\n", 1000), Pause: sec}
	synctest.Test(t, func(t *testing.T) {
		_, c := piped(t, model.Options{Timeout: 30*sec + ms}, long) // shortly after the 30th piece
		begun := time.Now()
		got, err := ask(t.Context(), c, hello)
		e := requireError(t, err)
		require.Equal(t, model.KindTimeout, e.Kind)
		require.Contains(t, e.Error(), "not done after 30.001s")
		require.Equal(t, 30*sec+ms, time.Since(begun))
		require.Equal(t, strings.Repeat("hello", 30), got.Text)
	})
	t.Run("waits between attempts count", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			busy := with(modelserver.Failure(429, "slow down"), "Retry-After", "20")
			s, c := piped(t, model.Options{Timeout: 30 * sec}, busy, busy, modelserver.Text("hi"))
			begun := time.Now()
			_, err := ask(t.Context(), c, hello)
			require.Equal(t, model.KindStatus, requireError(t, err).Kind)
			require.Less(t, time.Since(begun), 21*sec)
			require.Len(t, s.Requests(), 2)
		})
	})
}

const pieceHello = `{"choices":[{"index":0,"delta":{"content":"hello"}}]}`
