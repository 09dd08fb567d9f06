package model

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// A Preset is what is particular about a family of models, and the templates that servers use for them. Names in files are those of
// the tags. The zero value is no preset: begin with DefaultPreset.
type Preset struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description"`
	// Match are patterns of model ids for which the preset is chosen where none is named: all that stands after the last '/', in
	// lower case, with '*' for any text.
	Match []string `yaml:"match"`

	// Reasoning says how a reply tells reasoning from text.
	Reasoning ReasoningForm `yaml:"reasoning"`
	// SystemRole: a system message is taken. Without it, its text goes before that of the first user message.
	SystemRole bool `yaml:"systemRole"`
	// ToolRole: results of native calls are taken as messages of the role tool. Without it, calls are made in text.
	ToolRole bool `yaml:"toolRole"`
	// MergeAdjacent joins messages of one role that follow each other, for templates that want user and assistant in turn.
	MergeAdjacent bool `yaml:"mergeAdjacent"`
	// Stop: stop sequences are taken. Without it, none are sent.
	Stop bool `yaml:"stop"`
	// Calls is how CallsAuto calls tools where that is known of the family; CallsAuto finds it out.
	Calls Calls `yaml:"calls"`

	// Language is that of the instructions for tools: "en" or "zh".
	Language string `yaml:"language"`
	// Tolerance is how much damage is mended in requests.
	Tolerance protocol.Tolerance `yaml:"tolerance"`
	// Quoted says what becomes of requests in code.
	Quoted parser.QuotedPolicy `yaml:"quoted"`
}

// ReasoningForm says how a reply tells reasoning from text. What a server sends as reasoning apart from the text, in the members
// reasoning_content or reasoning, is read in any case, and so are the tags that every protocol knows, such as <think>.
type ReasoningForm struct {
	// Open and Close are the family's own marks around the reasoning at the start of a reply. They are replaced by <think> tags, the
	// first pair alone: behind it they are text.
	Open  string `yaml:"open"`
	Close string `yaml:"close"`
	// Prefilled: the template has opened the reasoning already, so a reply begins inside of it. Where a reply never closes it, it was none.
	Prefilled bool `yaml:"prefilled"`
	// Field names one more member in which a server sends reasoning.
	Field string `yaml:"field"`
	// Requests says what becomes of requests in reasoning that stands in the text.
	Requests parser.ReasoningPolicy `yaml:"requests"`
}

// DefaultPreset is what holds where nothing particular is known: all roles and stop sequences are taken, nothing is merged, calls are
// found out, instructions are in English, damage is mended at level safe, and nothing in code or reasoning runs.
func DefaultPreset() Preset {
	return Preset{Name: "default", SystemRole: true, ToolRole: true, Stop: true, Calls: CallsAuto, Language: "en"}
}

// Reading returns how the family's replies are read, for engine.Options.Reading.
func (p Preset) Reading() parser.Options {
	return parser.Options{Tolerance: p.Tolerance, Quoted: p.Quoted, Reasoning: p.Reasoning.Requests}
}

// Prompt returns how the family is told of tools, for engine.Options.Prompt.
func (p Preset) Prompt() protocol.PromptOptions { return protocol.PromptOptions{Language: p.Language} }

//go:embed presets.yaml
var presetsYAML string

var builtIn = sync.OnceValue(func() []Preset {
	var list []Preset
	for text := range strings.SplitSeq(presetsYAML, "\n---\n") {
		p := DefaultPreset()
		p.Name = ""
		v, err := document.Parse([]byte(text))
		if err == nil {
			err = v.Decode(&p)
		}
		if err == nil {
			err = p.check()
		}
		if err != nil {
			panic("model: presets.yaml: " + err.Error()) // a test reads it
		}
		list = append(list, p)
	}
	return list
})

// Presets returns those that are built in, in the order in which they are matched.
func Presets() []Preset { return slices.Clone(builtIn()) }

// PresetNamed returns the built-in preset of that name. The error names all and is of kind KindOptions.
func PresetNamed(name string) (Preset, error) {
	var names []string
	for _, p := range builtIn() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	hint := ""
	if near := text.Nearest(name, names); len(near) > 0 {
		hint = "; did you mean " + near[0] + "?"
	}
	return Preset{}, presetError("there is no preset %q%s (presets: %s)", name, hint, strings.Join(names, ", "))
}

