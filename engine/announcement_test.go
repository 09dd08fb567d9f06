package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/tool"
)

// TestTheModelIsToldOnceThatItOnlyAnnouncedACall checks that the model is told once in a run that
// it announced a call and wrote no request.
func TestTheModelIsToldOnceThatItOnlyAnnouncedACall(t *testing.T) {
	const announcement = "Let me look that up."
	call := block(t, "t_echo", "text", "hi")
	noTools := func(o *engine.Options) { o.Registry = tool.NewRegistry() }
	for _, tt := range []struct {
		name    string
		replies []string
		told    []int // the replies after which the model is told, from 0
		options []func(*engine.Options)
	}{
		{"in the first reply", []string{announcement, call, "Done."}, []int{0}, nil},
		{"after a call", []string{call, announcement, "Done."}, []int{1}, nil},
		{"in the first reply, with an answer in the second", []string{announcement, "Done."}, []int{0}, nil},
		{"in two replies; the second ends the run", []string{announcement, announcement}, []int{0}, nil},
		{"in a reply with the request", []string{announcement + "\n" + call, "Done."}, nil, nil},
		{"in a reply with the answer", []string{announcement + " It is 14 °C."}, nil, nil},
		{"in a run without tools", []string{announcement}, nil, []func(*engine.Options){noTools}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := run(t, session(t, registry(t), scriptOf(tt.replies...), tt.options...), question)
			require.Equal(t, engine.StopDone, o.stop)
			require.Len(t, o.iterations, len(tt.replies))
			require.Equal(t, tt.told, toldAfter(o))
		})
	}
}
