package model_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
)

func TestPermanentFailuresAreNotRetried(t *testing.T) {
	whole := modelserver.Text("hello")
	quota := modelserver.Reply{Status: 429, Raw: `{"error":{"message":"pay","code":"insufficient_quota"}}`}
	tests := []struct {
		name  string
		reply modelserver.Reply
		kind  model.Kind
	}{
		{"status 400", modelserver.Failure(400, "too long"), model.KindStatus},
		{"status 401", modelserver.Failure(401, "who are you"), model.KindStatus},
		{"status 501", modelserver.Failure(501, "no"), model.KindStatus},
		{"a quota that is used up", quota, model.KindStatus},
		{
			"a Retry-After that is too long", with(modelserver.Failure(429, "slow down"), "Retry-After", "61"),
			model.KindStatus,
		},
		{
			"a Retry-After that overflows a Duration",
			with(modelserver.Failure(429, "slow down"), "Retry-After", "9223372036854775807"), model.KindStatus,
		},
		{
			"a Retry-After with more digits than an int has",
			with(modelserver.Failure(429, "slow down"), "Retry-After", "99999999999999999999"), model.KindStatus,
		},
		{
			"a Retry-After with more digits than any number",
			with(modelserver.Failure(429, "slow down"), "Retry-After", strings.Repeat("9", 400)), model.KindStatus,
		},
		{"a web page", modelserver.Raw("text/html", "<html>hi</html>"), model.KindResponse},
		{"text that is not a reply", modelserver.Raw("text/plain", "hi"), model.KindResponse},
		{
			"an error that would have had status 400", events(`{"error":{"message":"too long","code":400}}`),
			model.KindServer,
		},
		{"an error whose code is a text", events(`{"error":{"message":"too long","code":"400"}}`), model.KindServer},
		{"an error as text with a code next to it", events(`{"error":"too long","code":"400"}`), model.KindServer},
		{
			"a connection that breaks after the first word",
			whole.BrokenAfter(strings.Index(whole.Body(true), `"finish_reason":"stop"`)), model.KindTruncated,
		},
		{
			"an error event after the first word",
			modelserver.RawStream("data: " + pieceHi + "\n\nevent: error\ndata: gone\n\n"), model.KindServer,
		},
		{"a server that is silent", modelserver.Reply{NoDone: true, Stall: true}, model.KindTimeout},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, c := piped(t, model.Options{IdleTimeout: sec}, tt.reply, modelserver.Text("hi"))
				_, err := ask(t.Context(), c, hello)
				e := requireError(t, err)
				require.Equal(t, tt.kind, e.Kind)
				require.Equal(t, 1, e.Attempts)
				require.Len(t, s.Requests(), 1)
			})
		})
	}
	t.Run("a reply that ends after its first word without a finish reason", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s, c := piped(t, model.Options{}, modelserver.Unfinished("hi"), modelserver.Text("hello"))
			got, err := ask(t.Context(), c, hello)
			require.NoError(t, err)
			require.Equal(t, reply{Text: "hi"}, got)
			require.Len(t, s.Requests(), 1)
		})
	})
}
