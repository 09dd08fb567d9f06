package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// A reply ends if the model begins to write a result itself.
func TestModelsAreToldWhereToStop(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*engine.Options)
		want   []string
	}{
		{"at the marker of a result", func(*engine.Options) {}, []string{"<<<[TOOL_RESULT]>>>"}},
		{"at the tag of one, in another protocol", func(o *engine.Options) { o.Protocols = []protocol.Protocol{hermes.Protocol{}} }, []string{"<tool_response>"}},
		{"nowhere without tools", config(func(c *engine.Config) { c.Enabled = false }), nil},
		{"nowhere if the protocol does not say", func(o *engine.Options) {
			o.Protocols = []protocol.Protocol{struct{ protocol.Protocol }{vcp.Protocol{}}}
		}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &script{replies: []reply{says("hi")}}
			require.Equal(t, engine.StopDone, run(t, session(t, registry(t), m, tt.change), question).stop)
			require.Equal(t, tt.want, m.asked[0].Stop)
		})
	}
}
