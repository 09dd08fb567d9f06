package configuration

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/redact"
	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/model"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

// shownSetting is a field of the configuration as vcp config shows it.
type shownSetting struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"` // as in a file, or null if the field has no value
	From  string          `json:"from"`  // "default", "file", or what set it, such as a flag
}

// shown returns all fields in order. If the key for the server is set, it is the last entry, whose
// From is "environment". Secrets in each text are masked.
func (s *Settings) shown() []shownSetting {
	values := s.values()
	key := serverKey()
	filter, redactor := secrets.NewFilter([]string{key}), redact.New(key)
	list := make([]shownSetting, 0, len(Fields)+1)
	for i := range Fields {
		f := &Fields[i]
		value := values[f.Name]
		switch {
		case f.Name == fieldSources:
			value = asJSON(s.sourceNames())
		case f.Name == fieldOverrides:
			value = asJSON(slices.Sorted(maps.Keys(s.Overrides)))
		case f.own:
			masked := filter.Text(s.shownOwn(f.Name)) // before a secret can be truncated beyond recognition
			value = asJSON(redactor.Line(masked, maxShownText))
		}
		if value != nil {
			value = filter.JSON(value, nil)
		}
		if string(value) == `""` {
			value = json.RawMessage("null")
		}
		from := cmp.Or(s.From[f.Name], "default")
		if from == s.File {
			from = "file"
		}
		list = append(list, shownSetting{f.Name, value, from})
	}
	if key != "" {
		list = append(list, shownSetting{EnvKey, asJSON(redact.Mask), "environment"})
	}
	return list
}

// serverKey returns the key for the server, or "".
func serverKey() string { return strings.TrimSpace(os.Getenv(EnvKey)) }

// shownFile returns the path of the file that was read, with secrets masked.
func (s *Settings) shownFile() string { return secrets.NewFilter([]string{serverKey()}).Text(s.File) }

// maxShownText limits a text of a field that only vcp has, in bytes, and a value in the table, in
// characters.
const maxShownText = 200

// shownOwn returns the value of a field that only vcp has. It omits the user and password that a
// base URL may contain.
func (s *Settings) shownOwn(name string) string {
	value := s.Own[name]
	if name != BaseURL || value == "" {
		return value
	}
	client, err := model.New(model.Options{BaseURL: value})
	if err != nil {
		return "not valid: " + err.Error() // the error shows no secret
	}
	defer client.Close()
	return client.String()
}

// sourceNames returns the names of the sources.
func (s *Settings) sourceNames() (names []string) {
	for _, source := range s.Sources {
		names = append(names, source.Name())
	}
	return names
}

// WriteJSON writes the fields as a JSON object.
func (s *Settings) WriteJSON(out io.Writer) error {
	return cli.WriteJSON(out, struct {
		File   string         `json:"file,omitempty"`
		Fields []shownSetting `json:"fields"`
	}{s.shownFile(), s.shown()})
}

// WriteText writes the fields for people, a line each.
func (s *Settings) WriteText(out io.Writer) error {
	var b strings.Builder
	switch {
	case s.File != "":
		fmt.Fprintf(&b, "file: %s\n\n", terminal.Visible(s.shownFile()))
	case defaultFile() != "":
		fmt.Fprintf(&b, "no file is read; the default is %s\n\n", terminal.Visible(defaultFile()))
	}
	var table terminal.Table
	table.Row("FIELD", "VALUE", "FROM")
	for _, f := range s.shown() {
		value := cmp.Or(orderedjson.NonNullText(f.Value), "none")
		table.Row(f.Name, text.TruncateRunes(value, maxShownText), f.From)
	}
	return cli.Write(out, b.String()+table.String())
}

// asJSON returns a string or a list of strings as JSON. A nil list is null.
func asJSON(v any) json.RawMessage {
	data, _ := json.Marshal(v) // strings always encode
	return data
}
