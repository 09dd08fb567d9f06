package export_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/tool/schema/export"
)

func TestNamesThatLoseMostCharactersGetAHash(t *testing.T) {
	names := []string{"天气_查询", "获取weather数据列表", "天气", "ok_天气", "weather_now_天", "1天气查询"}
	var list []export.Definition
	for _, name := range names {
		s := schematest.Compile(t, `{"type":"object","properties":{"城市":{"type":"string"}}}`)
		list = append(list, export.Definition{Name: name, Parameters: s})
	}
	tools, err := export.NewTools(export.OpenAI, list)
	require.NoError(t, err)
	var got []string
	for _, name := range names {
		got = append(got, tools.Name(name))
		back, _, err := tools.Call(tools.Name(name), "")
		require.NoError(t, err)
		assert.Equal(t, name, back)
	}
	assert.Equal(t,
		[]string{"tool_f0e772be", "__weather____", "tool_4d947325", "ok___", "weather_now__", "1_99807328"}, got)
	google, err := export.NewTools(export.Google, list[5:])
	require.NoError(t, err)
	assert.Regexp(t, `^tool_1_[0-9a-f]{8}$`, google.Name("1天气查询"))
	assert.Regexp(t, `"argument_[0-9a-f]{8}":`, string(google.JSON()))
}

func TestNamesFitEachProvider(t *testing.T) {
	long := strings.Repeat("long", 20)
	names := []string{"clock_now", "github/create_issue", "a.b", "a/b", "a:b", "天气_查询", "9lives", long, long + "er"}
	var definitions []export.Definition
	for _, name := range names {
		definitions = append(definitions,
			export.Definition{Name: name, Parameters: schematest.Compile(t, `{"type":"object"}`)})
	}
	for _, test := range []struct {
		provider export.Provider
		want     []string // # stands for a hash
	}{
		{
			export.OpenAI,
			[]string{"clock_now", "github_create_issue", "a_b_#", "a_b_#", "a_b_#", "tool_#", "9lives", long[:55] + "_#", long[:55] + "_#"},
		},
		{export.Anthropic, []string{"clock_now", "github_create_issue", "a_b_#", "a_b_#", "a_b_#", "tool_#", "9lives", long, long + "er"}},
		{export.MCP, []string{"clock_now", "github_create_issue", "a.b", "a_b_#", "a_b_#", "tool_#", "9lives", long, long + "er"}},
		{
			export.Google,
			[]string{"clock_now", "github_create_issue", "a.b", "a_b_#", "a_b_#", "tool_#", "_9lives", long[:55] + "_#", long[:55] + "_#"},
		},
	} {
		t.Run(string(test.provider), func(t *testing.T) {
			tools, err := export.NewTools(test.provider, definitions)
			require.NoError(t, err)
			hash := regexp.MustCompile(`_[0-9a-f]{8}$`)
			for i, name := range names {
				wire := tools.Name(name)
				assert.Equal(t, test.want[i], hash.ReplaceAllString(wire, "_#"))
				back, args, err := tools.Call(wire, "")
				require.NoError(t, err)
				assert.Equal(t, name, back)
				assert.Empty(t, args)
			}
			reversed := slices.Clone(definitions)
			slices.Reverse(reversed)
			again, err := export.NewTools(test.provider, reversed)
			require.NoError(t, err)
			for _, name := range names {
				assert.Equal(t, tools.Name(name), again.Name(name), "a name does not depend on the order")
			}
		})
	}
}

// TestAnyNamesFitEachProvider checks that different names become different names that the provider
// accepts, and that Call translates these back.
func TestAnyNamesFitEachProvider(t *testing.T) {
	allowed := map[export.Provider]*regexp.Regexp{
		export.OpenAI:    regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`),
		export.Anthropic: regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`),
		export.MCP:       regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,128}$`),
		export.Google:    regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$`),
	}
	s := schematest.Compile(t, `{"type":"object"}`)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.StringMatching(`[ab/._-]{1,4}`), rapid.StringMatching(`[a-z_/]{60,140}`),
			rapid.StringN(1, 20, -1))
		names := rapid.SliceOfDistinct(name, func(n string) string { return n }).Draw(t, "names")
		for _, p := range providers {
			var definitions []export.Definition
			for _, n := range names {
				definitions = append(definitions, export.Definition{Name: n, Parameters: s})
			}
			tools, err := export.NewTools(p, definitions)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range names {
				wire := tools.Name(n)
				back, _, err := tools.Call(wire, "{}")
				if !allowed[p].MatchString(wire) || back != n || err != nil {
					t.Fatalf("%s: %q is written %q and translated back to %q (%v)", p, n, wire, back, err)
				}
			}
		}
	})
}

func TestCallTranslatesNamesBack(t *testing.T) {
	s := schematest.Compile(t, `{"type":"object","required":["城市"],
		"properties":{"城市":{"type":"string"},"max-results":{"type":"integer"},"max_results":{"type":"integer"}}}`)
	for _, p := range providers {
		tools, err := export.NewTools(p, []export.Definition{{Name: "find/it", Parameters: s}})
		require.NoError(t, err)
		var names []string // the provider's names of the arguments
		argument := regexp.MustCompile(`"([^"]+)":\{"type":"(?:string|integer|STRING|INTEGER)"`)
		for _, m := range argument.FindAllStringSubmatch(string(tools.JSON()), -1) {
			names = append(names, m[1])
		}
		require.Len(t, names, 3)
		assert.Contains(t, string(tools.JSON()), `"required":["`+names[0]+`"]`)
		call := `{"` + names[0] + `":"北京","` + names[1] + `":9007199254740993,"` + names[2] + `":2}`
		name, args, err := tools.Call(tools.Name("find/it"), call)
		require.NoError(t, err)
		assert.Equal(t, "find/it", name)
		object, repaired, err := s.Object(args)
		require.NoError(t, err)
		assert.Empty(t, repaired)
		assert.Equal(t, `{"城市":"北京","max-results":9007199254740993,"max_results":2}`, string(object))
	}
}
