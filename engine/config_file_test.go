package engine_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
)

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
