package nametest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool/builtin/internal/publicnet/nametest"
)

func TestResolverAnswersInTurn(t *testing.T) {
	r := nametest.Resolver(t, []string{"8.8.8.8", "1.1.1.1"}, []string{"127.0.0.1"})
	for _, want := range [][]string{{"8.8.8.8", "1.1.1.1"}, {"127.0.0.1"}, {"127.0.0.1"}} {
		got, err := r.LookupHost(t.Context(), "any.example")
		require.NoError(t, err)
		require.ElementsMatch(t, want, got)
	}
}
