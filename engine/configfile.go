package engine

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/vcpgo/vcp/executor"
)

// maxConfigBytes is far above any real configuration; a larger file is some other file.
const maxConfigBytes = 1 << 20

// LoadConfig reads the file at path as ReadConfig does. Errors name the path.
func LoadConfig(path string) (Config, error) {
	f, err := os.Open(path)
	if err != nil {
		return Config{}, fmt.Errorf("configuration: %w", err)
	}
	defer f.Close()
	c, err := ReadConfig(f)
	if err != nil {
		return Config{}, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// ReadConfig reads one YAML or JSON document of at most 1 MiB. Fields that it does not name are as in DefaultConfig. It returns an
// *UnknownFieldError for a field that does not exist and a *ConfigError for a value that is not allowed.
func ReadConfig(r io.Reader) (Config, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxConfigBytes+1))
	if err != nil {
		return Config{}, fmt.Errorf("configuration: %w", err)
	}
	if len(data) > maxConfigBytes {
		return Config{}, errors.New("configuration: larger than 1 MiB")
	}
	fields, err := document(string(data))
	if err != nil {
		return Config{}, err
	}
	c := DefaultConfig()
	for _, f := range fields {
		if err := set(&c, f); err != nil {
			return Config{}, err
		}
	}
	if err := c.Validate(); err != nil {
		return Config{}, err
	}
	return c, nil
}

// document returns the fields of the one document in text; none for an empty one.
func document(text string) (yaml.MapSlice, error) {
	d := yaml.NewDecoder(strings.NewReader(text))
	var fields yaml.MapSlice
	if err := d.Decode(&fields); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		// One line, without the excerpt of the file: the file may hold what no log should.
		return nil, fmt.Errorf("configuration: neither YAML nor JSON with fields: %s", yaml.FormatError(err, false, false))
	}
	var second any
	if err := d.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, errors.New(`configuration: more than one document; take out the second, which begins with "---"`)
	}
	return fields, nil
}

// setters are the fields in the order of Config. Each takes the value as YAML gives it and reports whether it is of the right kind.
var setters = []struct {
	name    string
	allowed string
	set     func(c *Config, v any) bool
}{
	{"enabled", allowedBool, func(c *Config, v any) bool { return assign(&c.Enabled, v) }},
	{"mode", allowedMode, func(c *Config, v any) bool { return assign((*string)(&c.Mode), v) }},
	{"toolToggles", allowedToggles, setToggles},
	{"defaultToolEnabled", allowedBool, func(c *Config, v any) bool { return assign(&c.DefaultToolEnabled, v) }},
	{"maxIterations", allowedIterations, func(c *Config, v any) bool {
		return setNumber(&c.MaxIterations, v, maxIterationsLimit) && c.MaxIterations > 0
	}},
	{"maxRequests", allowedRequests, func(c *Config, v any) bool {
		return setNumber(&c.MaxRequests, v, maxRequestsLimit) && c.MaxRequests > 0
	}},
	{"maxReplyBytes", allowedReplyBytes, func(c *Config, v any) bool {
		return setNumber(&c.MaxReplyBytes, v, replyBytesLimit) && validReplyBytes(c.MaxReplyBytes)
	}},
	{"maxCalls", allowedCalls, func(c *Config, v any) bool { return setNumber(&c.MaxCalls, v, maxCallsLimit) }},
	{"maxTime", allowedMaxTime, func(c *Config, v any) bool { return setDuration(&c.MaxTime, v) }},
	{"maxTokens", allowedRunTokens, func(c *Config, v any) bool {
		return setNumber(&c.MaxTokens, v, runTokensLimit) && validRunTokens(c.MaxTokens)
	}},
	{"historyTokens", allowedRunTokens, func(c *Config, v any) bool {
		return setNumber(&c.HistoryTokens, v, runTokensLimit) && validRunTokens(c.HistoryTokens)
	}},
	{"timeout", allowedTimeout, func(c *Config, v any) bool { return setDuration(&c.Timeout, v) && c.Timeout > 0 }},
	{"approve", allowedApprove, func(c *Config, v any) bool { return assign((*string)(&c.Approve), v) }},
	{"approveRules", allowedRules, setRules},
	{"requireConfirmation", allowedBool, func(c *Config, v any) bool { return assign(&c.RequireConfirmation, v) }},
	{"parallelExecution", allowedBool, func(c *Config, v any) bool { return assign(&c.ParallelExecution, v) }},
	{"resultTokens", allowedTokens, func(c *Config, v any) bool {
		return setNumber(&c.ResultTokens, v, resultTokensLimit) && (c.ResultTokens == 0 || c.ResultTokens >= executor.MinResultTokens)
	}},
	{"protocol", allowedProtocol, func(c *Config, v any) bool { return assign(&c.Protocol, v) }},
}

