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
	s.names = s.names[:0]
	for i := range fields {
		s.names = append(s.names, fields[i].Name)
	}
	b := blockReader{fields: fields, names: s.names}
	if !exact {
		b.repairCase(keyToolName, foldedToolName)
	}
	b.readMethod(s.o.TakesArgument)
	if !exact {
		b.repairCase(keyCommand, keyCommand)
	}
	numbers := b.batch()
	if 1 < len(numbers) && len(numbers) <= maxBatch {
		readings := make([]scan.Reading, 0, len(numbers))
		for _, n := range numbers {
			readings = append(readings, b.reading(n, numbers, nil))
		}
		scan.ShareError(readings)
		return readings
	}
	r := b.reading("", nil, s.arguments[:0])
	if len(numbers) > maxBatch {
		r.Err = &scan.RequestError{Code: scan.CodeLimitExceeded, Message: tooManyCommands}
	}
	s.readings[0], s.arguments = r, r.Arguments
	return s.readings[:]
}

// fewFields is how many fields a plain block has at most. They are compared one by one.
const fewFields = 16

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
	fields   []scan.Field
	names    []string // after repairs
	repairs  []scan.FieldRepair
	toolName string // the value of the first tool_name, if declares is set
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

// repairCase renames keys that differ from a reserved key only in case, '-' and '_' to that key. It
// does nothing if the reserved key itself is present (F4).
func (b *blockReader) repairCase(reserved, folded string) {
	if slices.Contains(b.names, reserved) {
		return
	}
	for i, name := range b.names {
		if foldsTo(name, folded) && !b.takes(name) {
			b.names[i] = reserved
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

// reading returns the request of one number of a batch, or the only request of the block. Its
// arguments are appended to buffer, which is empty.
func (b *blockReader) reading(number string, numbers []string, buffer []scan.Field) scan.Reading {
	r := scan.Reading{Repairs: b.repairs}
	own := ownKeys(b.names, number, numbers)
	written := scan.ArgumentSet{List: buffer}
	named := false
	for i, name := range b.names {
		if number != "" {
			var n string
			if name, n = splitKey(name, numbers); n != "" && n != number || n == "" && own[name] {
				continue // the key of another request, or a shared key that this request replaces with its own
			}
		}
		f := scan.Field{Name: name, Value: b.fields[i].Value, JSON: b.fields[i].JSON}
		switch {
		case name == keyToolName && !named:
			named, r.ToolName = true, strings.TrimSpace(f.Value)
		case name == keyToolName && !b.takes(name): // else it is an argument of the method
			r.Fail(scan.CodeDuplicateKey, keyToolName+" occurs twice in the block; write one block for each request")
		case written.Add(f):
		case name == keyToolName:
			r.Fail(scan.CodeDuplicateKey, "the argument "+keyToolName+" is given twice with different values; write it once")
		default:
			r.Fail(scan.CodeDuplicateKey, name+" occurs twice with different values; write it once")
		}
	}
	r.Arguments = written.List[:0]
	for _, f := range written.List {
		switch {
		case f.Name == keyRequestID && !b.takes(f.Name):
			r.Label = f.Value
		case f.Name == keyCommand && r.CommandAt == 0 && !b.takes(f.Name):
			r.Command, r.CommandAt = f.Value, len(r.Arguments)+1
		default:
			r.Arguments = append(r.Arguments, f)
		}
	}
	if r.ToolName == "" {
		r.Fail(scan.CodeMissingToolName, english[scan.CodeMissingToolName])
	}
	return r
}
