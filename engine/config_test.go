package engine_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
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
		ParallelExecution: true, ResultTokens: 500, PromptMethods: 20, PromptTokens: 3000, PinnedTools: map[string]bool{"files": true},
		Protocol: "vcp",
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
		{"every field can be set in JSON, tabs included", `{
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
		{"0 means no limit on the time", "maxTime: 0", engine.DefaultConfig()},
		{"0 means no limit on results", "resultTokens: 0", with(func(c *engine.Config) { c.ResultTokens = 0 })},
		{"a timeout with a fraction of a second", `timeout: 2500ms`, with(func(c *engine.Config) {
			c.Timeout = engine.Duration(2500 * time.Millisecond)
		})},
		{"rules that are all commented out mean no rules", "approveRules:\n  # - decision: deny\n", engine.DefaultConfig()},
		{"toggles that are all commented out mean no toggles", "toolToggles:\n  # files: false\n", engine.DefaultConfig()},
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

func TestErrorsOfLoadConfigNameThePath(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vcp.yaml")
	require.NoError(t, os.WriteFile(path, []byte("maxIterations: 0"), 0o600))
	_, err := engine.LoadConfig(path)
	require.ErrorContains(t, err, path)
	var bad *engine.ConfigError
	require.ErrorAs(t, err, &bad)
	require.Equal(t, "maxIterations", bad.Field)

	_, err = engine.LoadConfig(filepath.Join(t.TempDir(), "absent.yaml"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestConfigSurvivesJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := engine.Config{
			Enabled:            rapid.Bool().Draw(t, "enabled"),
			Mode:               rapid.SampledFrom([]engine.Mode{engine.ModeAuto, engine.ModeManual}).Draw(t, "mode"),
			ToolToggles:        rapid.MapOf(rapid.StringMatching(`[a-z][a-z/_-]{0,12}`), rapid.Bool()).Draw(t, "toggles"),
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
		{"Validate checks the range", `"-1ms"`, engine.Duration(-time.Millisecond)},
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
		{"a number that is too large for a duration", `9223372036854775807`, `cannot unmarshal 9223372036854775807 ` + allowed},
		{"a list", `[30]`, `cannot unmarshal [30] ` + allowed},
		{"a long text", `"` + strings.Repeat("x", 1000) + `"`, `cannot unmarshal "` + strings.Repeat("x", 59) + `… ` + allowed},
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
		require.EqualError(t, err, `configuration: "abc" is not allowed; allowed is a duration with a unit, such as "30s" or "500ms"`)
	})
}

// TestSetValidateAndFilesAgreeOnEachField tries values at and beyond the limits of each field. Set,
// Validate and ReadConfig must accept and refuse the same values.
func TestSetValidateAndFilesAgreeOnEachField(t *testing.T) {
	fields := engine.ConfigFields()
	require.Len(t, fields, reflect.TypeFor[engine.Config]().NumField())
	for i, f := range fields {
		t.Run(f.Name, func(t *testing.T) {
			field := reflect.TypeFor[engine.Config]().Field(i)
			require.Equal(t, field.Tag.Get("yaml"), f.Name)
			require.Equal(t, field.Tag.Get("json"), f.Name)
			require.NotEmpty(t, f.Allowed)
			require.NotEmpty(t, f.Description)
			if f.Default != "" {
				c := engine.DefaultConfig()
				require.NoError(t, c.Set(f.Name, f.Default))
				require.Equal(t, engine.DefaultConfig(), c, "the default changes nothing")
			}
			c := engine.DefaultConfig()
			for _, value := range []string{
				"", "true", "false", "auto", "manual", "ask", "write", "some",
				"-1", "0", "1", "7", "199", "200", "999", "1000", "1001", "100000", "100001", "1000000", "1000001",
				"1000000000", "1000000001", "99999999999999999999", "2.5", "30s", "24h", "24h1ns", "-1s",
			} {
				c := c
				err := c.Set(f.Name, value)
				require.NoError(t, c.Validate(), "what Set takes is valid: %q", value)
				if f.Name == "toolToggles" || f.Name == "approveRules" || value == "" {
					continue // files spell these values differently
				}
				if f.Name == "mode" || f.Name == "approve" || f.Name == "protocol" {
					value = strconv.Quote(value)
				}
				read, readErr := engine.ReadConfig(strings.NewReader(f.Name + ": " + value))
				if readErr != nil {
					read = engine.DefaultConfig()
				}
				if readErr == nil {
					require.NoError(t, err)
				} else {
					var ofFile, ofSet *engine.ConfigError
					require.ErrorAs(t, readErr, &ofFile)
					require.ErrorAs(t, err, &ofSet)
					require.Equal(t, ofFile.Allowed, ofSet.Allowed)
				}
				require.Equal(t, read, c, "%q", value)
			}
		})
	}
}