func set(c *Config, f yaml.MapItem) error {
	name := fmt.Sprint(f.Key)
	for _, s := range setters {
		if s.name != name {
			continue
		}
		if s.set(c, f.Value) {
			return nil
		}
		if field, v, bad := badToggle(f); bad && name == "toolToggles" {
			return &ConfigError{Field: field, Value: valueText(v), Allowed: allowedBool}
		}
		if field, v, bad := badRule(f); bad && name == "approveRules" {
			return &ConfigError{Field: field, Value: valueText(v), Allowed: allowedRule}
		}
		return &ConfigError{Field: name, Value: valueText(f.Value), Allowed: s.allowed}
	}
	return unknownField(name)
}

func assign[T any](dst *T, v any) bool {
	t, ok := v.(T)
	if ok {
		*dst = t
	}
	return ok
}

func setToggles(c *Config, v any) bool {
	if v == nil { // a heading whose entries are all commented out
		return true
	}
	m, ok := v.(map[string]any)
	if !ok {
		return false
	}
	toggles := make(map[string]bool, len(m))
	for key, v := range m {
		on, ok := v.(bool)
		if !ok {
			return false
		}
		toggles[key] = on
	}
	c.ToolToggles = toggles
	return true
}

// badToggle returns the first toggle, by name, that is neither true nor false.
func badToggle(f yaml.MapItem) (field string, value any, ok bool) {
	m, _ := f.Value.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if _, isBool := m[key].(bool); !isBool {
			return fmt.Sprint(f.Key) + "." + key, m[key], true
		}
	}
	return "", nil, false
}

// setNumber reads a whole number from 0 to limit.
func setNumber(dst *int, v any, limit int64) bool {
	n, ok := wholeNumber(v)
	if !ok || n < 0 || n > limit {
		return false
	}
	*dst = int(n)
	return true
}

// setDuration reads a duration from 0 to timeoutLimit.
func setDuration(dst *Duration, v any) bool {
	text, ok := v.(string)
	if n, whole := wholeNumber(v); whole {
		text, ok = strconv.FormatInt(n, 10), true
	}
	var d Duration
	if !ok || d.UnmarshalText([]byte(text)) != nil || d < 0 || time.Duration(d) > timeoutLimit {
		return false
	}
	*dst = d
	return true
}

func wholeNumber(v any) (int64, bool) {
	switch n := v.(type) {
	case int64:
		return n, true
	case uint64:
		return int64(min(n, 1<<63-1)), true
	}
	return 0, false
}

// valueText returns a value as one would write it in a file, cut where it is long.
func valueText(v any) string {
	if v == nil {
		return "empty"
	}
	text := fmt.Sprint(v)
	if data, err := yaml.MarshalWithOptions(v, yaml.JSON()); err == nil {
		text = strings.TrimSpace(string(data))
	}
	if r := []rune(text); len(r) > 60 {
		text = string(r[:60]) + "…"
	}
	return text
}

// UnknownFieldError is a field in a configuration that does not exist.
type UnknownFieldError struct {
	Field   string
	Nearest string   // "" where none is near
	Known   []string // all that exist
}

// Error names the field, the nearest that exists, and all.
func (e *UnknownFieldError) Error() string {
	hint := ""
	if e.Nearest != "" {
		hint = fmt.Sprintf("; did you mean %s?", e.Nearest)
	}
	return fmt.Sprintf("configuration: there is no field %q%s (fields: %s)", e.Field, hint, strings.Join(e.Known, ", "))
}

func unknownField(name string) error {
	e := &UnknownFieldError{Field: name}
	for _, s := range setters {
		e.Known = append(e.Known, s.name)
	}
	e.Nearest = nearest(name, e.Known, max(2, len(name)/3))
	return e
}

// nearest returns the first of the names that come closest to name, within so many edits; "" where none does.
func nearest(name string, names []string, edits int) (near string) {
	best := edits + 1
	for _, n := range names {
		if d := distance(fold(name), fold(n)); d < best {
			best, near = d, n
		}
	}
	return near
}

// fold makes spellings of one name alike: max_iterations, max-iterations, MaxIterations.
func fold(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}

// distance is the number of single-character edits between two names.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	row := make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range s {
		prev := slices.Clone(row)
		row[0] = i + 1
		for j := range t {
			cost := 1
			if s[i] == t[j] {
				cost = 0
			}
			row[j+1] = min(prev[j+1]+1, row[j]+1, prev[j]+cost)
		}
	}
	return row[len(t)]
}
