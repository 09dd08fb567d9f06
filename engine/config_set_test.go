package engine_test

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor/policy"
)

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
				if f.Name == "approveRules" || value == "" {
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
	copied := c
	require.NoError(t, c.Set("toolToggles", "files=true"))
	require.Equal(t, map[string]bool{"files": true, "files_list": true}, c.ToolToggles)
	require.Equal(t, map[string]bool{"files": false, "files_list": true}, copied.ToolToggles,
		"Set does not change a copy")
	unchanged := c
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
	require.Equal(t, unchanged, c, "an error changes nothing")

	c.RequireConfirmation = true
	require.NoError(t, c.Set("approve", "all"))
	require.Equal(t, policy.ApproveAll, c.Policy().Approve,
		"Set resets RequireConfirmation, which would override approve")
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
