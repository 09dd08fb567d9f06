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

func TestReadConfig(t *testing.T) {
	with := func(change func(*engine.Config)) engine.Config {
		c := engine.DefaultConfig()
		change(&c)
		return c
	}
	full := engine.Config{
		Enabled: false, Mode: engine.ModeManual, ToolToggles: map[string]bool{"files": false, "github/issue": true},
		DefaultToolEnabled: false, MaxIterations: 3, MaxRequests: 5, MaxReplyBytes: 1000, MaxTime: engine.Duration(10 * time.Minute), MaxTokens: 50_000,
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
		{"a run may take any time", "maxTime: 0", engine.DefaultConfig()},
		{"results may be whole", "resultTokens: 0", with(func(c *engine.Config) { c.ResultTokens = 0 })},
		{"a timeout of parts of a second", `timeout: 2500ms`, with(func(c *engine.Config) {
			c.Timeout = engine.Duration(2500 * time.Millisecond)
		})},
		{"rules that are all commented out are none", "approveRules:\n  # - decision: deny\n", engine.DefaultConfig()},
		{"toggles that are all commented out are none", "toolToggles:\n  # files: false\n", engine.DefaultConfig()},
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

func TestReadConfigRefuses(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a mode that does not exist", "mode: auto-pilot", `mode is "auto-pilot"; allowed is "auto" or "manual"`},
		{"a word for a switch", "enabled: yes", `enabled is "yes"; allowed is true or false`},
		{"an empty switch", "enabled:", `enabled is empty; allowed is true or false`},
		{"no iterations", "maxIterations: 0", `maxIterations is 0; allowed is a whole number from 1 to 1000`},
		{"negative iterations", "maxIterations: -5", `maxIterations is -5; allowed is`},
		{"too many iterations", "maxIterations: 5000", `maxIterations is 5000; allowed is`},
		{"half an iteration", "maxIterations: 2.5", `maxIterations is 2.5; allowed is`},
		{"iterations beyond an integer", "maxIterations: 99999999999999999999", `maxIterations is 99999999999999999999; allowed is`},
		{"no requests", "maxRequests: 0", `maxRequests is 0; allowed is a whole number from 1 to 1000`},
		{"too many requests", "maxRequests: 1001", `maxRequests is 1001; allowed is`},
		{"a reply of any length", "maxReplyBytes: 0", `maxReplyBytes is 0; allowed is a whole number from 1000 to 1000000000`},
		{"a reply that is too long", "maxReplyBytes: 1000000001", `maxReplyBytes is 1000000001; allowed is`},
		{"a negative number of calls", "maxCalls: -1", `maxCalls is -1; allowed is a whole number from 1 to 100000, or 0`},
		{"too many calls", "maxCalls: 100001", `maxCalls is 100001; allowed is`},
		{"negative time", "maxTime: -1s", `maxTime is "-1s"; allowed is a duration with a unit, such as "30s"`},
		{"two days of time", "maxTime: 48h", `maxTime is "48h"; allowed is`},
		{"too few tokens", "maxTokens: 999", `maxTokens is 999; allowed is a whole number from 1000 to 1000000000, or 0`},
		{"tokens that are not a number", "maxTokens: many", `maxTokens is "many"; allowed is`},
		{"too short a history", "historyTokens: 999", `historyTokens is 999; allowed is a whole number from 1000`},
		{"a negative timeout", "timeout: -1s", `timeout is "-1s"; allowed is a duration with a unit, such as "30s"`},
		{"a timeout without a unit", "maxRequests: 5\n\ntimeout: 30", `line 3: timeout is 30; allowed is a duration with a unit, such as "30s"`},
		{"a quoted timeout without a unit", `timeout: "30"`, `timeout is "30"; allowed is a duration with a unit`},
		{"a timeout of 0", "timeout: 0", `timeout is 0; allowed is`},
		{"a timeout of two days", "timeout: 48h", `timeout is "48h"; allowed is`},
		{"a timeout beyond all durations", "timeout: 9223372036854775807", `timeout is 9223372036854775807; allowed is`},
		{"a timeout in words", "timeout: soon", `timeout is "soon"; allowed is`},
		{"a toggle that is not a switch", "toolToggles: {a: true, files: off}", `toolToggles.files is "off"; allowed is true or false`},
		{"toggles that are a list", "toolToggles: [files]", `toolToggles is a list; allowed is tool ids or full method names`},
		{"an approval that does not exist", "approve: maybe", `approve is "maybe"; allowed is "ask", "never", "read", "write" or "all"`},
		{"rules that are not a list", "approveRules: ask", `approveRules is "ask"; allowed is a list of rules`},
		{"text in place of a rule", "approveRules: [ask]", `approveRules[0] is "ask"; allowed is decision: "allow", "ask" or "deny"`},
		{"a rule without a decision", "approveRules: [{tool: a, decision: ask}, {tool: shell}]", `approveRules[1].decision is ""; allowed is "allow", "ask" or "deny"`},
		{"a rule with a decision that does not exist", "approveRules: [{decision: maybe}]", `approveRules[0].decision is "maybe"; allowed is`},
		{"a rule with a risk that does not exist", "approveRules: [{decision: deny, risk: some}]", `approveRules[0].risk is "some"; allowed is "read", "write" or "dangerous"`},
		{"a rule with a condition that does not exist", "approveRules: [{decision: deny, toll: shell}]", `there is no field "approveRules[0].toll"; did you mean tool?`},
		{"a rule with an empty condition", `approveRules: [{decision: allow, tool: ""}]`, `approveRules[0].tool is ""; allowed is decision`},
		{"a rule with an empty condition", `approveRules: [{decision: allow, tool: }]`, `approveRules[0].tool is empty; allowed is decision`},
		{"a rule with a condition that is a list", `approveRules: [{decision: allow, tool: [a]}]`, `approveRules[0].tool is a list; allowed is decision`},
		{"a toggle without a name", `toolToggles: {"": true}`, `toolToggles is ""; allowed is`},
		{"a protocol that is not a name", "protocol: 7", `protocol is 7; allowed is the id of a protocol`},
		{"fewer tokens than a note takes", "resultTokens: 100", `resultTokens is 100; allowed is a whole number from 200 to 1000000, or 0`},
		{"a negative budget", "resultTokens: -1", `resultTokens is -1; allowed is`},
		{"a budget that is not a number", "resultTokens: many", `resultTokens is "many"; allowed is`},
		{"a budget beyond any model", "resultTokens: 1000001", `resultTokens is 1000001; allowed is`},
		{"a field in another spelling", "max_iterations: 3", `there is no field "max_iterations"; did you mean maxIterations?`},
		{"a misspelled field", `{"tooltogles": {}}`, `there is no field "tooltogles"; did you mean toolToggles?`},
		{"a field that resembles no other", "color: red", `there is no field "color" (fields: enabled, mode, toolToggles, `},
		{"a field written twice", "mode: auto\nmode: manual", `the field "mode" occurs twice`},
		{"a list", "- enabled", `neither YAML nor JSON with fields`},
		{"text", "enabled", `neither YAML nor JSON with fields`},
		{"a broken document", "{\"mode\": ", `neither YAML nor JSON with fields`},
		{"two documents", "mode: auto\n---\nmode: manual", `more than one document`},
		{"a file that is far too large", strings.Repeat("# no configuration\n", 60_000), `larger than 1 MiB`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := engine.ReadConfig(strings.NewReader(tt.text))
			require.ErrorContains(t, err, tt.want)
			require.NotContains(t, err.Error(), "\n", "an error is one line")
			require.Equal(t, engine.Config{}, got)
		})
	}
}

