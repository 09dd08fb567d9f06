package chat_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/tool"
)

func TestOpenChecksTheOwner(t *testing.T) {
	for _, tt := range []struct {
		owner, opener string
		opens         bool
	}{
		{"ann", "ann", true},
		{"ann", "bob", false},
		{"", "bob", false},
		{"ann", "", true},
		{"", "", true},
	} {
		t.Run(fmt.Sprintf("of %q opened by %q", tt.owner, tt.opener), func(t *testing.T) {
			e := engineOf(t, &script{}, nil)
			store := chat.NewMemoryStore()
			require.NoError(t, store.Create(t.Context(), chat.Metadata{ID: "a", Owner: tt.owner}))
			_, err := chat.Open(t.Context(), e, chat.Options{ID: "a", Owner: tt.opener, Store: store})
			if tt.opens {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, chat.ErrNoConversation)
			}
		})
	}
}

// Two conversations, each with an engine of its own on one registry, make the same call.
func TestCachedResultsStayWithTheirOwner(t *testing.T) {
	for _, tt := range []struct {
		name          string
		first, second string
		runs          int
	}{
		{"one owner", "ann", "ann", 1},
		{"two owners", "ann", "bob", 2},
		{"no owner", "", "", 2},
		{"an owner and no owner", "ann", "", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			runs := 0
			reg := tool.NewRegistry()
			require.NoError(t, reg.Register(tool.Tool{
				ID: "t",
				Methods: []tool.Method{fn(t, "look", func(context.Context, in) (string, error) {
					runs++
					return fmt.Sprint("run ", runs), nil
				}, tool.WithRisk(tool.RiskRead), tool.Cacheable(time.Hour))},
			}))
			for i, owner := range []string{tt.first, tt.second} {
				model := &script{replies: []reply{says(block(t, "t_look")), says("Done.")}}
				e := engineOn(t, reg, model, func(*engine.Options) {})
				c, err := chat.New(e, chat.Options{ID: fmt.Sprint("c", i), Owner: owner, Store: testStore()})
				require.NoError(t, err)
				o := collect(t, c.Send(t.Context(), "Look."))
				require.NoError(t, o.err)
				require.Len(t, o.done, 1)
			}
			require.Equal(t, tt.runs, runs)
		})
	}
}
