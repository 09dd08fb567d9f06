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
	var few [fewFields]string
	b := blockReader{fields: fields, names: few[:0], takes: s.o.TakesArgument}
	if len(fields) > len(few) {
		b.names = make([]string, 0, len(fields))
	}
	b.names = b.names[:len(fields)]
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
	s.readings[0] = b.read("", nil)
	return s.readings[:]
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
		if len(name) >= len(folded) && foldKey(name) == folded {
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

// fewFields is up to how many fields are compared one by one; more are looked up.
const fewFields = 16

// fieldIndex tells which fields of a request have been seen.
type fieldIndex struct {
	names, values []string
	more          map[string]string
}

// add returns the value with which name has been seen before, and takes note of it.
func (x *fieldIndex) add(name, value string) (before string, again bool) {
	if x.more != nil {
		before, again = x.more[name]
		x.more[name] = value
		return before, again
	}
	for i := range x.names {
		if x.names[i] == name {
			before, x.values[i] = x.values[i], value
			return before, true
		}
	}
	x.names, x.values = append(x.names, name), append(x.values, value)
	if len(x.names) > fewFields {
		x.more = make(map[string]string, 2*len(x.names))
		for i := range x.names {
			x.more[x.names[i]] = x.values[i]
		}
	}
	return "", false
}

// ownKeys returns the keys that the request of a number has for itself.
func (b *blockReader) ownKeys(number string, numbers []string) map[string]bool {
	if number == "" {
		return nil
	}
	own := make(map[string]bool)
	for _, name := range b.names {
		if key, n := owner(name, numbers); n == number {
			own[key] = true
		}
	}
	return own
}

// read returns the request of one number of a batch, or the block's only one.
func (b *blockReader) read(number string, numbers []string) protocol.Reading {
	reading := protocol.Reading{CommandAt: -1, Repairs: b.repairs}
	r := &reading.Request
	own := b.ownKeys(number, numbers)
	var few [2 * fewFields]string
	seen := fieldIndex{names: few[:0:fewFields], values: few[fewFields:fewFields]}
	named := false
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
			if named {
				fail(protocol.ErrDuplicateKey, "%s stands twice in the block; write one block for each request", keyToolName)
				continue
			}
			named = true
			r.ToolName = strings.TrimSpace(value)
			continue
		}
		before, again := seen.add(name, value)
		if again {
			if before == value {
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
			if r.Arguments == nil {
				r.Arguments = make([]protocol.Argument, 0, len(b.names)-i)
			}
			r.Arguments = append(r.Arguments, protocol.Argument{Name: name, Value: value, Form: b.fields[i].Form})
		}
	}
	if r.ToolName == "" {
		fail(protocol.ErrMissingToolName, "the block has no %s; write %s:「始」name of the tool「末」", keyToolName, keyToolName)
	}
	return reading
}
