package model_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
)

func TestNativeChoosesHowToolsAreCalled(t *testing.T) {
	calls := modelserver.Calls(modelserver.ToolCall{ID: "a", Name: "ready", Arguments: "{}"})
	talk := modelserver.Reply{Pieces: []string{strings.Repeat("Let me think. ", 1000)}, NoDone: true, Stall: true}
	mistral, err := model.PresetNamed("mistral-instruct")
	require.NoError(t, err)
	mistral.Calls = model.CallsAuto // the preset still accepts no results of native calls
	tests := []struct {
		name   string
		calls  model.Calls
		preset string              // the name of a built-in preset; "mistral" is the changed one
		script []modelserver.Reply // one reply for each expected request
		want   bool                // whether tools are called by the API
	}{
		{"in text by default", "", "default", nil, false},
		{"in text if Options say so", model.CallsText, "openai", nil, false},
		{"by the API if Options say so", model.CallsNative, "gemma", nil, true},
		{"as the preset says", model.CallsAuto, "openai", nil, true},
		{"as the preset says, in text", model.CallsAuto, "gemma", nil, false},
		{"in text, if results are not accepted", model.CallsAuto, "mistral", nil, false},
		{
			"by the API, if the model makes the requested call", model.CallsAuto, "default",
			[]modelserver.Reply{calls},
			true,
		},
		{
			"in text, if the server refuses", model.CallsAuto, "default",
			[]modelserver.Reply{modelserver.Failure(400, "does not support tools")},
			false,
		},
		{
			"in text, if the server fails", model.CallsAuto, "default",
			[]modelserver.Reply{modelserver.Failure(500, "tools need --jinja")},
			false,
		},
		{
			"in text, if the server ignores the tool", model.CallsAuto, "default",
			[]modelserver.Reply{modelserver.Text("Ready!")},
			false,
		},
		{"in text, if the model only talks", model.CallsAuto, "default", []modelserver.Reply{talk}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := mistral
			if tt.preset != "mistral" {
				var err error
				p, err = model.PresetNamed(tt.preset)
				require.NoError(t, err)
			}
			s := modelserver.Start(t, tt.script...)
			c := retryingClient(t, model.Options{BaseURL: s.URL, Model: "m", Calls: tt.calls, Preset: &p})
			for range 3 {
				native, err := c.Native(t.Context())
				require.NoError(t, err)
				require.Equal(t, tt.want, native)
			}
			require.Len(t, s.Requests(), len(tt.script), "one probe, or none if the choice needs none")
			for _, r := range s.Requests() {
				require.Len(t, r.Tools, 1)
			}
		})
	}
}

func TestAFailedProbeDecidesNothing(t *testing.T) {
	s := modelserver.Start(t, modelserver.Failure(401, "who are you"), modelserver.Reply{HangUp: true},
		modelserver.Calls(modelserver.ToolCall{ID: "a", Name: "ready", Arguments: "{}"}))
	c := newClient(t, model.Options{BaseURL: s.URL, Model: "m", Calls: model.CallsAuto})
	for _, kind := range []model.Kind{model.KindStatus, model.KindConnect} {
		_, err := c.Native(t.Context())
		require.Equal(t, kind, requireError(t, err).Kind)
	}
	native, err := c.Native(t.Context())
	require.NoError(t, err)
	require.True(t, native, "the next call probes again")
}

func TestSessionsShareOneProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := modelserver.Calls(modelserver.ToolCall{ID: "a", Name: "ready", Arguments: "{}"})
		slow.Pause = sec
		s, c := piped(t, model.Options{Calls: model.CallsAuto}, slow)
		answers := make(chan bool)
		for range 10 {
			go func() {
				native, err := c.Native(t.Context())
				answers <- native && err == nil
			}()
		}
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := c.Native(ctx)
		require.ErrorIs(t, err, context.Canceled, "a wait ends with its context")
		for range 10 {
			require.True(t, <-answers)
		}
		require.Len(t, s.Requests(), 1)
	})
}
