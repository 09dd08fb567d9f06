package engine_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
)

// refused returns the error of reading text as a configuration.
func refused(t *testing.T, text string) error {
	t.Helper()
	got, err := engine.ReadConfig(strings.NewReader(text))
	require.Error(t, err)
	require.NotContains(t, err.Error(), "\n", "an error is one line")
	require.Equal(t, engine.Config{}, got)
	return err
}

func TestReadConfigRefusesValues(t *testing.T) {
	for _, tt := range []struct{ name, text, field, value string }{
		{"a mode that does not exist", "mode: auto-pilot", "mode", `"auto-pilot"`},
		{"a word for a switch", "enabled: yes", "enabled", `"yes"`},
		{"an empty switch", "enabled:", "enabled", "empty"},
		{"no iterations", "maxIterations: 0", "maxIterations", "0"},
		{"negative iterations", "maxIterations: -5", "maxIterations", "-5"},
		{"too many iterations", "maxIterations: 5000", "maxIterations", "5000"},
		{"a fraction of an iteration", "maxIterations: 2.5", "maxIterations", "2.5"},
		{
			"more iterations than fit an integer", "maxIterations: 99999999999999999999", "maxIterations",
			"99999999999999999999",
		},
		{"no requests", "maxRequests: 0", "maxRequests", "0"},
		{"too many requests", "maxRequests: 1001", "maxRequests", "1001"},
		{"a reply without a limit", "maxReplyBytes: 0", "maxReplyBytes", "0"},
		{"a reply that is too long", "maxReplyBytes: 1000000001", "maxReplyBytes", "1000000001"},
		{"a negative number of calls", "maxCalls: -1", "maxCalls", "-1"},
		{"too many calls", "maxCalls: 100001", "maxCalls", "100001"},
		{"negative time", "maxTime: -1s", "maxTime", `"-1s"`},
		{"two days of time", "maxTime: 48h", "maxTime", `"48h"`},
		{"too few tokens", "maxTokens: 999", "maxTokens", "999"},
		{"tokens that are not a number", "maxTokens: many", "maxTokens", `"many"`},
		{"too short a history", "historyTokens: 999", "historyTokens", "999"},
		{"a negative timeout", "timeout: -1s", "timeout", `"-1s"`},
		{"a timeout without a unit", "maxRequests: 5\n\ntimeout: 30", "timeout", "30"},
		{"a quoted timeout without a unit", `timeout: "30"`, "timeout", `"30"`},
		{"a timeout of 0", "timeout: 0", "timeout", "0"},
		{"a timeout of two days", "timeout: 48h", "timeout", `"48h"`},
		{"a timeout longer than any duration", "timeout: 9223372036854775807", "timeout", "9223372036854775807"},
		{"a timeout in words", "timeout: soon", "timeout", `"soon"`},
		{"a toggle that is not a switch", "toolToggles: {a: true, files: off}", "toolToggles.files", `"off"`},
		{"toggles that are a list", "toolToggles: [files]", "toolToggles", "a list"},
		{"an approval that does not exist", "approve: maybe", "approve", `"maybe"`},
		{"rules that are not a list", "approveRules: ask", "approveRules", `"ask"`},
		{"text in place of a rule", "approveRules: [ask]", "approveRules[0]", `"ask"`},
		{
			"a rule without a decision", "approveRules: [{tool: a, decision: ask}, {tool: shell}]",
			"approveRules[1].decision", `""`,
		},
		{
			"a rule with a decision that does not exist", "approveRules: [{decision: maybe}]",
			"approveRules[0].decision", `"maybe"`,
		},
		{
			"a rule with a risk that does not exist", "approveRules: [{decision: deny, risk: some}]",
			"approveRules[0].risk", `"some"`,
		},
		{"a rule with an empty condition", `approveRules: [{decision: allow, tool: ""}]`, "approveRules[0].tool", `""`},
		{
			"a rule with a condition without a value", `approveRules: [{decision: allow, tool: }]`,
			"approveRules[0].tool", "empty",
		},
		{
			"a rule with a condition that is a list", `approveRules: [{decision: allow, tool: [a]}]`,
			"approveRules[0].tool", "a list",
		},
		{"a toggle without a name", `toolToggles: {"": true}`, "toolToggles", `""`},
		{"a protocol that is not a name", "protocol: 7", "protocol", "7"},
		{"too few tokens for a result", "resultTokens: 100", "resultTokens", "100"},
		{"negative tokens for a result", "resultTokens: -1", "resultTokens", "-1"},
		{"tokens for a result that are not a number", "resultTokens: many", "resultTokens", `"many"`},
		{"too many tokens for a result", "resultTokens: 1000001", "resultTokens", "1000001"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var bad *engine.ConfigError
			require.ErrorAs(t, refused(t, tt.text), &bad)
			require.Equal(t, tt.field, bad.Field)
			require.Equal(t, tt.value, bad.Value)
			for _, f := range engine.ConfigFields() {
				if f.Name == bad.Field {
					require.Equal(t, f.Allowed, bad.Allowed)
				}
			}
			require.NotEmpty(t, bad.Allowed)
		})
	}
}

func TestReadConfigRefusesUnknownFields(t *testing.T) {
	for _, tt := range []struct{ name, text, field, nearest string }{
		{
			"a rule with a condition that does not exist", "approveRules: [{decision: deny, toll: shell}]",
			"approveRules[0].toll", "tool",
		},
		{"a field in another spelling", "max_iterations: 3", "max_iterations", "maxIterations"},
		{"a misspelled field", `{"tooltogles": {}}`, "tooltogles", "toolToggles"},
		{"a field that resembles no other", "color: red", "color", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var unknown *engine.UnknownFieldError
			require.ErrorAs(t, refused(t, tt.text), &unknown)
			require.Equal(t, tt.field, unknown.Field)
			require.Equal(t, tt.nearest, unknown.Nearest)
		})
	}
}

func TestReadConfigRefusesDocuments(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a field written twice", "mode: auto\nmode: manual", `the field "mode" occurs twice`},
		{"a list", "- enabled", `neither YAML nor JSON with fields`},
		{"text", "enabled", `neither YAML nor JSON with fields`},
		{"a broken document", "{\"mode\": ", `neither YAML nor JSON with fields`},
		{"two documents", "mode: auto\n---\nmode: manual", `more than one document`},
		{"a file that is far too large", strings.Repeat("# no configuration\n", 60_000), `larger than 1 MiB`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.ErrorContains(t, refused(t, tt.text), tt.want)
		})
	}
}

// TestConfigErrorsNameLineFieldAndWhatIsAllowed checks the text of errors.
func TestConfigErrorsNameLineFieldAndWhatIsAllowed(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{
			"a value", "maxRequests: 5\n\ntimeout: 30",
			`configuration: line 3: timeout is 30; allowed is a duration with a unit, such as "30s" or "500ms", above 0 and at most 24h`,
		},
		{
			"a value of a rule", "approveRules: [{decision: deny, risk: some}]",
			`configuration: line 1: approveRules[0].risk is "some"; allowed is "read", "write" or "dangerous"`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.EqualError(t, refused(t, tt.text), tt.want)
		})
	}
	t.Run("an unknown field", func(t *testing.T) {
		err := refused(t, "color: red")
		require.ErrorContains(t, err,
			`configuration: line 1: there is no field "color" (fields: enabled, mode, toolToggles, `)
		require.ErrorContains(t, refused(t, "max_iterations: 3"),
			`there is no field "max_iterations"; did you mean maxIterations? (fields: `)
	})
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
