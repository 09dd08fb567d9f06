package configuration

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/text"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// The environment variables of the model server. Flags override them.
const (
	EnvBaseURL = "OPENAI_BASE_URL"
	EnvModel   = "OPENAI_MODEL"
	EnvKey     = "OPENAI_API_KEY"
)

// The names of the fields that vcp has in addition to those of the engine.
const (
	Model   = "model"
	BaseURL = "baseUrl"
	Root    = "root"
	System  = "system"

	SaveFiles      = "saveFiles"
	ChartFont      = "chartFont"
	fieldSources   = "sources"
	fieldOverrides = "toolOverrides"
)

// fieldApprove is a field of the engine. Its default is stricter in vcp than in the engine, because
// the tools of vcp can write files even if the user has configured nothing.
const (
	fieldApprove   = "approve"
	defaultApprove = policy.ApproveRead
)

// field describes one field of a configuration.
type field struct {
	engine.ConfigField
	env string // the environment variable that sets it, or "" if no variable does
	own bool   // vcp has the field, and the engine does not
}

// Fields are all fields of a configuration, in the order of vcp config.
var Fields = func() []field {
	// textField returns a field that only vcp has. Its value is a text.
	textField := func(name, placeholder, initial, env, description string) field {
		return field{env: env, own: true, ConfigField: engine.ConfigField{
			Name: name, Placeholder: placeholder, Default: initial, Allowed: "a text", Description: description,
		}}
	}
	list := []field{
		textField(Model, "NAME", "", EnvModel, "the name of the model at the server; not needed if the server has only one"),
		textField(BaseURL, "URL", "", EnvBaseURL, "the URL of an OpenAI-compatible server; it usually ends in /v1"),
		textField(Root, "DIRECTORY", ".", "",
			"the directory of the files and tables that tools reach, and in which commands run; "+
				"the file tools reach nothing outside of it"),
		textField(System, "TEXT", "", "", "the text of the system message; the tools are added to it"),
		textField(SaveFiles, "DIRECTORY", "", "", "where files of results, such as charts, are saved; without it, only their names are shown"),
		textField(ChartFont, "FILE", "", "",
			"a TrueType or OpenType font for charts in PNG, needed for Chinese, Japanese and Korean; SVG needs none"),
	}
	list = append(list, field{own: true, ConfigField: engine.ConfigField{
		Name: fieldSources, Allowed: "a list of sources", Description: "where further tools come from",
	}}, field{own: true, ConfigField: engine.ConfigField{
		Name: fieldOverrides, Allowed: "tool ids or full method names, each with a mapping",
		Description: "changes what authors say about their tools and methods: titles, descriptions, aliases, tags, risks, examples",
	}})
	for _, f := range engine.ConfigFields() {
		if f.Name == "protocol" {
			f.Default, f.Placeholder = Protocols[0].ID(), protocolNames()
			f.Description = "the text protocol; auto takes the protocol of the model's preset"
			f.Allowed = cli.InWords(strings.Split(f.Placeholder, "|")).String()
		}
		if f.Name == fieldApprove {
			f.Default = string(defaultApprove)
		}
		list = append(list, field{ConfigField: f})
	}
	return list
}()

// fieldNamed returns the field with a name. The field must exist.
func fieldNamed(name string) *field {
	return &Fields[slices.IndexFunc(Fields, func(f field) bool { return f.Name == name })]
}

// notAllowed returns the error for a flag whose value is not allowed. allowed is a text of the
// catalog chinese.Configuration.
func notAllowed(value, allowed string) error {
	return cli.NotAllowed(value, chinese.Configuration.Text("%v", errors.New(allowed)))
}

// configError returns err, an error of document.Value.Decode, as an error of the configuration.
// place is the path of the value that was decoded, such as toolOverrides.
func configError(place string, err error) error {
	path := func(field string) string {
		if field == "" {
			return place
		}
		return place + "." + field
	}
	if unknown, ok := errors.AsType[*document.UnknownFieldError](err); ok {
		e := &engine.UnknownFieldError{Field: path(unknown.Field), Known: unknown.Known, Line: unknown.Line}
		if near := text.Nearest(unknown.Name, unknown.Known); len(near) > 0 {
			e.Nearest = near[0]
		}
		return e
	}
	if bad, ok := errors.AsType[*document.ValueError](err); ok {
		return &engine.ConfigError{Field: path(bad.Field), Value: bad.Value, Allowed: bad.Want, Line: bad.Line}
	}
	return err
}

// isText reports whether the value of f, a field that only vcp has, is a text.
func (f *field) isText() bool { return f.Name != fieldSources && f.Name != fieldOverrides }

// FlagName returns the name of the flag that sets the field, or "" if no flag does.
func (f *field) FlagName() string {
	if f.Placeholder == "" {
		return ""
	}
	var b strings.Builder
	for _, r := range f.Name {
		if unicode.IsUpper(r) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
