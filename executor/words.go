package executor

import (
	"fmt"
	"strings"
)

// words are a text for the model, in English and in Chinese.
type words struct{ en, zh string }

// in returns the text in a language.
func (w words) in(language string) string {
	if language == "zh" {
		return w.zh
	}
	return w.en
}

// sentence formats a sentence in both languages, with the same values.
func sentence(en, zh string, values ...any) words {
	return words{fmt.Sprintf(en, values...), fmt.Sprintf(zh, values...)}
}

// untranslated returns a text that is the same in both languages.
func untranslated(text string) words { return words{text, text} }

// with returns the text with a suffix in both languages.
func (w words) with(suffix string) words { return words{w.en + suffix, w.zh + suffix} }

// and appends another text in both languages. In English, a space separates the two.
func (w words) and(more words) words { return words{w.en + " " + more.en, w.zh + more.zh} }

// joined returns the texts of a list, with commas between them.
func joined(list []words) words {
	var en, zh []string
	for _, w := range list {
		en, zh = append(en, w.en), append(zh, w.zh)
	}
	return words{strings.Join(en, ", "), strings.Join(zh, "，")}
}
