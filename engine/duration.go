package engine

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/vcpgo/vcp/internal/text"
)

// Duration is a time.Duration that text and files spell as Go does: "30s", "1m30s". A number in a
// file or in JSON means milliseconds.
type Duration time.Duration

// String returns the spelling of time.Duration.
func (d Duration) String() string { return time.Duration(d).String() }

// MarshalText returns the spelling of time.Duration.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a duration such as "30s", or a whole number of milliseconds. Validate checks
// the range. The error is a *ConfigError without a field.
func (d *Duration) UnmarshalText(data []byte) error {
	s := string(data)
	if ms, err := strconv.ParseInt(s, 10, 64); err == nil && ms > -maxMilliseconds && ms < maxMilliseconds {
		*d = Duration(time.Duration(ms) * time.Millisecond)
		return nil
	}
	v, err := time.ParseDuration(s)
	if err != nil {
		return &ConfigError{Value: quoted(s), Allowed: allowedDuration}
	}
	*d = Duration(v)
	return nil
}

// UnmarshalJSON reads a string like UnmarshalText, and a whole number as milliseconds; null changes
// nothing. The error is a *json.UnmarshalTypeError, to which the decoder adds the field.
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
		value := fmt.Sprintf("%s (allowed is %s)", text.TruncateRunes(string(data), 60), allowedDuration)
		return &json.UnmarshalTypeError{Value: value, Type: reflect.TypeFor[Duration]()}
	}
	return nil
}

// allowedDuration is what UnmarshalText takes, as errors say it.
const allowedDuration = `a duration such as "30s" or a whole number of milliseconds`

// maxMilliseconds keeps a number of milliseconds within a time.Duration.
const maxMilliseconds = int64(1<<63-1) / int64(time.Millisecond)
