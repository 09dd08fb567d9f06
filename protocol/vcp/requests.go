package vcp

import (
	"slices"
	"strings"

	"github.com/vcpgo/vcp/protocol/scan"
)

// Requests reads the fields of a block that has ended (dialect.md F4 to F9, section 4).
func (s *scanner) Requests(fields []scan.Field) []scan.Reading {
	// scanUnmarked emits a body without marks around its values as one field without a name.
	if len(fields) == 1 && fields[0].Name == "" && fields[0].Role == scan.FieldReserved {
		return s.readBlock(s.unmarkedFields([]byte(fields[0].Value)), true)
	}
	if readPlain(fields, &s.readings[0]) {
		return s.readings[:]
	}
	return s.readBlock(fields, false)
}

// readBlock reads any block. exact says that keys in another spelling are not repaired (F4).
func (s *scanner) readBlock(fields []scan.Field, exact bool) []scan.Reading {
	clear(s.names)
	s.names = s.names[:0]
	for i := range fields {
		s.names = append(s.names, fields[i].Name)
	}
	clear(s.arguments)
	b := blockReader{fields: fields, names: s.names, arguments: s.arguments[:0]}
	defer func() { s.arguments = b.arguments }()
	if !exact {
		b.repairCase(keyToolName, foldedToolName)
	}
	b.readMethod(s.o.TakesArgument)
	if !exact {
		b.repairCase(keyCommand, keyCommand)
	}
	numbers := b.batch()
	if len(numbers) > maxBatch {
		s.readings[0] = b.reading("", nil)
		s.readings[0].Err = &scan.RequestError{Code: scan.CodeLimitExceeded, Message: tooManyCommands}
		return s.readings[:]
	}
	if len(numbers) > 1 {
		readings := make([]scan.Reading, 0, len(numbers))
		for _, n := range numbers {
			readings = append(readings, b.reading(n, numbers))
		}
		scan.ShareError(readings)
		return readings
	}
	s.readings[0] = b.reading("", nil)
	return s.readings[:]
}

// readPlain reads the most frequent kind of block, and reports whether the block is of that kind:
// it has few fields, the tool's name comes first, and no other key occurs twice or is reserved.
func readPlain(fields []scan.Field, r *scan.Reading) bool {
	if len(fields) == 0 || len(fields) > fewFields || fields[0].Name != keyToolName {
		return false
	}
	tool, others := strings.TrimSpace(fields[0].Value), fields[1:]
	for i := range others {
		if !isPlainKey(others[i].Name) {
			return false
		}
		for j := range i {
			if others[j].Name == others[i].Name {
				return false
			}
		}
	}
	if tool == "" {
		return false
	}
	*r = scan.Reading{}
	r.ToolName = tool
	if len(others) > 0 {
		r.Arguments = others
	}
	return true
}

// blockReader turns fields into requests.
type blockReader struct {
	fields []scan.Field
	names  []string // after repairs
	// arguments is a buffer for the readings.
	arguments []scan.Field
	repairs   []scan.FieldRepair
	toolName  string // the first one
	// declares reports whether the tool's method declares an argument of that name.
	declares func(toolName, argument string) bool
}

// readMethod records the method that the block names, so that b.takes can ask for its arguments.
func (b *blockReader) readMethod(declares func(toolName, argument string) bool) {
	if i := slices.Index(b.names, keyToolName); i >= 0 && declares != nil {
		b.toolName, b.declares = strings.TrimSpace(b.fields[i].Value), declares
	}
}

// takes reports whether the method that the block names declares an argument of that name. If it
// does, a key of that name means this argument, and not a key of the protocol.
func (b *blockReader) takes(argument string) bool {
	return b.toolName != "" && b.declares(b.toolName, argument)
}

// repairCase reads a key that differs from a reserved key only in case, '-' and '_' as that key, if
// that key is absent (F4).
func (b *blockReader) repairCase(exact, folded string) {
	if slices.Contains(b.names, exact) {
		return
	}
	for i, name := range b.names {
		if foldsTo(name, folded) && !b.takes(name) {
			b.names[i] = exact
			b.repairs = append(b.repairs, scan.FieldRepair{Field: i, Repair: repairKeyCase})
		}
	}
}

// batch returns the numbers of the numbered commands. A single one is renamed to command, because
// its number means nothing.
func (b *blockReader) batch() []string {
	numbers := commandNumbers(b.names)
	if len(numbers) == 0 || b.takes(keyCommand+numbers[0]) {
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

// fewFields is how many fields at most are compared one by one; more are looked up in a map.
const fewFields = 16

// before returns the value of the last field before field i with the same name, and whether there
// is such a field. name is the name of field i without its number in a batch. If seen is not nil,
// it contains the values of the request's earlier fields, and before adds the value of field i.
func (b *blockReader) before(i int, name string, seen map[string]string) (value string, again bool) {
	if seen != nil {
		value, again = seen[name]
		seen[name] = b.fields[i].Value
		return value, again
	}
	for j := i - 1; j >= 0; j-- {
		if b.names[j] == name {
			return b.fields[j].Value, true
		}
	}
	return "", false
}

// reading returns the request of one number of a batch, or the only request of the block.
func (b *blockReader) reading(number string, numbers []string) scan.Reading {
	r := scan.Reading{Repairs: b.repairs}
	first := len(b.arguments)
	own := ownKeys(b.names, number, numbers)
	var seen map[string]string
	if number != "" || len(b.names) > fewFields {
		seen = make(map[string]string, len(b.names))
	}
	named := false
	for i, name := range b.names {
		if number != "" {
			var n string
			if name, n = splitKey(name, numbers); n != "" && n != number || n == "" && own[name] {
				continue // the key of another request, or a shared key that this request replaces with its own
			}
		}
		value := b.fields[i].Value
		if name == keyToolName {
			if named && b.takes(keyToolName) { // the second tool_name is an argument of the method
				arguments := b.arguments[first:]
				at := slices.IndexFunc(arguments, func(a scan.Field) bool { return a.Name == keyToolName })
				switch {
				case at < 0:
					b.arguments = append(b.arguments, scan.Field{Name: name, Value: value, JSON: b.fields[i].JSON})
				case arguments[at].Value != value:
					r.Fail(scan.CodeDuplicateKey, "the argument "+keyToolName+" is given twice with different values; write it once")
				}
				continue
			}
			if named {
				r.Fail(scan.CodeDuplicateKey, keyToolName+" occurs twice in the block; write one block for each request")
				continue
			}
			named = true
			r.ToolName = strings.TrimSpace(value)
			continue
		}
		before, again := b.before(i, name, seen)
		if again {
			if before == value {
				continue
			}
			r.Fail(scan.CodeDuplicateKey, name+" occurs twice with different values; write it once")
		}
		switch {
		case name == keyRequestID && !b.takes(name):
			r.Label = value
		case name == keyCommand && !again && !b.takes(name):
			r.Command = value
			r.CommandAt = len(b.arguments) - first + 1
		default:
			b.arguments = append(b.arguments, scan.Field{Name: name, Value: value, JSON: b.fields[i].JSON})
		}
	}
	if r.ToolName == "" {
		r.Fail(scan.CodeMissingToolName, english[scan.CodeMissingToolName])
	}
	r.Arguments = b.arguments[first:len(b.arguments):len(b.arguments)]
	return r
}
