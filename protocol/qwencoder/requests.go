package qwencoder

import (
	"strings"

	"github.com/vcpgo/vcp/protocol/scan"
)

// Requests reads the fields of one ended request: one reading for each function (Q12).
func (s *scanner) Requests(fields []scan.Field) []scan.Reading {
	s.readings = s.readings[:0]
	seen := map[string]string{}
	var err *scan.RequestError
	fail := func(code scan.ErrorCode) {
		if err == nil || code.Before(err.Code) {
			err = &scan.RequestError{Code: code, Message: english[code]}
		}
	}
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
			fail(scan.CodeDuplicateKey)
		}
		seen[f.Name] = f.Value
		r.Arguments = append(r.Arguments, f)
	}
	if len(s.readings) == 0 {
		s.readings = append(s.readings, scan.Reading{})
	}
	for i := range s.readings {
		if s.readings[i].ToolName == "" {
			fail(scan.CodeMissingToolName)
		}
	}
	for i := range s.readings {
		s.readings[i].Err = err // the calls of one request are trusted together or not at all
	}
	return s.readings
}
