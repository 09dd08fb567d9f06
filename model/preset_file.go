package model

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/vcpgo/vcp/internal/document"
)

// A presetFile is a preset with the one field that only a file has.
type presetFile struct {
	Base   string `yaml:"base"`
	Preset `yaml:",inline"`
}

// fieldChoices lists the allowed words of each field that takes one of a few words.
var fieldChoices = map[string]string{
	"tolerance": "strict, safe or greedy", "quoted": "skip, run or auto", "calls": "auto, text or native",
	"reasoning.requests": "ignore, run or run_if_nothing_else",
}

// LoadPreset reads the regular file at path as ReadPreset does. Errors name the path.
func LoadPreset(path string) (Preset, error) {
	v, err := document.Load(path)
	if errors.As(err, new(*fs.PathError)) { // a PathError names the path
		return Preset{}, presetError("%v", err)
	}
	p, err := decodePreset(v, err)
	if err != nil {
		return Preset{}, presetError("%s: %s", path, presetReason(err))
	}
	return p, nil
}

// ReadPreset reads one YAML or JSON document, within the limits of engine.ReadConfig. It begins as
// the built-in preset that the field base names, or as DefaultPreset. Errors are of kind
// KindOptions. An error about a field says what is allowed.
func ReadPreset(r io.Reader) (Preset, error) {
	p, err := decodePreset(document.Read(r))
	if err != nil {
		return Preset{}, presetError("%s", presetReason(err))
	}
	return p, nil
}

// decodePreset decodes a document, unless reading it failed with err.
func decodePreset(v document.Value, err error) (Preset, error) {
	if err != nil {
		return Preset{}, err
	}
	file := presetFile{Preset: DefaultPreset()}
	if base := v.Field("base"); base.Kind == document.String {
		if file.Preset, err = PresetNamed(base.Text); err != nil {
			return Preset{}, err
		}
	}
	file.Name, file.Match = "custom", nil
	err = v.Decode(&file)
	var (
		unknown *document.UnknownFieldError
		value   *document.ValueError
	)
	switch {
	case errors.As(err, &unknown):
		return Preset{}, fmt.Errorf("there is no field %q%s (fields: %s)",
			unknown.Field, didYouMean(unknown.Name, unknown.Known), strings.Join(unknown.Known, ", "))
	case errors.As(err, &value) && fieldChoices[value.Field] != "":
		return Preset{}, fmt.Errorf("%s is %s; allowed is %s", value.Field, value.Value, fieldChoices[value.Field])
	case err != nil:
		return Preset{}, err
	}
	if err := file.check(); err != nil {
		return Preset{}, err
	}
	return file.Preset, nil
}
