// Package message writes texts for models and people in English or Chinese.
//
// The code of a package contains each text in English, as a format of package fmt. A Catalog maps
// each English format to the Chinese one. Package messagetest checks that a catalog is complete.
package message

import (
	"errors"
	"fmt"
	"strings"
)

// Catalog maps English formats to Chinese formats. A text that is not in the catalog stays English.
type Catalog map[string]string

// Text returns a text whose language is chosen later, by Text.In. A Text is also an error; it wraps
// those of its values that are errors.
func (c Catalog) Text(format string, values ...any) *Text {
	return &Text{catalog: c, format: format, values: values}
}

// Count returns a value such as "1 row" or "2 rows" for use in a Text. format is the singular, such
// as "%d row". In English, Count adds an s to it if n is not 1.
func (c Catalog) Count(n int, format string) Count { return Count{catalog: c, n: n, format: format} }

// Printer returns a Printer for a language: "zh" is Chinese, any other is English.
func (c Catalog) Printer(language string) Printer { return Printer{catalog: c, language: language} }

// translated returns the translation of a format, or the format itself if it has no translation.
func (c Catalog) translated(language, format string) string {
	if language == "zh" && c[format] != "" {
		return c[format]
	}
	return format
}

// Printer formats the texts of one catalog in one language.
type Printer struct {
	catalog  Catalog
	language string
}

// Say formats a text. Values that are a Text, a Count or an error are written in the same language,
// if they have a translation.
func (p Printer) Say(format string, values ...any) string {
	return p.catalog.Text(format, values...).In(p.language)
}

// Text is a text whose language is chosen later, by In.
type Text struct {
	catalog Catalog
	format  string
	values  []any
}

// In returns the text in a language.
func (t *Text) In(language string) string {
	format := t.catalog.translated(language, t.format)
	if len(t.values) == 0 && !strings.Contains(format, "%") {
		return format
	}
	values := make([]any, len(t.values))
	for i, v := range t.values {
		values[i] = v
		switch v := v.(type) {
		case localized:
			values[i] = v.In(language)
		case error: // the catalog may have a translation of the error's text
			values[i] = t.catalog.translated(language, In(v, language))
		}
	}
	return fmt.Sprintf(format, values...)
}

// Error returns the text in English.
func (t *Text) Error() string { return t.In("en") }

// String returns the text in English.
func (t *Text) String() string { return t.In("en") }

// MarshalText returns the text in English.
func (t *Text) MarshalText() ([]byte, error) { return []byte(t.In("en")), nil }

// Unwrap returns the values that are errors.
func (t *Text) Unwrap() (list []error) {
	for _, v := range t.values {
		if err, ok := v.(error); ok {
			list = append(list, err)
		}
	}
	return list
}

// Count is a number with a noun, such as "2 rows".
type Count struct {
	catalog Catalog
	n       int
	format  string
}

// In returns the number and the noun in a language.
func (c Count) In(language string) string {
	format := c.catalog.translated(language, c.format)
	if format == c.format && c.n != 1 {
		format += "s"
	}
	return fmt.Sprintf(format, c.n)
}

// String returns the number and the noun in English.
func (c Count) String() string { return c.In("en") }

// localized is a value that can be written in several languages.
type localized interface{ In(language string) string }

// In returns the text of an error in a language. It returns the text of err as it is if err is
// neither a Text nor another localized error. An error that wraps one of these and adds no words,
// such as tool.Retryable, counts as the error that it wraps.
func In(err error, language string) string {
	var l interface {
		error
		localized
	}
	if errors.As(err, &l) && l.Error() == err.Error() {
		return l.In(language)
	}
	return err.Error()
}
