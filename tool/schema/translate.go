package schema

import "github.com/vcpgo/vcp/internal/orderedjson"

// Translated returns the schema with translated descriptions. texts maps descriptions to their
// translations; a description that is not in texts is kept. If the translated schema is too long,
// the error is that of Compile.
func (s *Schema) Translated(texts map[string]string) (*Schema, error) {
	doc, err := orderedjson.ReadOrdered(string(s.raw))
	if err != nil {
		return nil, err
	}
	translate(doc, texts)
	return Compile(orderedjson.Append(nil, doc))
}

// translate replaces the descriptions in a schema, or in a list of schemas.
func translate(v any, texts map[string]string) {
	switch v := v.(type) {
	case []any:
		for _, sub := range v {
			translate(sub, texts)
		}
	case *orderedjson.Object:
		for _, keyword := range v.Names {
			switch keyword {
			case "description":
				if text := texts[v.Text(keyword)]; text != "" {
					v.Set(keyword, text)
				}
			case "default", "examples", "enum", "const": // their values are data, not schemas
			case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
				if named := v.Object(keyword); named != nil {
					for _, name := range named.Names {
						translate(named.Values[name], texts)
					}
				}
			default:
				translate(v.Values[keyword], texts)
			}
		}
	}
}