// PresetFor returns the first built-in preset that matches the id of a model. Every id matches one.
func PresetFor(model string) Preset {
	id := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	list := builtIn()
	for _, p := range list[:len(list)-1] {
		if slices.ContainsFunc(p.Match, func(pattern string) bool { return matches(pattern, id) }) {
			return p
		}
	}
	return list[len(list)-1]
}

// matches reports whether a pattern, in which '*' is any text, matches all of id.
func matches(pattern, id string) bool {
	first, rest, wild := strings.Cut(pattern, "*")
	if !wild {
		return pattern == id
	}
	id, ok := strings.CutPrefix(id, first)
	if !ok {
		return false
	}
	for at := 0; at <= len(id); at++ {
		if matches(rest, id[at:]) {
			return true
		}
	}
	return false
}

// LoadPreset reads the regular file at path as ReadPreset does. Errors name the path.
func LoadPreset(path string) (Preset, error) {
	v, err := document.Load(path)
	if errors.As(err, new(*fs.PathError)) { // which names the path itself
		return Preset{}, presetError("%v", err)
	}
	p := Preset{}
	if err == nil {
		p, err = readPreset(v)
	}
	if err != nil {
		return Preset{}, presetError("%s: %v", path, err)
	}
	return p, nil
}

// ReadPreset reads one YAML or JSON document, within the limits of engine.ReadConfig. It begins as the built-in preset that its field base
// names, or else as DefaultPreset. Errors are of kind KindOptions and name the field, the value and what is allowed.
func ReadPreset(r io.Reader) (Preset, error) {
	v, err := document.Read(r)
	if err != nil {
		return Preset{}, presetError("%v", err)
	}
	p, err := readPreset(v)
	if err != nil {
		return Preset{}, presetError("%v", err)
	}
	return p, nil
}

// A presetFile is a preset with what only a file has.
type presetFile struct {
	Base   string `yaml:"base"`
	Preset `yaml:",inline"`
}

func readPreset(v document.Value) (Preset, error) {
	file := presetFile{Preset: DefaultPreset()}
	if base := v.Field("base"); base.Kind == document.String {
		var err error
		if file.Preset, err = PresetNamed(base.Text); err != nil {
			return Preset{}, err
		}
	}
	file.Name, file.Match = "custom", nil
	err := v.Decode(&file)
	var (
		unknown *document.UnknownFieldError
		value   *document.ValueError
	)
	switch {
	case errors.As(err, &unknown):
		hint := ""
		if near := text.Nearest(unknown.Name, unknown.Known); len(near) > 0 {
			hint = "; did you mean " + near[0] + "?"
		}
		return Preset{}, fmt.Errorf("there is no field %q%s (fields: %s)", unknown.Field, hint, strings.Join(unknown.Known, ", "))
	case errors.As(err, &value) && presetWords[value.Field] != "":
		return Preset{}, fmt.Errorf("%s is %s; allowed is %s", value.Field, value.Value, presetWords[value.Field])
	case err != nil:
		return Preset{}, err
	}
	if err := file.check(); err != nil {
		return Preset{}, err
	}
	return file.Preset, nil
}

// presetWords says what the fields take that hold one of some words.
var presetWords = map[string]string{
	"tolerance": "strict, safe or greedy", "quoted": "skip, run or auto", "calls": "auto, text or native",
	"reasoning.requests": "ignore, run or run_if_nothing_else",
}

// check returns an error for the first field that holds what it may not hold.
func (p *Preset) check() error {
	switch {
	case strings.TrimSpace(p.Name) == "":
		return presetError("name is empty; give the preset one")
	case p.Language != "en" && p.Language != "zh":
		return presetError("language is %q; allowed is en or zh", p.Language)
	case (p.Reasoning.Open == "") != (p.Reasoning.Close == ""):
		return presetError("reasoning has one of open and close; give both or none")
	case strings.TrimSpace(p.Reasoning.Open) != p.Reasoning.Open || strings.TrimSpace(p.Reasoning.Close) != p.Reasoning.Close:
		return presetError("reasoning has blanks around %q or %q; leave them out", p.Reasoning.Open, p.Reasoning.Close)
	case p.Calls == CallsNative && !p.ToolRole:
		return presetError("calls is native and toolRole false; native calls need it")
	}
	if err := p.Calls.check(); err != nil {
		return presetError("calls is %v", err)
	}
	return nil
}

func presetError(format string, args ...any) *Error {
	return newError(nil, Error{Op: "new", Kind: KindOptions}, "preset: %s", strings.TrimPrefix(fmt.Sprintf(format, args...), "preset: "))
}
