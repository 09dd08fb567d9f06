package model

import (
	_ "embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// Calls says how a model calls tools.
type Calls string

const (
	// CallsAuto means native calls if the server and the model support them, and otherwise calls in
	// text. A client finds out with its first request which of the two it is.
	CallsAuto Calls = "auto"
	// CallsText means requests in the text of a reply, in the engine's protocol.
	CallsText Calls = "text"
	// CallsNative means the function calling of the API.
	CallsNative Calls = "native"
)

// check returns an error whose text completes "FIELD is …".
func (c Calls) check() error {
	switch c {
	case CallsAuto, CallsText, CallsNative:
		return nil
	}
	return fmt.Errorf("%q; allowed is %s, %s or %s", string(c), CallsAuto, CallsText, CallsNative)
}

// UnmarshalText implements encoding.TextUnmarshaler. It accepts "auto", "text" and "native".
func (c *Calls) UnmarshalText(text []byte) error {
	if err := Calls(text).check(); err != nil {
		return fmt.Errorf("calls is %w", err)
	}
	*c = Calls(text)
	return nil
}

// A Preset describes a family of models and the chat templates that servers use for them. A YAML
// file names its fields as the struct tags do. The zero value is not valid; begin with
// DefaultPreset.
type Preset struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description"`
	// Match are patterns of model ids that choose a built-in preset if no preset is named. A
	// pattern, as in path.Match, matches the part of an id after the last '/', in lower case.
	Match []string `yaml:"match"`

	// Reasoning says how a reply separates reasoning from text.
	Reasoning ReasoningForm `yaml:"reasoning"`
	// SystemRole says that system messages are accepted. If not, their text becomes text of the
	// user at the beginning of the conversation.
	SystemRole bool `yaml:"systemRole"`
	// ToolRole says that results of native calls are accepted as messages of the role tool. If not,
	// calls are made in text, unless Options.Calls is CallsNative.
	ToolRole bool `yaml:"toolRole"`
	// MergeAdjacent joins adjacent messages of one role, for templates in which user and assistant
	// must alternate.
	MergeAdjacent bool `yaml:"mergeAdjacent"`
	// Stop says that stop sequences are accepted. If not, none are sent.
	Stop bool `yaml:"stop"`
	// Calls is how the family calls tools if Options.Calls is CallsAuto. If this field is CallsAuto
	// too, the client finds out with its first request.
	Calls Calls `yaml:"calls"`

	// Protocol is the ID of the text protocol that the family is trained on, or "" if none is
	// known. The client does not use it: an application may choose the engine's protocol by it.
	Protocol string `yaml:"protocol"`
	// Language is the language of the instructions for tools: "en" or "zh".
	Language string `yaml:"language"`
	// Tolerance is how much damage in requests is repaired.
	Tolerance scan.Tolerance `yaml:"tolerance"`
	// Quoted says what happens to requests in code.
	Quoted parser.QuotedPolicy `yaml:"quoted"`
}

// ReasoningForm says how a reply separates reasoning from text. Reasoning that a server sends in
// the members reasoning_content or reasoning is always read, and so are tags that every protocol
// knows, such as <think>.
type ReasoningForm struct {
	// Open and Close are the family's own marks around the reasoning at the start of a reply. The
	// first pair is replaced by <think> tags, unless Prefilled is set; later ones are text.
	Open  string `yaml:"open"`
	Close string `yaml:"close"`
	// Prefilled says that the template has opened the reasoning, so a reply begins inside it. If a
	// complete reply never closes it, the reply was not reasoning.
	Prefilled bool `yaml:"prefilled"`
	// Field names one more member in which a server sends reasoning.
	Field string `yaml:"field"`
	// Requests says what happens to requests in reasoning that is part of the text.
	Requests parser.ReasoningPolicy `yaml:"requests"`
}