func TestReadConfigErrorsAreTyped(t *testing.T) {
	_, err := engine.ReadConfig(strings.NewReader("timeout: -1s"))
	var bad *engine.ConfigError
	require.ErrorAs(t, err, &bad)
	require.Equal(t, "timeout", bad.Field)
	require.Equal(t, `"-1s"`, bad.Value)

	_, err = engine.ReadConfig(strings.NewReader("timeOut: 1s"))
	var unknown *engine.UnknownFieldError
	require.ErrorAs(t, err, &unknown)
	require.Equal(t, "timeout", unknown.Nearest)
}

func TestErrorsOfADocumentNameTheLine(t *testing.T) {
	for _, tt := range []struct{ name, text string }{
		{"a value of another kind", "maxRequests: 5\n\nmaxCalls: [1]\n"},
		{"a value out of range", "maxRequests: 5\n\nmaxCalls: -1\n"},
		{"a value of a rule", "approveRules:\n- {tool: a, decision: deny}\n- {tool: b, decision: maybe}\n"},
		{"an empty condition of a rule", "approveRules:\n- {tool: a, decision: deny}\n- {tool: '', decision: deny}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var bad *engine.ConfigError
			_, err := engine.ReadConfig(strings.NewReader(tt.text))
			require.ErrorAs(t, err, &bad)
			require.Equal(t, 3, bad.Line, err)
		})
	}
	t.Run("an unknown field", func(t *testing.T) {
		var bad *engine.UnknownFieldError
		_, err := engine.ReadConfig(strings.NewReader("maxRequests: 5\n\nmaxCall: 1\n"))
		require.ErrorAs(t, err, &bad)
		require.Equal(t, 3, bad.Line, err)
	})
}

