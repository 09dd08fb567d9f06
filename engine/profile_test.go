package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// profiled is a script that is also an engine.ProfiledModel. With a context that has ended, Profile
// fails unless the profile is known from an earlier call.
type profiled struct {
	script
	profile engine.Profile
	known   bool
	err     error
}

func (m *profiled) Profile(ctx context.Context) (engine.Profile, error) {
	if err := ctx.Err(); err != nil && !m.known {
		return engine.Profile{}, err
	}
	m.known = true
	return m.profile, m.err
}

var chineseProfile = engine.Profile{
	Reading: parser.Options{Quoted: parser.QuotedRun}, Prompt: protocol.PromptOptions{Language: "zh"},
}

func TestTheProfileOfAModelIsAppliedWhole(t *testing.T) {
	quoted := "```\n" + block(t, "t_echo", "text", "hi") + "\n```"
	for _, tt := range []struct {
		name    string
		options *engine.Profile // Options.Profile
		ran     bool            // a quoted request runs
		chinese bool            // the prompt is Chinese
	}{
		{"the profile of the model applies", nil, true, true},
		{"an empty profile of the application replaces that of the model", &engine.Profile{}, false, false},
		{
			"a profile of the application with a language replaces that of the model",
			&engine.Profile{Prompt: chineseProfile.Prompt}, false, true,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &profiled{script: script{replies: []reply{says(quoted), says("Done.")}}, profile: chineseProfile}
			e := newEngine(t, registry(t), m, func(o *engine.Options) { o.Profile = tt.options })
			got := run(t, e.NewSession("a"), question)
			require.Equal(t, tt.ran, len(got.iterations[0].Results) == 1)
			require.Equal(t, tt.chinese, hasChinese(m.script.asked[0].Messages[0].Content))
			s := e.NewSession("b")
			require.Equal(t, tt.chinese, hasChinese(s.Prompt()))
			cycle, err := s.ProcessCycle(t.Context(), quoted, protocol.FinishStop)
			require.NoError(t, err)
			require.Equal(t, tt.ran, len(cycle.Results) == 1)
		})
	}
}

func hasChinese(text string) bool { return strings.Contains(text, "工具") }

func TestPromptSendsNothingToTheServer(t *testing.T) {
	m := &profiled{script: script{replies: []reply{says("Hello.")}}, profile: chineseProfile}
	s := newEngine(t, registry(t), m).NewSession("a")
	require.False(t, hasChinese(s.Prompt()), "the server has not been asked")
	run(t, s, question)
	require.True(t, hasChinese(s.Prompt()))
}

func TestAnErrorOfProfileEndsTheRun(t *testing.T) {
	m := &profiled{err: errors.New("no line")}
	s := newEngine(t, registry(t), m).NewSession("a")
	got := run(t, s, question)
	require.Equal(t, engine.StopModelError, got.stop)
	require.ErrorIs(t, got.err, m.err)
	require.Empty(t, m.script.asked)
	_, err := s.ProcessCycle(t.Context(), block(t, "t_echo"), protocol.FinishStop)
	require.ErrorIs(t, err, m.err)
	m.err = nil
	m.profile.Reading.Disabled = []string{"magic"} // no repair has this name
	require.ErrorContains(t, run(t, s, question).err, "magic")
}

func TestANewConfigurationKeepsTheProfile(t *testing.T) {
	m := &profiled{profile: chineseProfile, known: true}
	e := newEngine(t, registry(t), m)
	s := e.NewSession("a")
	require.True(t, hasChinese(s.Prompt()))
	c := e.Config()
	c.ToolToggles = map[string]bool{"t_echo": false}
	require.NoError(t, e.SetConfig(c))
	require.NotContains(t, s.Prompt(), "t_echo")
	c.ToolToggles = nil
	require.NoError(t, e.SetConfig(c))
	require.True(t, hasChinese(s.Prompt()))
	require.Contains(t, s.Prompt(), "t_echo")
}
