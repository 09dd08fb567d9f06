package vcpplugin

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
)

// readObject reads a JSON object as people write them. It accepts a byte order mark, UTF-16,
// comments, and commas before a closing bracket. In strings it accepts control characters, and
// backslashes that begin no escape. Numbers keep their digits. An error names the line.
func readObject(raw []byte) (map[string]any, error) {
	raw = toUTF8(raw)
	object, err := decodeObject(raw)
	if err != nil {
		if relaxed, relaxedErr := decodeObject(relax(raw)); relaxedErr == nil {
			return relaxed, nil
		}
		return nil, err
	}
	return object, nil
}

func decodeObject(raw []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = fmt.Errorf("line %d: there is more after the object", lineAt(raw, d.InputOffset()))
		}
	} else {
		line := lineAt(raw, d.InputOffset())
		if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
			line = lineAt(raw, syntax.Offset)
		}
		err = fmt.Errorf("line %d: %w", line, err)
	}
	if err != nil {
		return nil, err
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("line 1: it is not a JSON object")
	}
	return object, nil
}

func lineAt(raw []byte, offset int64) int {
	return 1 + bytes.Count(raw[:min(int(offset), len(raw))], []byte("\n"))
}

// toUTF8 removes a byte order mark, and converts UTF-16 that has one.
func toUTF8(raw []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")):
		return raw[3:]
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		order = binary.LittleEndian
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		order = binary.BigEndian
	default:
		return raw
	}
	units := make([]uint16, 0, len(raw)/2)
	for raw = raw[2:]; len(raw) >= 2; raw = raw[2:] {
		units = append(units, order.Uint16(raw))
	}
	return []byte(string(utf16.Decode(units)))
}

// relax returns JSON without comments and without commas before a closing bracket, and with escapes
// for control characters and single backslashes in strings.
func relax(raw []byte) []byte {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		switch {
		case raw[i] == '"':
			i = relaxString(raw, i, &out)
		case bytes.HasPrefix(raw[i:], []byte("//")):
			end := bytes.IndexByte(raw[i:], '\n')
			if end < 0 {
				return out
			}
			i += end
		case bytes.HasPrefix(raw[i:], []byte("/*")):
			end := bytes.Index(raw[i+len("/*"):], []byte("*/"))
			if end < 0 {
				return out
			}
			i += len("/*") + end + len("*/")
		case raw[i] == '}' || raw[i] == ']':
			if trimmed := bytes.TrimRight(out, " \t\r\n"); bytes.HasSuffix(trimmed, []byte(",")) {
				out = trimmed[:len(trimmed)-1]
			}
			out = append(out, raw[i])
			i++
		default:
			out = append(out, raw[i])
			i++
		}
	}
	return out
}

// relaxString appends the string that begins at i to out, and returns the index after it.
func relaxString(raw []byte, i int, out *[]byte) int {
	*out = append(*out, '"')
	for i++; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '\\' && beginsEscape(raw[i+1:]):
			i++
			*out = append(*out, c, raw[i])
		case c == '\\':
			*out = append(*out, c, c)
		case c < ' ':
			*out = fmt.Appendf(*out, "\\u%04x", c)
		case c == '"':
			*out = append(*out, c)
			return i + 1
		default:
			*out = append(*out, c)
		}
	}
	return i
}

// beginsEscape reports whether a backslash before the text is the beginning of an escape in JSON.
func beginsEscape(text []byte) bool {
	if len(text) == 0 {
		return false
	}
	if text[0] != 'u' {
		return strings.IndexByte(`"\/bfnrt`, text[0]) >= 0
	}
	_, err := strconv.ParseUint(string(text[1:min(5, len(text))]), 16, 16)
	return len(text) >= 5 && err == nil
}
