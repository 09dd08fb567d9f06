package engine

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/text"
)

// LoadConfig reads the regular file at path as ReadConfig does. Errors name the path.
func LoadConfig(path string) (Config, error) {
	v, err := document.Load(path)
	if errors.As(err, new(*fs.PathError)) { // it names the path
		return Config{}, fmt.Errorf("configuration: %w", err)
	}
	c := Config{}
	if err == nil {
		c, err = readConfig(v)
	} else {
		err = fmt.Errorf("configuration: %w", err)
	}
	if err != nil {
		return Config{}, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// ReadConfig reads one YAML or JSON document of at most 1 MiB. It refuses anchors, aliases, tags,
// lists and mappings nested more than 20 deep, and more than 4096 entries. Fields that the document
// does not name are as in DefaultConfig. It returns an *UnknownFieldError for a field that does not
// exist and a *ConfigError for a value that is not allowed.
func ReadConfig(r io.Reader) (Config, error) {
	v, err := document.Read(r)
	if err != nil {
		return Config{}, fmt.Errorf("configuration: %w", err)
	}
	return readConfig(v)
}

func readConfig(v document.Value) (Config, error) {
	c := DefaultConfig()
	err := v.Decode(&c)
	var (
		unknown *document.UnknownFieldError
		value   *document.ValueError
		bad     *ConfigError
	)
	switch {
	case errors.As(err, &unknown):
		bad := &UnknownFieldError{Field: unknown.Field, Known: unknown.Known}
		if near := text.Nearest(unknown.Name, unknown.Known); len(near) > 0 {
			bad.Nearest = near[0]
		}
		return Config{}, bad
	case errors.As(err, &value):
		return Config{}, &ConfigError{Field: value.Field, Value: value.Value, Allowed: allowedIn(value.Field)}
	case err != nil:
		return Config{}, fmt.Errorf("configuration: %w", err)
	}
	for i, rule := range v.Field("approveRules").Items {
		for _, f := range rule.Fields {
			// An empty condition would make the rule apply to everything.
			if f.Value.Kind == document.String && f.Value.Text == "" {
				return Config{}, &ConfigError{Field: fmt.Sprintf("approveRules[%d].%s", i, f.Name), Value: f.Value.String(), Allowed: allowedRule}
			}
		}
	}
	if err := c.Validate(); errors.As(err, &bad) {
		if written := v.Field(bad.Field); written.Scalar() && written.Kind != document.Null {
			bad.Value = written.String()
		}
		return Config{}, bad
	}
	return c, nil
}

// allowed maps each field to the values that it takes.
var allowed = map[string]string{
	"enabled": allowedBool, "mode": allowedMode, "toolToggles": allowedToggles, "defaultToolEnabled": allowedBool,
	"maxIterations": allowedIterations, "maxRequests": allowedRequests, "maxReplyBytes": allowedReplyBytes, "maxCalls": allowedCalls, "maxTime": allowedMaxTime,
	"maxTokens": allowedRunTokens, "historyTokens": allowedRunTokens, "timeout": allowedTimeout, "approve": allowedApprove,
	"approveRules": allowedRules, "requireConfirmation": allowedBool, "parallelExecution": allowedBool, "resultTokens": allowedTokens,
	"protocol": allowedProtocol,
}

// allowedIn returns which values the field at a path takes.
func allowedIn(path string) string {
	switch {
	case strings.HasPrefix(path, "toolToggles."):
		return allowedBool
	case strings.HasPrefix(path, "approveRules["):
		return allowedRule
	}
	return allowed[path]
}

// UnknownFieldError is a field in a configuration that does not exist.
type UnknownFieldError struct {
	Field   string
	Nearest string   // "" if none is near
	Known   []string // all fields that exist
}

// Error names the field, the nearest one that exists, and all fields.
func (e *UnknownFieldError) Error() string {
	hint := ""
	if e.Nearest != "" {
		hint = fmt.Sprintf("; did you mean %s?", e.Nearest)
	}
	return fmt.Sprintf("configuration: there is no field %q%s (fields: %s)", e.Field, hint, strings.Join(e.Known, ", "))
}
