package orderedjson

import (
	"encoding/json"
	"unicode/utf8"
)

// Member is one member of an object.
type Member struct {
	Name  string
	Value json.RawMessage
}

// Members returns the members of a JSON object in the order written. A member may occur twice. The
// values share the memory of object.
func Members(object []byte) (list []Member, err error) {
	err = eachMember(object, func(name, value []byte) bool {
		s, _ := StringText(name)
		list = append(list, Member{s, value})
		return true
	})
	return list, err
}

// FirstText returns the value of the first member of a JSON object whose value is a string and not
// empty. It returns "" if the object has no such member, or is not a JSON object.
func FirstText(object []byte) (first string) {
	_ = eachMember(object, func(_, value []byte) bool {
		first, _ = StringText(value)
		return first == ""
	})
	return first
}

// eachMember yields the members of a JSON object until yield returns false. Names and values are
// JSON.
func eachMember(object []byte, yield func(name, value []byte) bool) error {
	if !json.Valid(object) {
		return errorf("not JSON")
	}
	at := skipSpace(object, 0)
	if object[at] != '{' {
		return errorf("not a JSON object")
	}
	for at = skipSpace(object, at+1); object[at] != '}'; at = skipSpace(object, at) {
		if object[at] == ',' {
			at = skipSpace(object, at+1)
		}
		name := object[at:stringEnd(object, at)]
		at = skipSpace(object, at+len(name)) + 1 // after the colon
		at = skipSpace(object, at)
		value := object[at:valueEnd(object, at)]
		if !yield(name, value[:len(value):len(value)]) { // appending to a value does not change object
			break
		}
		at += len(value)
	}
	return nil
}

// StringText returns the text that a JSON string stands for. ok is false for any other value.
func StringText(value []byte) (s string, ok bool) {
	if len(value) < 2 || value[0] != '"' {
		return "", false
	}
	if inside := value[1 : len(value)-1]; value[len(value)-1] == '"' && isLiteral(inside) {
		return string(inside), true
	}
	return s, json.Unmarshal(value, &s) == nil
}

// isLiteral reports whether the text between the quotation marks of a JSON string is the text that
// the string stands for: it has no escapes, and is valid UTF-8.
func isLiteral(inside []byte) bool {
	for _, c := range inside {
		if c < ' ' || c == '"' || c == '\\' {
			return false
		}
	}
	return utf8.Valid(inside)
}

// skipSpace returns the index of the first byte from start on that is not white space.
func skipSpace(document []byte, start int) int {
	for start < len(document) && document[start] <= ' ' {
		start++
	}
	return start
}

// valueEnd returns the index after the value at an index of a valid document.
func valueEnd(document []byte, at int) int {
	depth := 0
	for ; at < len(document); at++ {
		switch document[at] {
		case '"':
			if at = stringEnd(document, at); depth == 0 {
				return at
			}
			at--
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 { // a number, true, false or null ends where the outer object or array ends
				return at
			}
			if depth--; depth == 0 {
				return at + 1
			}
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return at
			}
		}
	}
	return at
}

// stringEnd returns the index after the string at an index of a valid document.
func stringEnd(document []byte, at int) int {
	for at++; document[at] != '"'; at++ {
		if document[at] == '\\' {
			at++
		}
	}
	return at + 1
}
