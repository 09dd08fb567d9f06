package hermes

import (
	"fmt"
	"strings"

	"github.com/vcpgo/vcp/protocol/scan"
)

// readMembers reads an undamaged JSON object: its keys, and its values as written. ok is false for
// anything else.
func readMembers(object string) (members []scan.Field, ok bool) {
	const before, after = `{"` + keyArguments + `":`, "}"
	src := []byte(before + object + after)
	s := &scanner{o: scan.Options{MaxKey: len(object)}}
	s.beginBody("", false)
	ended := false
	start := 0
	for from := 0; ; {
		n, tok, err := s.scan(src, from, true)
		if err != nil || tok.Code != "" || len(tok.Repairs) > 0 {
			return nil, false
		}
		switch tok.Kind {
		case scan.TokenField:
			if !tok.JSON {
				return nil, false // it is not an object
			}
			members = append(members, scan.Field{Name: string(tok.Name), JSON: true})
			start = from + n
		case scan.TokenFieldEnd:
			members[len(members)-1].Value = string(src[start:from])
		case scan.TokenFiller:
			ended = ended || tok.Complete && from+n == len(src)
		case scan.TokenNone:
			return members, ended && strings.HasPrefix(strings.TrimSpace(object), "{")
		case scan.TokenDefect, scan.TokenRequestEnd:
			return nil, false
		}
		from += n
	}
}

// memberOf returns a member of an object.
func memberOf(object, name string) (string, error) {
	members, ok := readMembers(object)
	if !ok {
		return "", fmt.Errorf("it is not a JSON object")
	}
	for _, m := range members {
		if m.Name == name {
			return m.Value, nil
		}
	}
	return "", fmt.Errorf("it has no %q", name)
}
