package schema

import "github.com/vcpgo/vcp/internal/orderedjson"

// Translated returns the schema with other descriptions: texts has the translation of each. A
// description without a translation is kept. The error is the one that Compile returns if the
// translated schema is too long.
func (s *Schema) Translated(texts map[string]string) (*Schema, error) {
	doc, err := orderedjson.ReadOrdered(string(s.raw))
	if err != nil {
		return nil, err
	}
	translate(doc, texts)
	return Compile(orderedjson.Append(nil, doc))
}

// translate replaces the descriptions in a part of a schema.
func translate(part any, texts map[string]string) {
	switch part := part.(type) {
	case []any:
		for _, p := range part {
			translate(p, texts)
		}
	case *orderedjson.Object:
		for _, keyword := range part.Names {
			switch keyword {
			case "description":
				if text := texts[part.Text(keyword)]; text != "" {
					part.Set(keyword, text)
				}
			case "default", "examples", "enum", "const": // data
			case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
				if named := part.Object(keyword); named != nil {
					for _, name := range named.Names {
						translate(named.Values[name], texts)
					}
				}
			default:
				translate(part.Values[keyword], texts)
			}
		}
	}
}
