package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/vcpgo/vcp/internal/document"
)

// ConfigFile is the content of a configuration file.
type ConfigFile struct {
	// Config is the configuration. Fields that the file does not name are as in DefaultConfig.
	Config Config
	// Named are the names of all fields that the file has, in the file's order.
	Named []string
	// Own contains the values of the application's own fields that the file has, as JSON. The
	// members of objects are in the file's order.
	Own map[string]json.RawMessage
}

// LoadConfig reads the regular file at path as ReadConfig does. own names the application's own
// fields, which may be in the same file and have values of any kind. Errors name the path.
func LoadConfig(path string, own ...string) (ConfigFile, error) {
	v, err := document.Load(path)
	if errors.As(err, new(*fs.PathError)) { // a PathError names the path already
		return ConfigFile{}, fmt.Errorf("configuration: %w", err)
	}
	file := ConfigFile{}
	if err == nil {
		file, err = readConfig(v, own)
	} else {
		err = fmt.Errorf("configuration: %w", err)
	}
	if err != nil {
		return ConfigFile{}, fmt.Errorf("%s: %w", path, err)
	}
	return file, nil
}

// ReadConfig reads one YAML or JSON document of at most 1 MiB. It refuses anchors, aliases and
// tags, more than 20 levels of lists and mappings, and more than 4096 entries. Fields that the
// document does not name are as in DefaultConfig. It returns an *UnknownFieldError for a field that
// does not exist and a *ConfigError for a value that is not allowed.
func ReadConfig(r io.Reader) (Config, error) {
	v, err := document.Read(r)
	if err != nil {
		return Config{}, fmt.Errorf("configuration: %w", err)
	}
	file, err := readConfig(v, nil)
	return file.Config, err
}

func readConfig(v document.Value, own []string) (ConfigFile, error) {
	file := ConfigFile{Config: DefaultConfig()}
	ours := document.Value{Kind: v.Kind, Text: v.Text, Items: v.Items} // v without the application's own fields
	for _, f := range v.Fields {
		file.Named = append(file.Named, f.Name)
		if !slices.Contains(own, f.Name) {
			ours.Fields = append(ours.Fields, f)
			continue
		}
		value, err := f.Value.JSON()
		if err != nil {
			return ConfigFile{}, fmt.Errorf("configuration: %s: %w", f.Name, err)
		}
		if file.Own == nil {
			file.Own = map[string]json.RawMessage{}
		}
		file.Own[f.Name] = value
	}
	if err := decodeConfig(ours, &file.Config, own); err != nil {
		return ConfigFile{}, err
	}
	return file, nil
}

// decodeConfig stores the fields of v in c. own names the application's own fields, for an error
// that lists all fields.
func decodeConfig(v document.Value, c *Config, own []string) error {
	err := v.Decode(c)
	var (
		unknown *document.UnknownFieldError
		value   *document.ValueError
		bad     *ConfigError
	)
	switch {
	case errors.As(err, &unknown) && unknown.Field == unknown.Name: // a top-level field; the application may have its own there
		return unknownField(unknown, append(unknown.Known, own...))
	case errors.As(err, &unknown):
		return unknownField(unknown, unknown.Known)
	case errors.As(err, &value):
		return &ConfigError{Field: value.Field, Value: value.Value, Allowed: allowedIn(value.Field), Line: value.Line}
	case err != nil:
		return fmt.Errorf("configuration: %w", err)
	}
	for i, rule := range v.Field("approveRules").Items {
		for _, f := range rule.Fields {
			// An empty condition would make the rule apply to everything.
			if f.Value.Kind == document.String && f.Value.Text == "" {
				field := fmt.Sprintf("approveRules[%d].%s", i, f.Name)
				return &ConfigError{Field: field, Value: f.Value.String(), Allowed: allowedRule, Line: f.Line}
			}
		}
	}
	if err := c.Validate(); errors.As(err, &bad) {
		written := v.At(bad.Field) // a Null if the document lacks the field
		bad.Line = written.Line
		if written.Scalar() && written.Kind != document.Null {
			bad.Value = written.String()
		}
		return bad
	}
	return nil
}