// DefaultPreset is the preset of an unknown family. All roles and stop sequences are accepted, and
// nothing is merged. The client finds out how tools are called. Instructions are in English. Damage
// is repaired at level safe, and nothing in code or reasoning runs.
func DefaultPreset() Preset {
	return Preset{Name: "default", SystemRole: true, ToolRole: true, Stop: true, Calls: CallsAuto, Language: "en"}
}

// Profile returns how the family's replies are read and how tools are described to it. An engine
// gets the profile from its model (Client.Profile). Only a program that changes the profile needs
// this method.
func (p Preset) Profile() engine.Profile {
	return engine.Profile{
		Reading: parser.Options{Tolerance: p.Tolerance, Quoted: p.Quoted, Reasoning: p.Reasoning.Requests},
		Prompt:  protocol.PromptOptions{Language: p.Language},
	}
}

// check returns an error for the first field that is not valid.
func (p *Preset) check() error {
	switch r := p.Reasoning; {
	case strings.TrimSpace(p.Name) == "":
		return presetError("name is empty; give the preset one")
	case p.Language != "en" && p.Language != "zh":
		return presetError("language is %q; allowed is en or zh", p.Language)
	case (r.Open == "") != (r.Close == ""):
		return presetError("reasoning has one of open and close; give both or none")
	case strings.TrimSpace(r.Open) != r.Open || strings.TrimSpace(r.Close) != r.Close:
		return presetError("reasoning has blanks around %q or %q; omit them", r.Open, r.Close)
	case p.Calls == CallsNative && !p.ToolRole:
		return presetError("calls is native and toolRole is false; native calls need the role")
	}
	if err := p.Calls.check(); err != nil {
		return presetError("calls is %v", err)
	}
	return nil
}

// presetError returns an error about a preset.
func presetError(format string, args ...any) error {
	return newError(nil, Error{Op: "new", Kind: KindOptions}, "preset: %s", fmt.Sprintf(format, args...))
}

// presetReason returns the text of an error without the beginning that presetError adds.
func presetReason(err error) string { return strings.TrimPrefix(err.Error(), "preset: ") }

//go:embed presets.yaml
var presetsYAML string

var builtIn = sync.OnceValue(func() []Preset {
	var list []Preset
	for text := range strings.SplitSeq(presetsYAML, "\n---\n") {
		p := DefaultPreset()
		p.Name = "" // so that check refuses a preset without a name
		v, err := document.Parse([]byte(text))
		if err == nil {
			err = v.Decode(&p)
		}
		if err == nil {
			err = p.check()
		}
		if err != nil {
			panic("model: presets.yaml: " + err.Error()) // the file is embedded, and a test reads it
		}
		list = append(list, p)
	}
	return list
})

// Presets returns the built-in presets, in the order in which they are matched.
func Presets() []Preset {
	list := slices.Clone(builtIn())
	for i := range list {
		list[i] = list[i].owned()
	}
	return list
}

// owned returns p with its own Match, so that callers cannot change the built-in preset.
func (p Preset) owned() Preset {
	p.Match = slices.Clone(p.Match)
	return p
}

// PresetNamed returns the built-in preset of that name. The error is of kind KindOptions and lists
// all names.
func PresetNamed(name string) (Preset, error) {
	var names []string
	for _, p := range builtIn() {
		if p.Name == name {
			return p.owned(), nil
		}
		names = append(names, p.Name)
	}
	return Preset{}, presetError("there is no preset %q%s (presets: %s)", name, didYouMean(name, names),
		strings.Join(names, ", "))
}

// didYouMean returns a hint at the name that was meant, if one is near.
func didYouMean(name string, names []string) string {
	if near := text.Nearest(name, names); len(near) > 0 {
		return "; did you mean " + near[0] + "?"
	}
	return ""
}

// PresetFor returns the first built-in preset that matches the id of a model. The last one matches
// every id.
func PresetFor(model string) Preset {
	id := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	list := builtIn()
	for _, p := range list[:len(list)-1] {
		for _, pattern := range p.Match {
			if ok, _ := path.Match(pattern, id); ok { // a malformed pattern matches nothing
				return p.owned()
			}
		}
	}
	return list[len(list)-1].owned()
}
