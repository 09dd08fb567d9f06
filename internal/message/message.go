// Package message writes texts for models and people in English or Chinese.
//
// The code of a package contains each text in English, as a format of package fmt. A Catalog has
// the Chinese format for each English one. Package messagetest checks that a catalog lacks none.
package message

import (
	"errors"
	"fmt"
	"strings"
)

// Catalog has the Chinese format for each English one. A text that it lacks stays English.
type Catalog map[string]string

// Text returns a text that is written when its language is known. A Text is also an error, which
// wraps those of its values that are errors.
func (c Catalog) Text(format string, values ...any) *Text {
	return &Text{catalog: c, format: format, values: values}
}

// Count formats the number n with its noun, such as "1 row" or "2 rows". format is the English
// singular, such as "%d row"; for any other number, an s is added.
func (c Catalog) Count(n int, format string) Count { return Count{catalog: c, n: n, format: format} }

// Printer returns a Printer for a language: "zh" is Chinese, any other is English.
func (c Catalog) Printer(language string) Printer { return Printer{catalog: c, language: language} }

// translated returns the form of a text in a language.
func (c Catalog) translated(language, text string) string {
	if language == "zh" && c[text] != "" {
		return c[text]
	}
	return text
}

// Printer writes the texts of one catalog in one language.
type Printer struct {
	catalog  Catalog
	language string
}

// Say writes a text. Values that are a Text, a Count or an error are written in the same language.
func (p Printer) Say(format string, values ...any) string {
	return p.catalog.Text(format, values...).In(p.language)
}

// Text is a text that is written when its language is known.
type Text struct {
	catalog Catalog
	format  string
	values  []any
}

// In writes the text in a language.
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
		case error:
			values[i] = t.catalog.translated(language, In(v, language))
		}
	}
	return fmt.Sprintf(format, values...)
}

// Error writes the text in English.
func (t *Text) Error() string { return t.In("en") }

// String writes the text in English.
func (t *Text) String() string { return t.In("en") }

// MarshalText writes the text in English.
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

// Count is a number with its noun, which is written when its language is known.
type Count struct {
	catalog Catalog
	n       int
	format  string
}

// In writes the number and its noun in a language, such as "2 rows".
func (c Count) In(language string) string {
	format := c.catalog.translated(language, c.format)
	if format == c.format && c.n != 1 {
		format += "s"
	}
	return fmt.Sprintf(format, c.n)
}

// String writes the number and its noun in English.
func (c Count) String() string { return c.In("en") }

// localized is a value that exists in several languages.
type localized interface{ In(language string) string }

// In returns the text of an error in a language. An error that has one language keeps it. A wrapper
// that adds no words, such as tool.Retryable, has the languages of what it wraps.
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
