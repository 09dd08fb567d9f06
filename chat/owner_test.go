package chat_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
)

func TestOpenChecksTheOwner(t *testing.T) {
	for _, tt := range []struct {
		owner, asked string
		opens        bool
	}{
		{"ann", "ann", true},
		{"ann", "bob", false},
		{"", "bob", false},
		{"ann", "", true},
		{"", "", true},
	} {
		t.Run(tt.owner+" asked for by "+tt.asked, func(t *testing.T) {
			e := engineOf(t, &script{}, nil)
			store := chat.NewMemoryStore()
			require.NoError(t, store.Create(t.Context(), chat.Metadata{ID: "a", Owner: tt.owner}))
			_, err := chat.Open(t.Context(), e, chat.Options{ID: "a", Owner: tt.asked, Store: store})
			if tt.opens {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, chat.ErrNoConversation)
			}
		})
	}
}
