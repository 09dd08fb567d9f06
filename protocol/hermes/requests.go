package hermes

import (
	"slices"
	"strings"

	"github.com/vcpgo/vcp/protocol/scan"
)

// Requests reads the fields of a request that has ended, and returns one reading for each of its
// calls (J2). The members of a call are plain fields, and those of its arguments are JSON.
func (s *scanner) Requests(fields []scan.Field) []scan.Reading {
	clear(s.readings) // else the text of earlier requests would stay in memory
	clear(s.arguments)
	s.readings, s.arguments = s.readings[:0], slices.Grow(s.arguments[:0], len(fields))[:len(fields)]
	starts := s.body.starts
	for i, start := range starts {
		end := len(fields)
		if i+1 < len(starts) {
			end = min(end, starts[i+1].fields)
		}
		from := min(start.fields, end)
		s.readings = append(s.readings, readCall(fields[from:end], s.arguments[from:from:end], s.o.MaxKey))
	}
	if len(starts) == 0 {
		s.readings = append(s.readings, readCall(nil, nil, s.o.MaxKey))
	}
	scan.ShareError(s.readings)
	return s.readings
}

// readCall reads the fields of one call. Its arguments are appended to buffer, which is empty.
// maxKey limits the names in a string of arguments, in bytes.
func readCall(fields, buffer []scan.Field, maxKey int) (r scan.Reading) {
	arguments := scan.ArgumentSet{List: buffer}
	add := func(a scan.Field) {
		if !arguments.Add(a) {
			r.Fail(scan.CodeDuplicateKey, a.Name+" occurs twice with different values; write it once")
		}
	}
	for i := range fields {
		f := &fields[i]
		switch {
		case f.JSON:
			add(*f)
		case f.Name == keyName:
			r.ToolName = strings.TrimSpace(f.Value)
		case f.Name == keyID:
			r.Label = f.Value
		default: // arguments, as a string
			members, ok := readMembers(unquote(f.Value))
			if !ok {
				r.Fail(scan.CodeBareValue, `the string in "arguments" is not a JSON object; write `+
					`"arguments": {"name of a parameter": its value}, without quotation marks around the object`)
			}
			for n, m := range members {
				if len(m.Name) > maxKey || 1+n >= scan.MaxFields { // J17; the name of the call is a field, too
					r.Fail(scan.CodeLimitExceeded, "")
					break
				}
				add(m)
			}
		}
	}
	if r.ToolName == "" {
		r.Fail(scan.CodeMissingToolName, english[scan.CodeMissingToolName])
	}
	r.Arguments = arguments.List
	return r
}
