package jsonerror_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/jsonerror"
)

// described is a type whose UnmarshalJSON always fails, with a description of the value.
type described string

func (d *described) UnmarshalJSON(data []byte) error {
	return &json.UnmarshalTypeError{Value: string(data) + " (allowed is a color)", Type: reflect.TypeFor[described]()}
}

type document struct {
	Name  string            `json:"name"`
	Count int8              `json:"count"`
	Size  *uint             `json:"size"`
	Share float64           `json:"share"`
	Whole bool              `json:"whole"`
	At    time.Time         `json:"at"`
	Color described         `json:"color"`
	Parts []struct{ N int } `json:"parts"`
}

func TestExplainSaysWhatIsWrong(t *testing.T) {
	for in, want := range map[string]string{
		`{"name":5}`:            "name is a number; it must be a string",
		`{"name":["a"]}`:        "name is a list; it must be a string",
		`{"name":{}}`:           "name is an object; it must be a string",
		`{"name":true}`:         "name is a boolean; it must be a string",
		`{"count":300}`:         "count is 300; it must be a whole number",
		`{"count":"3"}`:         "count is a string; it must be a whole number",
		`{"size":-1}`:           "size is -1; it must be a whole number that is not negative",
		`{"share":"x"}`:         "share is a string; it must be a number",
		`{"whole":1}`:           "whole is a number; it must be true or false",
		`{"parts":3}`:           "parts is a number; it must be a list",
		`{"parts":[{"N":"x"}]}`: "parts.N is a string; it must be a whole number",
		`{"color":7}`:           "color is 7 (allowed is a color)",
		`[]`:                    "the JSON value is a list; it must be an object",
		`{"other":1}`:           `unknown field "other"`,
		`{"name":`:              "the JSON ends early",
		`{"name":x}`:            "not JSON: invalid character 'x' looking for beginning of value, at byte 9",
	} {
		t.Run(in, func(t *testing.T) {
			d := json.NewDecoder(strings.NewReader(in))
			d.DisallowUnknownFields()
			err := d.Decode(&document{})
			require.EqualError(t, jsonerror.Explain(err), want)
			require.ErrorIs(t, jsonerror.Explain(err), err)
			require.EqualError(t, jsonerror.Explain(fmt.Errorf("line 3: %w", err)), "line 3: "+want)
		})
	}
}

func TestExplainReturnsOtherErrorsAsTheyAre(t *testing.T) {
	require.NoError(t, jsonerror.Explain(nil))
	require.Equal(t, io.EOF, jsonerror.Explain(io.EOF))
	badTime := json.Unmarshal([]byte(`{"at":"noon"}`), &document{})
	require.Equal(t, badTime, jsonerror.Explain(badTime))
	other := errors.New("json: something else")
	require.Equal(t, other, jsonerror.Explain(other))
}
