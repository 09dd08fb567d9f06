package model

import "fmt"

// Calls says how a model calls tools.
type Calls string

const (
	// CallsAuto is native where the server and the model can do it, else in text. It is found out once a client.
	CallsAuto Calls = "auto"
	// CallsText is requests in the text of a reply, in the engine's protocol.
	CallsText Calls = "text"
	// CallsNative is the function calling of the API.
	CallsNative Calls = "native"
)

// check returns an error that goes on behind the name of the field and "is".
func (c Calls) check() error {
	switch c {
	case CallsAuto, CallsText, CallsNative:
		return nil
	}
	return fmt.Errorf("%q; allowed is %s, %s or %s", string(c), CallsAuto, CallsText, CallsNative)
}

// UnmarshalText takes one of the constants.
func (c *Calls) UnmarshalText(text []byte) error {
	if err := Calls(text).check(); err != nil {
		return fmt.Errorf("calls is %w", err)
	}
	*c = Calls(text)
	return nil
}
