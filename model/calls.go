package model

import "fmt"

// Calls says how a model calls tools.
type Calls string

const (
	// CallsAuto means native calls if the server and the model support them, and otherwise calls in
	// text. A client finds out once.
	CallsAuto Calls = "auto"
	// CallsText means requests in the text of a reply, in the engine's protocol.
	CallsText Calls = "text"
	// CallsNative means the function calling of the API.
	CallsNative Calls = "native"
)

// check returns an error that continues the name of the field and "is".
func (c Calls) check() error {
	switch c {
	case CallsAuto, CallsText, CallsNative:
		return nil
	}
	return fmt.Errorf("%q; allowed is %s, %s or %s", string(c), CallsAuto, CallsText, CallsNative)
}

// UnmarshalText implements encoding.TextUnmarshaler. It takes the constants.
func (c *Calls) UnmarshalText(text []byte) error {
	if err := Calls(text).check(); err != nil {
		return fmt.Errorf("calls is %w", err)
	}
	*c = Calls(text)
	return nil
}
