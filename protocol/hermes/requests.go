package hermes

import (
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// Requests reads the fields of one ended request: one reading for each of its calls (J2). The
// members of a call are plain fields, those of its arguments are JSON.
func (s *scanner) Requests(fields []protocol.Field) []protocol.Reading {
	clear(s.readings) // they alias the reply
	s.readings = s.readings[:0]
	starts := s.body.starts
	for i, start := range starts {
		end := len(fields)
		if i+1 < len(starts) {
			end = min(end, starts[i+1])
		}
		s.readings = append(s.readings, readCall(fields[min(start, end):end]))
	}
	if len(starts) == 0 {
		s.readings = append(s.readings, readCall(nil))
	}
	var worst *protocol.RequestError
	for i := range s.readings {
		if err := s.readings[i].Err; err != nil && (worst == nil || err.Code.Before(worst.Code)) {
			worst = err
		}
	}
	for i := range s.readings {
		s.readings[i].Err = worst // what stands in one tag cannot be trusted by halves
	}
	return s.readings
}

func readCall(fields []protocol.Field) protocol.Reading {
	reading := protocol.Reading{}
	r := &reading.Request
	c := callReader{reading: &reading}
	for i := range fields {
		f := &fields[i]
		switch {
		case f.Form == protocol.FormJSON:
			c.argument(protocol.Argument{Name: f.Name, Value: f.Value, Form: protocol.FormJSON}, len(fields)-i)
		case f.Name == keyName:
			r.ToolName = strings.TrimSpace(f.Value)
		case f.Name == keyID:
			r.Label = f.Value
		default: // arguments, as a string
			members, ok := readMembers(unquote(f.Value))
			if !ok {
				fail(&reading, protocol.CodeBareValue, `the string in "arguments" is no JSON object; write "arguments": {"name": value}, without quotation marks around the object`)
			}
			for _, m := range members {
				c.argument(protocol.Argument{Name: m.Name, Value: m.Value, Form: protocol.FormJSON}, len(members))
			}
		}
	}
	if r.ToolName == "" {
		fail(&reading, protocol.CodeMissingToolName, messages[protocol.CodeMissingToolName])
	}
	return reading
}

// callReader collects the arguments of a call.
type callReader struct {
	reading *protocol.Reading
	seen    map[string]string // of the arguments, if they are many
}

// fewArguments is up to how many arguments are compared one by one; more are looked up.
const fewArguments = 16

// argument adds an argument; one that stands twice with the same value is listed once. room is how
// many may follow.
func (c *callReader) argument(a protocol.Argument, room int) {
	r := &c.reading.Request
	before, again := c.before(a.Name)
	if again {
		if before == a.Value {
			return
		}
		fail(c.reading, protocol.CodeDuplicateKey, a.Name+" stands twice with different values; write it once")
	}
	if r.Arguments == nil {
		r.Arguments = make([]protocol.Argument, 0, room)
	}
	r.Arguments = append(r.Arguments, a)
	if c.seen != nil {
		c.seen[a.Name] = a.Value
	}
}

func (c *callReader) before(name string) (value string, again bool) {
	arguments := c.reading.Request.Arguments
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

// fail makes a reading one that cannot be trusted, unless something weightier has.
func fail(r *protocol.Reading, code protocol.ErrorCode, message string) {
	if r.Err == nil || code.Before(r.Err.Code) {
		r.Err = &protocol.RequestError{Code: code, Message: message}
	}
}

// readMembers reads a clean JSON object: its keys, and its values as they are written. ok is false
// for anything else.
func readMembers(object string) (members []protocol.Field, ok bool) {
	const before, after = `{"` + keyArguments + `":`, "}"
	src := []byte(before + object + after)
	s := &scanner{o: protocol.ScanOptions{MaxKey: len(object)}}
	s.beginBody("", false)
	ended := false
	start := 0
	for from := 0; ; {
		n, tok, err := s.Scan(src, from, true)
		if err != nil || tok.Code != "" || len(tok.Repairs) > 0 {
			return nil, false
		}
		switch tok.Kind {
		case protocol.TokenField:
			if tok.Form != protocol.FormJSON {
				return nil, false // it is no object
			}
			members = append(members, protocol.Field{Name: string(tok.Name), Form: protocol.FormJSON})
			start = from + n
		case protocol.TokenFieldEnd:
			members[len(members)-1].Value = string(src[start:from])
		case protocol.TokenFiller:
			ended = ended || tok.Complete && from+n == len(src)
		case protocol.TokenNone:
			return members, ended && strings.HasPrefix(strings.TrimSpace(object), "{")
		case protocol.TokenDefect, protocol.TokenRequestEnd:
			return nil, false
		}
		from += n
	}
}
