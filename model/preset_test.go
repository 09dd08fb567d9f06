package model_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

func TestThePresetDependsOnTheModelID(t *testing.T) {
	for _, tt := range []struct{ id, want string }{
		{"o3-mini", "openai-reasoning"},
		{"openai/o3-mini", "openai-reasoning"},
		{"gpt-5", "openai-reasoning"},
		{"gpt-4o", "openai"},
		{"deepseek/deepseek-r1:free", "deepseek-r1"},
		{"deepseek-ai/DeepSeek-R1-Distill-Qwen-7B", "deepseek-r1"},
		{"deepseek-chat", "default"},
		{"hf.co/unsloth/Qwen3-30B-A3B-Thinking-2507-GGUF:Q4_K_M", "qwen-thinking"},
		{"qwen3:8b", "default"},
		{"Qwen/Qwen3-Coder-30B-A3B-Instruct", "qwen-coder"},
		{"qwen3-coder:30b", "qwen-coder"},
		{"Qwen/Qwen3.5-27B", "qwen"},
		{"qwen3.6:35b", "qwen"},
		{"nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", "nemotron-3"},
		{"nemotron-3-nano", "nemotron-3"},
		{"nvidia/Llama-3.1-Nemotron-70B-Instruct", "default"},
		{"qwq:32b", "qwen-thinking"},
		{"mistralai/Magistral-Small-2509", "magistral"},
		{"gemma3:4b", "gemma"},
		{"google/gemma-3-12b-it", "gemma"},
		{"gemma4:e4b", "default"},
		{"mistral-7b-instruct-v0.2.Q4_K_M.gguf", "mistral-instruct"},
		{"mistral-7b-instruct-v0.3", "default"},
		{"lenient", "default"},
		{"yi-34b-chat", "chinese"},
		{"my-o3-model", "default"},
		{"", "default"},
		{"o3/", "default"},
	} {
		require.Equal(t, tt.want, model.PresetFor(tt.id).Name, tt.id)
	}
}

func TestBuiltInPresetsDescribeTheirFamilies(t *testing.T) {
	r1, err := model.PresetNamed("deepseek-r1")
	require.NoError(t, err)
	want := model.DefaultPreset()
	want.Name, want.Description = "deepseek-r1", r1.Description
	want.Match, want.Calls = []string{"deepseek-r1*", "deepseek-reasoner*"}, model.CallsText
	want.Reasoning.Prefilled = true
	if diff := cmp.Diff(want, r1); diff != "" {
		t.Errorf("deepseek-r1 (-want +got):\n%s", diff)
	}
	lenient, err := model.PresetNamed("lenient")
	require.NoError(t, err)
	require.Equal(t, parser.Options{
		Tolerance: scan.Greedy, Quoted: parser.QuotedAuto,
		Reasoning: parser.ReasoningRunIfNothingElse,
	}, lenient.Profile().Reading)
	require.Equal(t, protocol.PromptOptions{Language: "zh"}, model.PresetFor("ernie-4.5").Profile().Prompt)
	require.Equal(t, "qwencoder", model.PresetFor("qwen3-coder-next").Protocol)
}

func TestBuiltInPresetsAreDocumented(t *testing.T) {
	guide, err := os.ReadFile("../docs/models.md")
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, p := range model.Presets() {
		require.False(t, seen[p.Name], "%s is there twice", p.Name)
		seen[p.Name] = true
		require.NotEmpty(t, p.Description, p.Name)
		require.Contains(t, string(guide), "| `"+p.Name+"` |", "docs/models.md lists every preset")
	}
}

