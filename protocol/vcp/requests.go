package vcp

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/vcpgo/vcp/protocol"
)

const foldedToolName = "toolname"

// maxBatch bounds the requests of one block: each repeats what they share.
const maxBatch = 16

var tooManyCommands = "the block numbers more than " + strconv.Itoa(maxBatch) + " commands; write several blocks"

// foldsTo reports whether foldKey(name) is folded, which is ASCII.
func foldsTo(name, folded string) bool {
	if len(name) < len(folded) || isASCIIAlnum(name[0]) && name[0]|0x20 != folded[0] {
		return false
	}
	i := 0
	for _, r := range name {
		if r == '-' || r == '_' || r == ' ' {
			continue
		}
		if i == len(folded) || unicode.ToLower(r) != rune(folded[i]) {
			return false
		}
		i++
	}
	return i == len(folded)
}

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
	if readPlain(fields, &s.readings[0]) {
		return s.readings[:]
	}
	return s.readBlock(fields)
}

// readBlock reads any block.
func (s *scanner) readBlock(fields []protocol.Field) []protocol.Reading {
	clear(s.names)
	s.names = s.names[:0]
	for i := range fields {
		s.names = append(s.names, fields[i].Name)
	}
	b := newBlockReader(fields, s.names, s.o.TakesArgument)
	b.mendCase(keyToolName, foldedToolName)
	b.mendCase(keyCommand, keyCommand)
	numbers := b.batch()
	if len(numbers) > maxBatch {
		s.readings[0] = b.read("", nil)
		s.readings[0].Err = &protocol.RequestError{Code: protocol.CodeLimitExceeded, Message: tooManyCommands}
		return s.readings[:]
	}
	if len(numbers) > 1 {
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

// readPlain reads the commonest block: it names its tool first, and no other key stands twice or
// means anything by itself.
func readPlain(fields []protocol.Field, r *protocol.Reading) bool {
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
	*r = protocol.Reading{}
	r.Request.ToolName = tool
	if len(others) > 0 {
		r.Request.Arguments = make([]protocol.Argument, len(others))
		for i := range others {
			r.Request.Arguments[i] = protocol.Argument{Name: others[i].Name, Value: others[i].Value, Form: others[i].Form}
		}
	}
	return true
}

// isPlainKey tells fast of most keys that they are no spelling of a reserved one.
func isPlainKey(name string) bool {
	if len(name) < len(keyCommand) {
		return true
	}
	for i := range 3 {
		if !isASCIIAlnum(name[i]) {
			return false
		}
	}
	switch start := [3]byte{name[0] | 0x20, name[1] | 0x20, name[2] | 0x20}; start {
	case [3]byte{'t', 'o', 'o'}, [3]byte{'c', 'o', 'm'}, [3]byte{'r', 'e', 'q'}:
		return false
	}
	return true
}

// roleOf returns what the field of a key is for, as far as its key shows. A key that may turn out
// to be tool_name or a label is reserved.
func roleOf(key []byte) protocol.FieldRole {
	if len(key) == 0 {
		return protocol.FieldComment
	}
	switch key[0] {
	case 't', 'T', 'r', '-', '_': // as all such keys begin
	default:
		return protocol.FieldArgument
	}
	switch name := string(key); {
	case name == keyToolName:
		return protocol.FieldToolName
	case name == keyRequestID, !isPlainKey(name) && foldsTo(name, foldedToolName):
		return protocol.FieldReserved
	}
	return protocol.FieldArgument
}

// blockReader turns fields into requests.
type blockReader struct {
	fields  []protocol.Field
	names   []string // after mending
	repairs []protocol.FieldRepair
	// takes reports whether the named method declares an argument of its own that is called like a
	// key of the protocol.
	takes func(argument string) bool
}

func newBlockReader(fields []protocol.Field, names []string, takes func(toolName, argument string) bool) blockReader {
	b := blockReader{fields: fields, names: names, takes: func(string) bool { return false }}
	for i := range fields {
		if toolName := strings.TrimSpace(fields[i].Value); takes != nil && names[i] == keyToolName && toolName != "" {
			b.takes = func(argument string) bool { return takes(toolName, argument) }
			break
		}
	}
	return b
}

// mendCase reads a key that is exact but for case, '-' and '_' as the reserved key, where that key
// itself is absent (F4).
func (b *blockReader) mendCase(exact, folded string) {
	for _, name := range b.names {
		if name == exact {
			return
		}
	}
	for i, name := range b.names {
		if foldsTo(name, folded) && !b.takes(name) {
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

// batch returns the numbers of the numbered commands in ascending order. A lone one is renamed to
// command: digits mean nothing without a second.
func (b *blockReader) batch() []string {
	var numbers []string
	for _, name := range b.names {
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

// less compares numbers written without leading zeros.
func less(a, b string) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return a < b
}

// owner returns the number that a key belongs to and the key without it; number is "" for a shared
// key.
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

// before returns the value that the field i, called name in its request, has had before, if it
// stands there twice. seen holds the fields of the request if they are looked up.
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
	reading := protocol.Reading{Repairs: b.repairs}
	r := &reading.Request
	own := b.ownKeys(number, numbers)
	var seen map[string]string
	if number != "" || len(b.names) > fewFields {
		seen = make(map[string]string, len(b.names))
	}
	named := false
	for i, name := range b.names {
		if number != "" {
			var n string
			if name, n = owner(name, numbers); n != "" && n != number || n == "" && own[name] {
				continue
			}
		}
		value := b.fields[i].Value
		if name == keyToolName {
			if named && b.takes(keyToolName) {
				own := slices.IndexFunc(r.Arguments, func(a protocol.Argument) bool { return a.Name == keyToolName })
				switch {
				case own < 0:
					r.Arguments = append(r.Arguments, protocol.Argument{Name: name, Value: value, Form: b.fields[i].Form})
				case r.Arguments[own].Value != value:
					fail(&reading, protocol.CodeDuplicateKey, keyToolName+" stands more than twice with different values; write the argument once")
				}
				continue
			}
			if named {
				fail(&reading, protocol.CodeDuplicateKey, keyToolName+" stands twice in the block; write one block for each request")
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
			fail(&reading, protocol.CodeDuplicateKey, name+" stands twice with different values; write it once")
		}
		switch {
		case name == keyRequestID && !b.takes(name):
			r.Label = value
		case name == keyCommand && !again && !b.takes(name):
			r.Command = value
			reading.CommandAt = len(r.Arguments) + 1
		default:
			if r.Arguments == nil {
				r.Arguments = make([]protocol.Argument, 0, len(b.names)-i)
			}
			r.Arguments = append(r.Arguments, protocol.Argument{Name: name, Value: value, Form: b.fields[i].Form})
		}
	}
	if r.ToolName == "" {
		fail(&reading, protocol.CodeMissingToolName, "the block has no "+keyToolName+"; write "+keyToolName+":「始」name of the tool「末」")
	}
	return reading
}

// fail makes a reading one that cannot be trusted, unless something weightier has.
func fail(r *protocol.Reading, code protocol.ErrorCode, message string) {
	if r.Err == nil || code.Before(r.Err.Code) {
		r.Err = &protocol.RequestError{Code: code, Message: message}
	}
}
