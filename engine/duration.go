package engine

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/vcpgo/vcp/internal/text"
)

// Duration is a time.Duration that is written in text and files with a unit, as in Go: "30s",
// "1m30s".
type Duration time.Duration

// String returns the duration as time.Duration.String does.
func (d Duration) String() string { return time.Duration(d).String() }

// MarshalText returns the same text as String.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a duration such as "30s". Only 0 needs no unit. Config.Validate checks the
// range. The error is a *ConfigError without a field.
func (d *Duration) UnmarshalText(data []byte) error {
	v, err := time.ParseDuration(string(data))
	if err != nil {
		return &ConfigError{Value: quoted(string(data)), Allowed: allowedDuration}
	}
	*d = Duration(v)
	return nil
}

// UnmarshalJSON reads a string like UnmarshalText, and the number 0; null changes nothing. The
// error is a *json.UnmarshalTypeError, to which the decoder adds the field.
func (d *Duration) UnmarshalJSON(data []byte) error {
	var v any
	if err := json.Unmarshal(data, &v); err != nil || v == nil {
		return err
	}
	s, isText := v.(string)
	if !isText {
		s = string(data)
	}
	if d.UnmarshalText([]byte(s)) != nil {
		const maxShown = 60 // characters
		value := fmt.Sprintf("%s (allowed is %s)", text.TruncateRunes(string(data), maxShown), allowedDuration)
		return &json.UnmarshalTypeError{Value: value, Type: reflect.TypeFor[Duration]()}
	}
	return nil
}

// allowedDuration describes what UnmarshalText reads, for errors.
const allowedDuration = `a duration with a unit, such as "30s" or "500ms"`