func TestPresetFilesAreChecked(t *testing.T) {
	read := func(text string) (model.Preset, error) { return model.ReadPreset(strings.NewReader(text)) }
	t.Run("an empty file is the default", func(t *testing.T) {
		p, err := read("")
		require.NoError(t, err)
		want := model.DefaultPreset()
		want.Name = "custom"
		require.Equal(t, want, p)
	})
	t.Run("every field can be set", func(t *testing.T) {
		p, err := read(`
name: mine
description: the one in the cellar
match: [mine*]
reasoning: {open: "<r>", close: "</r>", prefilled: true, field: thoughts, requests: run}
systemRole: false
toolRole: false
mergeAdjacent: true
stop: false
calls: text
language: zh
tolerance: strict
quoted: run
protocol: hermes
`)
		require.NoError(t, err)
		want := model.Preset{
			Name: "mine", Description: "the one in the cellar", Match: []string{"mine*"},
			Reasoning: model.ReasoningForm{
				Open: "<r>", Close: "</r>", Prefilled: true, Field: "thoughts",
				Requests: parser.ReasoningRun,
			},
			MergeAdjacent: true, Calls: model.CallsText, Language: "zh",
			Tolerance: scan.Strict, Quoted: parser.QuotedRun, Protocol: "hermes",
		}
		if diff := cmp.Diff(want, p); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("a preset may be based on another", func(t *testing.T) {
		p, err := read("base: magistral\nreasoning: {prefilled: true}\nstop: false\n")
		require.NoError(t, err)
		require.Equal(t, model.ReasoningForm{Open: "[THINK]", Close: "[/THINK]", Prefilled: true}, p.Reasoning)
		require.False(t, p.Stop)
		require.True(t, p.SystemRole)
		require.Equal(t, "custom", p.Name)
	})
	for _, tt := range []struct{ name, text, says string }{
		{"an unknown field", "tolerence: safe", `no field "tolerence"; did you mean tolerance? (fields: base, name, `},
		{"an unknown field of reasoning", "reasoning: {tag: x}", `no field "reasoning.tag" (fields: open, close, `},
		{"an unknown base", "base: gema", "did you mean gemma?"},
		{"an unknown language", "language: fr", `"fr"; allowed is en or zh`},
		{"an unknown tolerance", "tolerance: lax", "lax"},
		{"a list for a tolerance", "tolerance: [safe]", `tolerance is a list; allowed is strict, safe or greedy`},
		{"a mapping for a policy", "quoted: {a: b}", `quoted is a mapping; allowed is skip, run or auto`},
		{"an unknown policy", "quoted: never", `quoted is "never"; allowed is skip, run or auto`},
		{"a list for calls", "calls: [text]", `calls is a list; allowed is auto, text or native`},
		{
			"a list for the policy of reasoning", "reasoning: {requests: [run]}",
			`reasoning.requests is a list; allowed is ignore, run or run_if_nothing_else`,
		},
		{"a number for a tolerance", "tolerance: 3", `tolerance is 3; allowed is`},
		{"an unknown way to call", "calls: loudly", `calls is "loudly"; allowed is auto, text or native`},
		{"one mark alone", `reasoning: {open: "<r>"}`, "give both"},
		{"a mark with blanks", `reasoning: {open: "<r> ", close: "</r>"}`, "blanks"},
		{"native calls without the role", "calls: native\ntoolRole: false", "toolRole"},
		{"an empty name", `name: ""`, "name is empty"},
		{"a list in place of fields", "- a\n- b", "preset"},
		{"a type that does not fit", "stop: perhaps", `stop is "perhaps"; allowed is true or false`},
		{"a second document", "stop: true\n---\nstop: false", "more than one document"},
		{"a document that is too large", strings.Repeat("#", 2<<20), "larger than 1 MiB"},
		{"an alias", "name: &a x\ndescription: *a", "anchors and aliases are not read"},
		{"a field without a value", "calls:", "calls is empty; allowed is auto, text or native"},
	} {
		t.Run(tt.name+" is refused", func(t *testing.T) {
			_, err := read(tt.text)
			e := requireError(t, err)
			require.Equal(t, model.KindOptions, e.Kind)
			require.Contains(t, e.Error(), tt.says)
		})
	}
	t.Run("errors name the file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "p.yaml")
		_, err := model.LoadPreset(path)
		require.ErrorContains(t, err, path)
		require.NoError(t, os.WriteFile(path, []byte("stop: 3"), 0o600))
		_, err = model.LoadPreset(path)
		require.ErrorContains(t, err, path)
	})
}

func TestBuiltInPresetsCannotBeChanged(t *testing.T) {
	const id = "gemma3:4b"
	named, err := model.PresetNamed("gemma")
	require.NoError(t, err)
	for _, p := range append(model.Presets(), named, model.PresetFor(id)) {
		for i := range p.Match {
			p.Match[i] = "changed"
		}
	}
	require.Equal(t, "gemma", model.PresetFor(id).Name)
}

func TestUnknownPresetsAreRefused(t *testing.T) {
	_, err := model.PresetNamed("gema")
	e := requireError(t, err)
	require.Equal(t, model.KindOptions, e.Kind)
	require.Contains(t, e.Error(), `no preset "gema"; did you mean gemma?`)
	require.Contains(t, e.Error(), "magistral")
}
