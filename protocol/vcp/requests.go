package vcp

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/vcpgo/vcp/protocol"
)

const foldedToolName = "toolname"

// foldKey takes case, '-', '_' and blanks out of a key.
func foldKey(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == ' ' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// Requests reads the fields of one ended block (DIALECT F4 to F9, section 4).
func (s *scanner) Requests(fields []protocol.Field) []protocol.Reading {
	b := blockReader{fields: fields, names: make([]string, len(fields)), takes: s.o.TakesArgument}
	for i := range fields {
		b.names[i] = fields[i].Name
	}
	b.mendCase(keyToolName, foldedToolName)
	b.mendCase(keyCommand, keyCommand)
	if numbers := b.batch(); len(numbers) > 1 {
		readings := make([]protocol.Reading, 0, len(numbers))
		var worst *protocol.RequestError
		for _, n := range numbers {
			r := b.read(n, numbers)
			if r.Err != nil && (worst == nil || r.Err.Code.Before(worst.Code)) {
				worst = r.Err
			}
			readings = append(readings, r)
		}
		for i := range readings {
			readings[i].Err = worst // one block cannot be trusted by halves
		}
		return readings
	}
	return []protocol.Reading{b.read("", nil)}
}

// blockReader turns fields into requests.
type blockReader struct {
	fields  []protocol.Field
	names   []string // after mending
	repairs []protocol.FieldRepair
	takes   func(toolName, argument string) bool
}

// mendCase reads a key that is exact but for case, '-' and '_' as the reserved key, where that key itself is absent (F4).
func (b *blockReader) mendCase(exact, folded string) {
	for _, name := range b.names {
		if name == exact {
			return
		}
	}
	for i, name := range b.names {
		if foldKey(name) == folded {
			b.names[i] = exact
			b.repairs = append(b.repairs, protocol.FieldRepair{Field: i, Repair: repairKeyCase})
		}
	}
}

// isNumberedCommand reports whether name is command and a number without leading zero.
func isNumberedCommand(name string) bool {
	digits, ok := strings.CutPrefix(name, keyCommand)
	return ok && isNumber(digits)
}

func isNumber(s string) bool {
	return s != "" && s[0] != '0' && strings.Trim(s, "0123456789") == ""
}

// batch returns the numbers of the numbered commands in ascending order. A lone one is renamed to command: digits mean nothing
// without a second.
func (b *blockReader) batch() []string {
	var numbers []string
	toolName := ""
	for i, name := range b.names {
		if name == keyToolName && toolName == "" {
			toolName = b.fields[i].Value
		}
		if !isNumberedCommand(name) {
			continue
		}
		digits := name[len(keyCommand):]
		at := 0
		for at < len(numbers) && less(numbers[at], digits) {
			at++
		}
		if at == len(numbers) || numbers[at] != digits {
			numbers = append(numbers[:at], append([]string{digits}, numbers[at:]...)...)
		}
	}
	if len(numbers) == 0 || b.takes != nil && b.takes(strings.TrimSpace(toolName), keyCommand+numbers[0]) {
		return nil
	}
	if len(numbers) == 1 {
		for i, name := range b.names {
			if name == keyCommand+numbers[0] {
				b.names[i] = keyCommand
			}
		}
	}
	return numbers
}

// less compares numbers written without leading zeros.
func less(a, b string) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return a < b
}

// owner returns the number that a key belongs to and the key without it; number is "" for a shared key.
func owner(name string, numbers []string) (key, number string) {
	bare := strings.TrimRight(name, "0123456789")
	digits := name[len(bare):]
	for _, n := range numbers {
		if n == digits && bare != "" {
			return bare, digits
		}
	}
	return name, ""
}

// read returns the request of one number of a batch, or the block's only one.
func (b *blockReader) read(number string, numbers []string) protocol.Reading {
	reading := protocol.Reading{CommandAt: -1, Repairs: b.repairs}
	r := &reading.Request
	own := make(map[string]bool)
	if number != "" {
		for _, name := range b.names {
			if key, n := owner(name, numbers); n == number {
				own[key] = true
			}
		}
	}
	seen := make(map[string]string, len(b.fields))
	names := 0
	fail := func(code protocol.ErrorCode, format string, args ...any) {
		if reading.Err == nil || code.Before(reading.Err.Code) {
			reading.Err = &protocol.RequestError{Code: code, Message: fmt.Sprintf(format, args...)}
		}
	}
	for i, name := range b.names {
		if number != "" {
			var n string
			if name, n = owner(name, numbers); n != "" && n != number || n == "" && own[name] {
				continue
			}
		}
		value := b.fields[i].Value
		if name == keyToolName {
			if names++; names > 1 {
				fail(protocol.ErrDuplicateKey, "%s stands twice in the block; write one block for each request", keyToolName)
				continue
			}
			r.ToolName = strings.TrimSpace(value)
			continue
		}
		first, again := seen[name]
		seen[name] = value
		if again {
			if first == value {
				continue
			}
			fail(protocol.ErrDuplicateKey, "%s stands twice with different values; write it once", name)
		}
		switch {
		case name == keyRequestID:
			r.Label = value
		case name == keyCommand && !again:
			r.Command = value
			reading.CommandAt = len(r.Arguments)
		default:
			r.Arguments = append(r.Arguments, protocol.Argument{Name: name, Value: value, Form: b.fields[i].Form})
		}
	}
	if r.ToolName == "" {
		fail(protocol.ErrMissingToolName, "the block has no %s; write %s:「始」name of the tool「末」", keyToolName, keyToolName)
	}
	return reading
}