func TestSetChangesOneFieldOrNothing(t *testing.T) {
	c := engine.DefaultConfig()
	require.NoError(t, c.Set("toolToggles", "files=false,files_list=true"))
	shared := c
	require.NoError(t, c.Set("toolToggles", "files=true"))
	require.Equal(t, map[string]bool{"files": true, "files_list": true}, c.ToolToggles)
	require.Equal(t, map[string]bool{"files": false, "files_list": true}, shared.ToolToggles, "Set does not change a copy")
	before := c
	for _, tt := range []struct{ field, value string }{
		{"toolToggles", "files"}, {"toolToggles", "=true"}, {"toolToggles", "a=true,b"}, {"approveRules", "ask"},
	} {
		var bad *engine.ConfigError
		require.ErrorAs(t, c.Set(tt.field, tt.value), &bad)
		require.Equal(t, tt.field, bad.Field)
		require.Equal(t, strconv.Quote(tt.value), bad.Value)
	}
	var unknown *engine.UnknownFieldError
	require.ErrorAs(t, c.Set("maxIteration", "5"), &unknown)
	require.Equal(t, "maxIterations", unknown.Nearest)
	require.Equal(t, before, c, "an error changes nothing")

	c.RequireConfirmation = true
	require.NoError(t, c.Set("approve", "all"))
	require.Equal(t, policy.ApproveAll, c.Policy().Approve, "Set resets RequireConfirmation, which would override approve")
}

func TestAFileMayHaveFieldsOfTheApplication(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vcp.yaml")
	write := func(text string) { require.NoError(t, os.WriteFile(path, []byte(text), 0o600)) }
	write("model: m\nmaxIterations: 3\nsystem: \"\"\n")
	got, err := engine.LoadConfig(path, "model", "baseUrl", "system") // a file need not have all fields
	require.NoError(t, err)
	want := engine.DefaultConfig()
	want.MaxIterations = 3
	require.Equal(t, engine.ConfigFile{
		Config: want, Named: []string{"model", "maxIterations", "system"},
		Own: map[string]json.RawMessage{"model": []byte(`"m"`), "system": []byte(`""`)},
	}, got)
	write("model: .inf")
	_, err = engine.LoadConfig(path, "model")
	require.ErrorContains(t, err, path+": configuration: model: ")
	for text, want := range map[string]engine.UnknownFieldError{
		"modell: m":                  {Field: "modell", Nearest: "model", Line: 1},
		"approveRules: [{model: a}]": {Field: "approveRules[0].model", Line: 1},
	} {
		write(text)
		_, err := engine.LoadConfig(path, "model")
		require.ErrorContains(t, err, path)
		var unknown *engine.UnknownFieldError
		require.ErrorAs(t, err, &unknown)
		want.Known = unknown.Known
		require.Equal(t, want, *unknown)
	}
	write("model: {b: [1], a: null}")
	got, err = engine.LoadConfig(path, "model")
	require.NoError(t, err)
	require.Equal(t, `{"b":[1],"a":null}`, string(got.Own["model"]), "a value of any kind")
	write("model: m")
	_, err = engine.LoadConfig(path)
	var unknown *engine.UnknownFieldError
	require.ErrorAs(t, err, &unknown, "LoadConfig refuses fields that the application did not name")
}

func TestValidateNamesTheField(t *testing.T) {
	require.NoError(t, engine.DefaultConfig().Validate())
	c := engine.DefaultConfig()
	c.Timeout = 0
	var bad *engine.ConfigError
	require.ErrorAs(t, c.Validate(), &bad)
	require.Equal(t, "timeout", bad.Field)
	require.Equal(t, "0s", bad.Value)
}

// TestTheRulesInTheDocumentationDecideAsDescribed checks that the rules in docs/execution.md decide
// as the text next to them says.
func TestTheRulesInTheDocumentationDecideAsDescribed(t *testing.T) {
	page, err := os.ReadFile("../docs/execution.md")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	example, _, found := strings.Cut(rest, "```")
	require.True(t, found)
	c, err := engine.ReadConfig(strings.NewReader(example))
	require.NoError(t, err)
	for _, tt := range []struct {
		tool, method string
		risk         tool.Risk
		want         policy.Decision
	}{
		{"shell", "list", tool.RiskRead, policy.Ask},
		{"shell", "run", tool.RiskDangerous, policy.Deny},
		{"shell", "status", tool.RiskRead, policy.Allow},
		{"shell", "status", tool.RiskDangerous, policy.Allow},
		{"notes", "add", tool.RiskWrite, policy.Allow},
		{"notes", "burn", tool.RiskDangerous, policy.Ask},
		{"files", "read", tool.RiskRead, policy.Allow},
		{"files", "write", tool.RiskWrite, policy.Ask},
	} {
		reg := tool.NewRegistry()
		decided := method(t, tt.method, nop, tool.WithRisk(tt.risk))
		require.NoError(t, reg.Register(tool.Tool{ID: tt.tool, Methods: []tool.Method{decided}}))
		require.Equal(t, tt.want, c.Policy().Decide(reg.Entries()[0]), "%s_%s, %s", tt.tool, tt.method, tt.risk)
	}
}

func TestRequireConfirmationOverridesApprove(t *testing.T) {
	rules := []policy.Rule{{Tool: "shell", Decision: policy.Deny}}
	for _, tt := range []struct {
		name                string
		approve             policy.Approve
		requireConfirmation bool
		want                policy.Approve
	}{
		{"approve decides without requireConfirmation", policy.ApproveRead, false, policy.ApproveRead},
		{"requireConfirmation means ask", "", true, policy.ApproveAsk},
		{"requireConfirmation overrides all", policy.ApproveAll, true, policy.ApproveAsk},
		{"requireConfirmation does not override never", policy.ApproveNever, true, policy.ApproveNever},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := engine.Config{Approve: tt.approve, RequireConfirmation: tt.requireConfirmation, ApproveRules: rules}
			require.Equal(t, policy.Policy{Approve: tt.want, Rules: rules}, c.Policy())
		})
	}
}