func TestLoadConfig(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vcp.yaml")
	require.NoError(t, os.WriteFile(path, []byte("maxIterations: 0"), 0o600))
	_, err := engine.LoadConfig(path)
	require.ErrorContains(t, err, path+": configuration: line 1: maxIterations is 0")

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
			Approve:            rapid.SampledFrom([]policy.Approve{"", policy.ApproveAsk, policy.ApproveNever, policy.ApproveAll}).Draw(t, "approve"),
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

func TestDurationsInJSON(t *testing.T) {
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
		{"a number beyond all durations", `9223372036854775807`, `cannot unmarshal 9223372036854775807 ` + allowed},
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
	t.Run("a text without a field names none", func(t *testing.T) {
		err := new(engine.Duration).UnmarshalText([]byte("abc"))
		require.EqualError(t, err, `configuration: "abc" is not allowed; allowed is a duration with a unit, such as "30s" or "500ms"`)
	})
}

// Each rule holds at its edges, and Set, Validate and files agree on it.
func TestConfigFields(t *testing.T) {
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
				"", "true", "false", "auto", "manual", "ask", "write", "some", "-1", "0", "1", "7", "199", "200", "999", "1000", "1001",
				"100000", "100001", "1000000", "1000001", "1000000000", "1000000001", "99999999999999999999", "2.5", "30s", "24h", "24h1ns", "-1s",
			} {
				c := c
				err := c.Set(f.Name, value)
				require.NoError(t, c.Validate(), "what Set takes is valid: %q", value)
				if f.Name == "toolToggles" || f.Name == "approveRules" || value == "" {
					continue // a file spells these in another way
				}
				if f.Name == "mode" || f.Name == "approve" || f.Name == "protocol" {
					value = strconv.Quote(value)
				}
				read, readErr := engine.ReadConfig(strings.NewReader(f.Name + ": " + value))
				if readErr != nil {
					read = engine.DefaultConfig()
				}
				if bad := new(engine.ConfigError); readErr != nil {
					require.ErrorAs(t, readErr, &bad)
					require.ErrorContains(t, err, "allowed is "+bad.Allowed)
				} else {
					require.NoError(t, err)
				}
				require.Equal(t, read, c, "%q", value)
			}
		})
	}
}

