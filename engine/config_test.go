package engine_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/tool"
)

func TestYAMLAndJSONAreRead(t *testing.T) {
	with := func(change func(*engine.Config)) engine.Config {
		c := engine.DefaultConfig()
		change(&c)
		return c
	}
	full := engine.Config{
		Enabled: false, Mode: engine.ModeManual, ToolToggles: map[string]bool{"files": false, "github/issue": true},
		DefaultToolEnabled: false, MaxIterations: 3, MaxRequests: 5, MaxReplyBytes: 1000,
		MaxTime: engine.Duration(10 * time.Minute), MaxTokens: 50_000,
		HistoryTokens: 8000, Timeout: engine.Duration(90 * time.Second), RequireConfirmation: true,
		Approve: policy.ApproveRead, ApproveRules: []policy.Rule{
			{Tool: "shell", Decision: policy.Ask},
			{Method: "shell_run", Risk: tool.RiskDangerous, Decision: policy.Deny},
		},
		ParallelExecution: true, ResultTokens: 500, PromptMethods: 20, PromptTokens: 3000,
		PinnedTools: map[string]bool{"files": true},
		Protocol:    "vcp",
	}
	for _, tt := range []struct {
		name, text string
		want       engine.Config
	}{
		{"an empty file is the default", "", engine.DefaultConfig()},
		{"a file of comments is the default", "# nothing yet\n", engine.DefaultConfig()},
		{"every field can be set in YAML", `
enabled: false
mode: manual
toolToggles:
  files: false
  github/issue: true
defaultToolEnabled: false
maxIterations: 3
maxRequests: 5
maxReplyBytes: 1000
maxCalls: 0
maxTime: 10m
maxTokens: 50000
historyTokens: 8000
timeout: 1m30s
approve: read
approveRules:
  - {tool: shell, decision: ask}
  - method: shell_run
    risk: dangerous
    decision: deny
requireConfirmation: true
parallelExecution: true
resultTokens: 500
promptMethods: 20
promptTokens: 3000
pinnedTools: {files: true}
protocol: vcp
`, full},
		{"every field can be set in JSON that is indented with tabs", `{
	"enabled": false,
	"mode": "manual",
	"toolToggles": {
		"files": false,
		"github/issue": true
	},
	"defaultToolEnabled": false, "maxIterations": 3,
	"maxRequests": 5, "maxReplyBytes": 1000, "maxCalls": 0, "maxTime": "10m", "maxTokens": 50000, "historyTokens": 8000, "timeout": "1m30s",
	"approve": "read",
	"approveRules": [{"tool": "shell", "decision": "ask"}, {"method": "shell_run", "risk": "dangerous", "decision": "deny"}],
	"requireConfirmation": true, "parallelExecution": true, "resultTokens": 500,
	"promptMethods": 20, "promptTokens": 3000, "pinnedTools": {"files": true}, "protocol": "vcp"
}`, full},
		{"a duration of 0 needs no unit", "maxTime: 0", engine.DefaultConfig()},
		{"a limit on results may be 0", "resultTokens: 0", with(func(c *engine.Config) { c.ResultTokens = 0 })},
		{"a timeout with a fraction of a second", `timeout: 2500ms`, with(func(c *engine.Config) {
			c.Timeout = engine.Duration(2500 * time.Millisecond)
		})},
		{
			"rules that are all commented out mean no rules", "approveRules:\n  # - decision: deny\n",
			engine.DefaultConfig(),
		},
		{
			"toggles that are all commented out mean no toggles", "toolToggles:\n  # files: false\n",
			engine.DefaultConfig(),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := engine.ReadConfig(strings.NewReader(tt.text))
			require.NoError(t, err)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("configuration (-want +got):\n%s", diff)
			}
		})
	}
}

func TestConfigSurvivesJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := engine.Config{
			Enabled: rapid.Bool().Draw(t, "enabled"),
			Mode:    rapid.SampledFrom([]engine.Mode{engine.ModeAuto, engine.ModeManual}).Draw(t, "mode"),
			ToolToggles: rapid.MapOf(rapid.StringMatching(`[a-z][a-z/_-]{0,12}`), rapid.Bool()).
				Draw(t, "toggles"),
			DefaultToolEnabled: rapid.Bool().Draw(t, "default"),
			MaxIterations:      rapid.IntRange(1, 1000).Draw(t, "iterations"),
			MaxRequests:        rapid.IntRange(1, 1000).Draw(t, "requests"),
			MaxReplyBytes:      rapid.IntRange(1000, 1_000_000_000).Draw(t, "bytes"),
			MaxCalls:           rapid.IntRange(0, 100_000).Draw(t, "calls"),
			MaxTime:            engine.Duration(rapid.Int64Range(0, int64(24*time.Hour)).Draw(t, "time")),
			MaxTokens:          rapid.SampledFrom([]int{0, 1000, 1_000_000_000}).Draw(t, "tokens"),
			HistoryTokens:      rapid.SampledFrom([]int{0, 1000, 1_000_000_000}).Draw(t, "history"),
			Timeout:            engine.Duration(rapid.Int64Range(1, int64(24*time.Hour)).Draw(t, "timeout")),
			Approve: rapid.SampledFrom([]policy.Approve{
				"", policy.ApproveAsk, policy.ApproveNever, policy.ApproveAll,
			}).Draw(t, "approve"),
			ApproveRules: rapid.SliceOf(rapid.Custom(func(t *rapid.T) policy.Rule {
				return policy.Rule{Tool: rapid.StringMatching(`[a-z]*`).Draw(t, "tool"), Decision: policy.Ask}
			})).Draw(t, "rules"),
			RequireConfirmation: rapid.Bool().Draw(t, "confirm"),
			ParallelExecution:   rapid.Bool().Draw(t, "parallel"),
			Protocol:            rapid.StringMatching(`[a-z0-9]*`).Draw(t, "protocol"),
		}
		text, err := json.MarshalIndent(want, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		got, err := engine.ReadConfig(strings.NewReader(string(text)))
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestJSONAcceptsDurationsWithAUnit(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		want        engine.Duration
	}{
		{"a text", `"1m30s"`, engine.Duration(90 * time.Second)},
		{"zero", `0`, 0},
		{"null changes nothing", `null`, engine.Duration(5)},
		{"a negative duration is left to Validate", `"-1ms"`, engine.Duration(-time.Millisecond)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := engine.Config{Timeout: 5, MaxTime: 5}
			require.NoError(t, json.Unmarshal([]byte(`{"timeout":`+tt.value+`,"maxTime":`+tt.value+`}`), &c))
			require.Equal(t, engine.Config{Timeout: tt.want, MaxTime: tt.want}, c)
		})
	}
	const allowed = `(allowed is a duration with a unit, such as "30s" or "500ms")`
	for _, tt := range []struct{ name, value, want string }{
		{"words", `"abc"`, `cannot unmarshal "abc" ` + allowed + ` into Go struct field Config.maxTime`},
		{"a number without a unit", `30`, `cannot unmarshal 30 ` + allowed},
		{"a text without a unit", `"30"`, `cannot unmarshal "30" ` + allowed},
		{
			"a number that is too large for a duration", `9223372036854775807`,
			`cannot unmarshal 9223372036854775807 ` + allowed,
		},
		{"a list", `[30]`, `cannot unmarshal [30] ` + allowed},
		{
			"a long text", `"` + strings.Repeat("x", 1000) + `"`,
			`cannot unmarshal "` + strings.Repeat("x", 59) + `… ` + allowed,
		},
	} {
		t.Run(tt.name+" is refused, and the field is named", func(t *testing.T) {
			var bad *json.UnmarshalTypeError
			err := json.Unmarshal([]byte(`{"maxTime":`+tt.value+`}`), new(engine.Config))
			require.ErrorAs(t, err, &bad)
			require.Equal(t, "maxTime", bad.Field)
			require.ErrorContains(t, err, tt.want)
		})
	}
	t.Run("an error outside of a Config names no field", func(t *testing.T) {
		err := new(engine.Duration).UnmarshalText([]byte("abc"))
		require.EqualError(t, err,
			`configuration: "abc" is not allowed; allowed is a duration with a unit, such as "30s" or "500ms"`)
	})
}
