package qwencoder

import (
	"strings"

	"github.com/vcpgo/vcp/protocol/scan"
)

// Requests reads the fields of one ended request: one reading for each function (Q12).
func (s *scanner) Requests(fields []scan.Field) []scan.Reading {
	s.readings = s.readings[:0]
	seen := map[string]string{}
	for _, f := range fields {
		if f.Role == scan.FieldToolName || len(s.readings) == 0 {
			s.readings = append(s.readings, scan.Reading{})
			clear(seen)
		}
		r := &s.readings[len(s.readings)-1]
		if f.Role == scan.FieldToolName {
			r.ToolName = strings.TrimSpace(f.Value)
			continue
		}
		before, again := seen[f.Name]
		if again && before == f.Value {
			continue // P10
		}
		if again {
			r.Fail(scan.CodeDuplicateKey, english[scan.CodeDuplicateKey])
		}
		seen[f.Name] = f.Value
		r.Arguments = append(r.Arguments, f)
	}
	if len(s.readings) == 0 {
		s.readings = append(s.readings, scan.Reading{})
	}
	for i := range s.readings {
		if r := &s.readings[i]; r.ToolName == "" {
			r.Fail(scan.CodeMissingToolName, english[scan.CodeMissingToolName])
		}
	}
	scan.ShareError(s.readings)
	return s.readings
}
