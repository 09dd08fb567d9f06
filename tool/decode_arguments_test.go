package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message/messagetest"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// call reads arguments with the method's schema, as the executor does, and runs the method.
func call(t *testing.T, m tool.Method, args string) error {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(args), &members))
	var texts []schema.Text
	for name, value := range members {
		texts = append(texts, schema.Text{Name: name, Value: string(value), JSON: true})
	}
	object, _, err := m.Parameters.Object(texts)
	if err != nil {
		return err
	}
	_, err = run(t, m, string(object))
	return err
}

type step struct {
	Name string        `json:"name,omitempty"`
	Wait time.Duration `json:"wait,omitempty"`
}

type shared struct {
	Timeout time.Duration `json:"timeout,omitempty"`
}

// Pause is embedded in timed as a field with a name of its own.
type Pause struct {
	Least time.Duration `json:"least,omitempty"`
}

type timed struct {
	shared
	Pause   `json:"pause,omitzero"`
	At      time.Time                `json:"at,omitzero"`
	Wait    time.Duration            `json:"wait" default:"30s"`
	Maybe   *time.Duration           `json:"maybe,omitempty"`
	List    []time.Duration          `json:"list,omitempty"`
	Pair    *[2]time.Duration        `json:"pair,omitempty"`
	ByName  map[string]time.Duration `json:"byName,omitempty"`
	Steps   []*step                  `json:"steps,omitempty"`
	Nested  map[string][]step        `json:"nested,omitempty"`
	Plain   time.Weekday             `json:"plain,omitempty"`
	Skipped time.Duration            `json:"-"`
}

func TestTimesAndDurationsAreDecoded(t *testing.T) {
	minute := time.Minute
	var local time.Time // half a second after noon, as encoding/json decodes it
	afterNoon := time.Date(2024, 2, 29, 12, 0, 0, 500_000_000, time.Local)
	require.NoError(t, local.UnmarshalText([]byte(afterNoon.Format(time.RFC3339Nano))))
	for _, tt := range []struct {
		name, args string
		want       timed
	}{
		{"a default", `{}`, timed{Wait: 30 * time.Second}},
		{"a field", `{"wait":"1m30s"}`, timed{Wait: 90 * time.Second}},
		{"a promoted field", `{"wait":"0","timeout":"5s"}`, timed{shared: shared{5 * time.Second}}},
		{"an embedded struct with a name", `{"wait":"0","pause":{"least":"5s"}}`, timed{Pause: Pause{5 * time.Second}}},
		{"a time", `{"wait":"0","at":"2024-02-29T12:00:00Z"}`, timed{At: time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)}},
		{"a time without an offset is local", `{"wait":"0","at":"2024-02-29T12:00:00.5"}`, timed{At: local}},
		{"a pointer", `{"wait":"0","maybe":"1m"}`, timed{Maybe: &minute}},
		{"null for a pointer", `{"wait":"0","maybe":null}`, timed{}},
		{"a list", `{"wait":"0","list":["1s","2ms"]}`, timed{List: []time.Duration{time.Second, 2 * time.Millisecond}}},
		{"an array", `{"wait":"0","pair":["1s","1m"]}`, timed{Pair: &[2]time.Duration{time.Second, time.Minute}}},
		{"a map", `{"wait":"0","byName":{"<a>":"-1h"}}`, timed{ByName: map[string]time.Duration{"<a>": -time.Hour}}},
		{
			"structs in a list",
			`{"wait":"0","steps":[{"name":"1s","wait":"1s"},{}]}`,
			timed{Steps: []*step{{"1s", time.Second}, {}}},
		},
		{
			"structs in lists in a map", `{"wait":"0","nested":{"wait":[{"wait":"1us"}]}}`,
			timed{Nested: map[string][]step{"wait": {{Wait: time.Microsecond}}}},
		},
		{"numbers that are not durations are unchanged", `{"wait":"0","plain":3}`, timed{Plain: time.Wednesday}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got timed
			m, err := tool.New("m", "", func(_ context.Context, in timed) (string, error) { got = in; return "", nil })
			require.NoError(t, err)
			require.NoError(t, call(t, m, tt.args))
			require.Equal(t, tt.want, got)
		})
	}
}

func TestConvertingDurationsKeepsTheDigitsOfNumbers(t *testing.T) {
	type in struct {
		Wait time.Duration `json:"wait"`
		Any  any           `json:"any"`
		Big  *big.Int      `json:"big"`
	}
	var got in
	m, err := tool.New("m", "", func(_ context.Context, in in) (string, error) { got = in; return "", nil })
	require.NoError(t, err)
	require.NoError(t, call(t, m, `{"wait":"1s","any":9007199254740993,"big":123456789012345678901234567890}`))
	require.Equal(t, time.Second, got.Wait)
	require.Equal(t, json.Number("9007199254740993"), got.Any)
	require.Equal(t, "123456789012345678901234567890", got.Big.String())
}

// exactJSON has fields of the types that keep exact JSON, digits or bytes.
type exactJSON struct {
	Raw    json.RawMessage            `json:"raw,omitempty"`
	Maybe  *json.RawMessage           `json:"maybe,omitempty"`
	ByName map[string]json.RawMessage `json:"byName,omitempty"`
	Number json.Number                `json:"number,omitempty"`
	Data   []byte                     `json:"data,omitempty"`
	Parts  [][]byte                   `json:"parts,omitempty"`
	Wait   time.Duration              `json:"wait,omitempty"` // converted before decoding; the other fields are not
}

