package modelclient

import (
	"cmp"
	"errors"
	"io"
	"strings"

	"github.com/vcpgo/vcp/model"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

// presetFlag selects the preset of the model. It implements pflag.Value.
type presetFlag struct {
	name   string
	preset *model.Preset // nil if the model's name chooses it
	List   bool          // list the presets
}

// Set takes "auto", "list", the name of a preset, or the path of a file with a preset. A path
// contains a slash, a backslash or a dot.
func (p *presetFlag) Set(value string) error {
	*p = presetFlag{name: value}
	var (
		preset model.Preset
		err    error
	)
	switch {
	case value == "auto":
		return nil
	case value == "list":
		p.List = true
		return nil
	case strings.ContainsAny(value, "/.\\"):
		preset, err = model.LoadPreset(value)
	default:
		preset, err = model.PresetNamed(value)
	}
	if bad, ok := errors.AsType[*model.Error](err); ok {
		return cli.Valuef("is %q: %s", value, strings.TrimPrefix(bad.Message, "preset: "))
	}
	p.preset = &preset
	return err
}

// String returns the value.
func (p *presetFlag) String() string {
	return cmp.Or(p.name, "auto")
}

// Type returns the name of the value in the help text.
func (p *presetFlag) Type() string { return "NAME|FILE|list" }

// ListPresets writes the built-in presets, one line each.
func ListPresets(w io.Writer) error {
	var t terminal.Table
	t.Row("PRESET", "FOR", "MODELS")
	for _, p := range model.Presets() {
		t.Row(p.Name, p.Description, strings.Join(p.Match, " "))
	}
	return cli.Write(w, t.String())
}
