package mcp

import (
	"encoding/json"
	"strings"
	"unicode"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
)

const (
	maxDescription = 8 << 10 // bytes of one description
	maxTitle       = 200     // bytes of one title
)

// clean returns a server's text without invisible characters, shortened to limit bytes. Invisible
// characters could tell a model what no person sees.
func clean(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t', r == '\u200c', r == '\u200d': // the last two shape letters and emoji
			return r
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co):
			return -1
		}
		return r
	}, text.Valid(s))
	return text.TruncateBytes(strings.TrimSpace(s), limit)
}

// cleanSchema cleans the titles and descriptions of a schema. It returns text that is not JSON
// unchanged; tool.Raw refuses that text.
func cleanSchema(raw json.RawMessage) json.RawMessage {
	v, err := orderedjson.ReadOrdered(string(raw))
	if err != nil {
		return raw
	}
	cleanTexts(v)
	return orderedjson.Append(nil, v)
}

func cleanTexts(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			cleanTexts(e)
		}
	case *orderedjson.Object:
		for _, name := range v.Names {
			switch name {
			case "default", "examples", "enum", "const": // these contain data, no schemas
				continue
			}
			if s, ok := v.Values[name].(string); ok && (name == "title" || name == "description") {
				v.Values[name] = clean(s, maxDescription)
				continue
			}
			cleanTexts(v.Values[name])
		}
	}
}
