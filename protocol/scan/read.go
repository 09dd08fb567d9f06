package scan

import (
	"regexp"
	"strings"
)

// ReadFields reads the fields of a request without a parser, for text that a formatter wrote.
// src[from:] is in the request: the scanner has returned or skipped its start. The request ends
// before src[end]. ok is false if it is not closed.
func ReadFields(s Scanner, src []byte, from int) (fields []Field, end int, ok bool) {
	var value []byte
	rule := TextExact
	for {
		n, tok, err := s.Scan(src, from, true)
		if err != nil || tok.Kind == TokenNone {
			return fields, len(src), false
		}
		switch tok.Kind {
		case TokenField:
			fields = append(fields, Field{Name: string(tok.Name), JSON: tok.JSON, Role: tok.Role})
			value, rule = value[:0], tok.Rule
		case TokenValue, TokenEvidence:
			if tok.Replaced {
				value = append(value, tok.Instead...)
			} else {
				value = append(value, src[from:from+n]...)
			}
		case TokenFieldEnd:
			first, last := rule.Cut(value)
			fields[len(fields)-1].Value = string(value[first:last])
		case TokenRequestEnd:
			return fields, from + n, tok.Outcome == OutcomeClosed
		}
		from += n
	}
}

// Unclosed returns the name of the first value that has no closer before the next opener, or "" if
// all values have one. opener matches an opener with its name; its first group is the name.
func Unclosed(request string, opener *regexp.Regexp, closer string) string {
	openers := opener.FindAllStringSubmatchIndex(request, -1)
	for i, at := range openers {
		end := len(request)
		if i+1 < len(openers) {
			end = openers[i+1][0]
		}
		if !strings.Contains(request[at[1]:end], closer) {
			return request[at[2]:at[3]]
		}
	}
	return ""
}
