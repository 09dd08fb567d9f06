package model_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
)

func system(text string) protocol.Message {
	return protocol.Message{Role: protocol.RoleSystem, Content: text}
}

func user(text string) protocol.Message {
	return protocol.Message{Role: protocol.RoleUser, Content: text}
}

func assistant(text string) protocol.Message {
	return protocol.Message{Role: protocol.RoleAssistant, Content: text}
}

// sent returns the request that a client with the preset sends.
func sent(t *testing.T, p model.Preset, req engine.ModelRequest) modelserver.Request {
	t.Helper()
	s := modelserver.Start(t, modelserver.Text("ok"))
	_, err := ask(t.Context(), newClient(t, model.Options{BaseURL: s.URL, Model: "m", Preset: &p}), req)
	require.NoError(t, err)
	return s.Requests()[0]
}

func TestMessagesFitTheTemplate(t *testing.T) {
	noSystem, merging := model.DefaultPreset(), model.DefaultPreset()
	noSystem.SystemRole = false
	merging.MergeAdjacent = true
	gemma, err := model.PresetNamed("gemma")
	require.NoError(t, err)
	tests := []struct {
		name     string
		preset   model.Preset
		messages []protocol.Message
		want     []modelserver.Message
	}{
		{
			"by default messages are unchanged", model.DefaultPreset(),
			[]protocol.Message{system("s"), user("a"), user("b"), assistant("c")},
			[]modelserver.Message{
				{Role: "system", Content: "s"},
				{Role: "user", Content: "a"},
				{Role: "user", Content: "b"},
				{Role: "assistant", Content: "c"},
			},
		},
		{
			"without a system role the system text goes before the user's", noSystem,
			[]protocol.Message{system("s"), user("a"), assistant("b"), user("c")},
			[]modelserver.Message{
				{Role: "user", Content: "s\n\na"},
				{Role: "assistant", Content: "b"},
				{Role: "user", Content: "c"},
			},
		},
		{
			"without a system role the text of a later system message goes before the user's, too", noSystem,
			[]protocol.Message{system("s"), user("a"), system("t")},
			[]modelserver.Message{{Role: "user", Content: "s\n\nt\n\na"}},
		},
		{
			"without a message of the user the system text becomes one", noSystem,
			[]protocol.Message{system("s"), assistant("a")},
			[]modelserver.Message{{Role: "user", Content: "s"}, {Role: "assistant", Content: "a"}},
		},
		{
			"an empty system message is dropped", noSystem,
			[]protocol.Message{system(""), user("a")},
			[]modelserver.Message{{Role: "user", Content: "a"}},
		},
		{
			"adjacent messages of one role become one", merging,
			[]protocol.Message{system("s"), user("a"), user("b"), assistant("c"), assistant("d"), user("")},
			[]modelserver.Message{
				{Role: "system", Content: "s"},
				{Role: "user", Content: "a\n\nb"},
				{Role: "assistant", Content: "c\n\nd"},
				{Role: "user", Content: " "},
			},
		},
		{
			"no system role and merged messages at once", gemma,
			[]protocol.Message{system("s"), user("a"), user("b")},
			[]modelserver.Message{{Role: "user", Content: "s\n\na\n\nb"}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			given := append([]protocol.Message(nil), tt.messages...)
			got := sent(t, tt.preset, engine.ModelRequest{Messages: tt.messages})
			if diff := cmp.Diff(tt.want, got.Messages); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
			require.Equal(t, given, tt.messages, "what the model was given is not changed")
		})
	}
}

func TestImagesKeepTheirPlaces(t *testing.T) {
	req := engine.ModelRequest{Messages: []protocol.Message{{
		Role: protocol.RoleUser, Content: "this or that?",
		Images: []protocol.Image{
			{At: 5, MediaType: "image/png", Data: []byte("png")},
			{At: 13, URL: "https://example.org/i.jpg", Detail: "low"},
		},
	}}}
	require.Contains(t, string(sent(t, model.DefaultPreset(), req).Body),
		`{"role":"user","content":[{"type":"text","text":"this "},`+
			`{"type":"image_url","image_url":{"url":"data:image/png;base64,cG5n"}},{"type":"text","text":"or that?"},`+
			`{"type":"image_url","image_url":{"url":"https://example.org/i.jpg","detail":"low"}}]}`)
	merging := model.DefaultPreset()
	merging.MergeAdjacent = true
	req.Messages = append([]protocol.Message{user("Look:")}, req.Messages...)
	require.Contains(t, string(sent(t, merging, req).Body),
		`[{"type":"text","text":"Look:\n\nthis "},{"type":"image_url"`)
}

func TestStopSequencesAreSentIfThePresetAcceptsThem(t *testing.T) {
	req := engine.ModelRequest{Messages: hello.Messages, Stop: []string{"x"}}
	require.EqualValues(t, []string{"x"}, sent(t, model.DefaultPreset(), req).Stop)
	require.Nil(t, sent(t, model.PresetFor("gpt-5"), req).Stop)
}

func TestThePresetOfAClientIsItsOptionOrThatOfTheModel(t *testing.T) {
	s := modelserver.Start(t)
	s.SetModels("google/gemma-3-12b-it")
	p, err := newClient(t, model.Options{BaseURL: s.URL}).Preset(t.Context())
	require.NoError(t, err)
	require.Equal(t, "gemma", p.Name)
	mine := model.DefaultPreset()
	mine.Name = "mine"
	p, err = newClient(t, model.Options{BaseURL: s.URL, Preset: &mine}).Preset(t.Context())
	require.NoError(t, err)
	require.Equal(t, mine, p)
	s.RefuseModels()
	_, err = newClient(t, model.Options{BaseURL: s.URL}).Preset(t.Context())
	require.Equal(t, model.KindStatus, requireError(t, err).Kind)
	_, err = model.New(model.Options{BaseURL: s.URL, Preset: &model.Preset{}})
	require.Equal(t, model.KindOptions, requireError(t, err).Kind)
}

func TestReasoningIsReadFromThePresetsFieldAndFromTheText(t *testing.T) {
	// The replies of this model begin inside the reasoning, so their text has only a closing tag.
	p := model.PresetFor("qwq:32b")
	p.Reasoning.Field = "thoughts"
	s := modelserver.Start(t, events(`{"choices":[{"delta":{"thoughts":"hm"}}]}`, pieceHi, endStop), events(
		`{"choices":[{"delta":{"content":"hm</thi"}}]}`, `{"choices":[{"delta":{"content":"nk>hi"}}]}`, endStop))
	c := newClient(t, model.Options{BaseURL: s.URL, Model: "m", Preset: &p})
	for range 2 {
		got, err := ask(t.Context(), c, hello)
		require.NoError(t, err)
		require.Equal(t, reply{Text: "hi", Reasoning: "hm", Finish: protocol.FinishStop, Finished: true}, got)
	}
}
