package hermes

import (
	"slices"
	"strings"

	"github.com/vcpgo/vcp/protocol/scan"
)

// Requests reads the fields of a request that has ended, and returns one reading for each of its
// calls (J2). The members of a call are plain fields, those of its arguments are JSON.
func (s *scanner) Requests(fields []scan.Field) []scan.Reading {
	clear(s.readings) // they alias the reply
	clear(s.arguments)
	s.readings, s.arguments = s.readings[:0], slices.Grow(s.arguments[:0], len(fields))[:len(fields)]
	starts := s.body.starts
	for i, start := range starts {
		end := len(fields)
		if i+1 < len(starts) {
			end = min(end, starts[i+1].fields)
		}
		from := min(start.fields, end)
		s.readings = append(s.readings, readCall(fields[from:end], s.arguments[from:from:end]))
	}
	if len(starts) == 0 {
		s.readings = append(s.readings, readCall(nil, nil))
	}
	scan.ShareError(s.readings)
	return s.readings
}

// readCall reads the fields of one call. memory is for its arguments.
func readCall(fields, memory []scan.Field) scan.Reading {
	reading := scan.Reading{Arguments: memory}
	c := callReader{reading: &reading}
	for i := range fields {
		f := &fields[i]
		switch {
		case f.JSON:
			c.argument(*f)
		case f.Name == keyName:
			reading.ToolName = strings.TrimSpace(f.Value)
		case f.Name == keyID:
			reading.Label = f.Value
		default: // arguments, as a string
			members, ok := readMembers(unquote(f.Value))
			if !ok {
				reading.Fail(scan.CodeBareValue, `the string in "arguments" is not a JSON object; write "arguments": {"name of a parameter": its value}, without quotation marks around the object`)
			}
			for _, m := range members {
				c.argument(m)
			}
		}
	}
	if reading.ToolName == "" {
		reading.Fail(scan.CodeMissingToolName, english[scan.CodeMissingToolName])
	}
	return reading
}

// callReader collects the arguments of a call.
type callReader struct {
	reading *scan.Reading
	seen    map[string]string // of the arguments, if there are many
}

// fewArguments is how many arguments at most are compared one by one; more are looked up.
const fewArguments = 16

// argument adds an argument; one that occurs twice with the same value is listed once.
func (c *callReader) argument(a scan.Field) {
	r := c.reading
	before, again := c.before(a.Name)
	if again {
		if before == a.Value {
			return
		}
		r.Fail(scan.CodeDuplicateKey, a.Name+" occurs twice with different values; write it once")
	}
	r.Arguments = append(r.Arguments, a)
	if c.seen != nil {
		c.seen[a.Name] = a.Value
	}
}

func (c *callReader) before(name string) (value string, again bool) {
	arguments := c.reading.Arguments
	if c.seen == nil && len(arguments) > fewArguments {
		c.seen = make(map[string]string, 4*fewArguments)
		for _, a := range arguments {
			c.seen[a.Name] = a.Value
		}
	}
	if c.seen != nil {
		value, again = c.seen[name]
		return value, again
	}
	for i := len(arguments) - 1; i >= 0; i-- {
		if arguments[i].Name == name {
			return arguments[i].Value, true
		}
	}
	return "", false
}