func TestConfigSet(t *testing.T) {
	c := engine.DefaultConfig()
	require.NoError(t, c.Set("toolToggles", "files=false,files_list=true"))
	shared := c
	require.NoError(t, c.Set("toolToggles", "files=true"))
	require.Equal(t, map[string]bool{"files": true, "files_list": true}, c.ToolToggles)
	require.Equal(t, map[string]bool{"files": false, "files_list": true}, shared.ToolToggles, "Set does not change a copy")
	before := c
	for value, want := range map[string]string{"files": `toolToggles is "files"`, "=true": `toolToggles is "=true"`, "a=true,b": "each with true or false"} {
		require.ErrorContains(t, c.Set("toolToggles", value), want)
	}
	require.ErrorContains(t, c.Set("approveRules", "ask"), `approveRules is "ask"; allowed is a list of rules`)
	require.ErrorContains(t, c.Set("maxIteration", "5"), `there is no field "maxIteration"; did you mean maxIterations?`)
	require.Equal(t, before, c, "an error changes nothing")

	c.RequireConfirmation = true
	require.NoError(t, c.Set("approve", "all"))
	require.Equal(t, policy.ApproveAll, c.Policy().Approve, "the older name no longer wins")
}

func TestLoadConfigWithFieldsOfTheApplication(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vcp.yaml")
	write := func(text string) { require.NoError(t, os.WriteFile(path, []byte(text), 0o600)) }
	write("model: m\nmaxIterations: 3\nsystem: \"\"\n")
	got, err := engine.LoadConfig(path, "model", "baseUrl", "system")
	require.NoError(t, err)
	want := engine.DefaultConfig()
	want.MaxIterations = 3
	require.Equal(t, engine.ConfigFile{
		Config: want, Named: []string{"model", "maxIterations", "system"}, Own: map[string]json.RawMessage{"model": []byte(`"m"`), "system": []byte(`""`)},
	}, got)
	for text, wanted := range map[string]string{
		"model: .inf":                "model: ",
		"modell: m":                  `line 1: there is no field "modell"; did you mean model?`,
		"approveRules: [{model: a}]": `line 1: there is no field "approveRules[0].model"`,
	} {
		write(text)
		_, err := engine.LoadConfig(path, "model")
		require.ErrorContains(t, err, path+": configuration: "+wanted)
	}
	write("model: {b: [1], a: null}")
	got, err = engine.LoadConfig(path, "model")
	require.NoError(t, err)
	require.Equal(t, `{"b":[1],"a":null}`, string(got.Own["model"]), "a value of any kind")
	write("model: m")
	_, err = engine.LoadConfig(path)
	require.ErrorContains(t, err, `there is no field "model"`, "LoadConfig refuses fields that the application did not name")
}

func TestConfigValidate(t *testing.T) {
	require.NoError(t, engine.DefaultConfig().Validate())
	c := engine.DefaultConfig()
	c.Timeout = 0
	require.EqualError(t, c.Validate(), `configuration: timeout is 0s; allowed is a duration with a unit, such as "30s" or "500ms", above 0 and at most 24h`)
}

// TestTheRulesOfTheDocumentation compares the example in docs/execution.md with the text next to
// it.
func TestTheRulesOfTheDocumentation(t *testing.T) {
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
		require.NoError(t, reg.Register(tool.Tool{ID: tt.tool, Methods: []tool.Method{method(t, tt.method, nop, tool.WithRisk(tt.risk))}}))
		require.Equal(t, tt.want, c.Policy().Decide(reg.Entries()[0]), "%s_%s, %s", tt.tool, tt.method, tt.risk)
	}
}

func TestPolicy(t *testing.T) {
	rules := []policy.Rule{{Tool: "shell", Decision: policy.Deny}}
	for _, tt := range []struct {
		name    string
		approve policy.Approve
		require bool
		want    policy.Approve
	}{
		{"approve is taken as it is", policy.ApproveRead, false, policy.ApproveRead},
		{"requireConfirmation is ask", "", true, policy.ApproveAsk},
		{"requireConfirmation wins over what is laxer", policy.ApproveAll, true, policy.ApproveAsk},
		{"requireConfirmation does not win over never", policy.ApproveNever, true, policy.ApproveNever},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := engine.Config{Approve: tt.approve, RequireConfirmation: tt.require, ApproveRules: rules}
			require.Equal(t, policy.Policy{Approve: tt.want, Rules: rules}, c.Policy())
		})
	}
}
