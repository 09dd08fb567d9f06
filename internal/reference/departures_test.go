package reference_test

import (
	"testing"

	"github.com/vcpgo/vcp/internal/reference"
)

const (
	start  = "<<<[TOOL_REQUEST]>>>"
	end    = "<<<[END_TOOL_REQUEST]>>>"
	result = "<<<[TOOL_RESULT]>>>"
	tool   = "tool_name:「始」a_b「末」"
)

// departures are the smallest inputs on which the parser departs from the dialect, and how it does.
// Once it does no longer, the place that is marked DEPARTURE in the reference goes, and so does the
// line here.
var departures = []struct {
	name, options, text string
}{}

// TestDepartures fails for a departure that is none any more.
func TestDepartures(t *testing.T) {
	s := subjects[0]
	for _, d := range departures {
		t.Run(d.name, func(t *testing.T) {
			o := reference.Options{Level: reference.Safe, Stop: true}
			switch d.options {
			case "greedy":
				o.Level = reference.Greedy
			case "safe,reasoning":
				o.Reasoning = reference.Run
			}
			got, err := s.parse(d.text, o)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%q\nreference %s\nparser    %s", d.text, show(s.read(d.text, o)), show(got))
			if s.difference(d.text, o) == "" {
				t.Error("the parser reads it as the dialect says: the departure can go")
			}
			o.Departures = true
			if d := s.difference(d.text, o); d != "" {
				t.Errorf("the reference departs in another way than the parser (-reference +parser):\n%s", d)
			}
		})
	}
}