func TestJSONNumbersAndBytesAreDecodedExactly(t *testing.T) {
	raw := json.RawMessage(`[1]`)
	for _, tt := range []struct {
		name, args string
		want       exactJSON
	}{
		{"JSON: an object", `{"raw":{"a":"x","b":[1,2]}}`, exactJSON{Raw: json.RawMessage(`{"a":"x","b":[1,2]}`)}},
		{
			"JSON: a number with all its digits",
			`{"raw":12345678901234567890.10}`,
			exactJSON{Raw: json.RawMessage(`12345678901234567890.10`)},
		},
		{"JSON: null", `{"raw":null}`, exactJSON{Raw: json.RawMessage(`null`)}},
		{"JSON: a string", `{"raw":"x"}`, exactJSON{Raw: json.RawMessage(`"x"`)}},
		{"JSON below a pointer", `{"maybe":[1]}`, exactJSON{Maybe: &raw}},
		{"JSON in a map", `{"byName":{"a":true}}`, exactJSON{ByName: map[string]json.RawMessage{"a": json.RawMessage(`true`)}}},
		{"a number", `{"number":5}`, exactJSON{Number: "5"}},
		{"a number with all its digits", `{"number":12345678901234567890.10}`, exactJSON{Number: "12345678901234567890.10"}},
		{"a number that is a string", `{"number":"5"}`, exactJSON{Number: "5"}},
		{"bytes", `{"data":"aGk/"}`, exactJSON{Data: []byte("hi?")}},
		{"no bytes", `{"data":""}`, exactJSON{Data: []byte{}}},
		{"lists of bytes", `{"parts":["aGk/","aGk="]}`, exactJSON{Parts: [][]byte{[]byte("hi?"), []byte("hi")}}},
		{
			"such fields and a duration", `{"raw":{"a":1},"number":5,"data":"aGk/","wait":"1s"}`,
			exactJSON{Raw: json.RawMessage(`{"a":1}`), Number: "5", Data: []byte("hi?"), Wait: time.Second},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got exactJSON
			m, err := tool.New("m", "",
				func(_ context.Context, in exactJSON) (string, error) { got = in; return "", nil })
			require.NoError(t, err)
			require.NoError(t, call(t, m, tt.args))
			require.Equal(t, tt.want, got)
		})
	}
}

// picky is a type whose UnmarshalJSON refuses all JSON.
type picky struct {
	X int `json:"x"`
}

func (*picky) UnmarshalJSON(text []byte) error { return errors.New("never mind " + string(text)) }

func TestEachTextIsTranslated(t *testing.T) {
	// The first argument of say is the text.
	messagetest.Check(t, chinese.Tool, map[string]int{"say": 0})
}

// TestValuesThatTheGoTypeRefusesAreInvalidArguments checks that a value that cannot be decoded is
// reported as a mistake of the model, and not as a failure of the method.
func TestValuesThatTheGoTypeRefusesAreInvalidArguments(t *testing.T) {
	type in struct {
		A    string        `json:"a,omitempty"`
		Host netip.Addr    `json:"host,omitzero"`
		At   time.Time     `json:"at,omitzero"`
		Wait time.Duration `json:"wait,omitempty"`
		Pick []picky       `json:"pick,omitempty"`
		Data []byte        `json:"data,omitempty"`
		Key  netip.Addr    `json:"key,omitzero"`
	}
	const parse = `ParseAddr("nowhere"): unable to parse IP`
	for _, tt := range []struct {
		name, args string // as the handler gets them
		want       string
	}{
		{
			"text that the type's UnmarshalText refuses", `{"a":"x","host":"nowhere"}`,
			`host: expected a value that can be read (` + parse + `), got "nowhere"`,
		},
		{
			"JSON that the type's UnmarshalJSON refuses",
			`{"pick":[{"x":1}]}`, `pick: expected a value that can be read (never mind {"x":1}), got [{"x":1}]`,
		},
		{
			"a leap second, which the schema accepts", `{"at":"2016-12-31T23:59:60Z"}`,
			`at: expected a value that can be read (parsing time "2016-12-31T23:59:60Z": second out of range), got "2016-12-31T23:59:60Z"`,
		},
		{
			"a duration that no schema has checked", `{"wait":"soon"}`,
			`wait: expected a value that can be read (time: invalid duration "soon"), got "soon"`,
		},
		{"a duration that is a number", `{"wait":1.5}`, `wait: expected a value that fits time.Duration, got number 1.5`},
		{
			"bytes that are not in base64", `{"a":"x","data":"a-b"}`,
			`data: expected a value that can be read (illegal base64 data at input byte 1), got "a-b"`,
		},
		{"a secret, without the error of its type", `{"key":"nowhere"}`, `key: expected a value that can be read, got "nowhere"`},
		{
			"a secret in the error of another argument", `{"host":"nowhere","key":"nowhere"}`,
			`host: expected a value that can be read (ParseAddr("[secret]"): unable to parse IP), got "nowhere"`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := tool.New("m", "", func(context.Context, in) (string, error) {
				t.Error("the method runs")
				return "", nil
			}, tool.SecretParameters("key"))
			require.NoError(t, err)
			_, err = run(t, m, tt.args)
			var bad *schema.ArgumentsError
			require.ErrorAs(t, err, &bad)
			require.EqualError(t, err, "invalid arguments: "+tt.want)
		})
	}
}
