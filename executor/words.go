package executor

import (
	"fmt"
	"strings"
)

// words are a text for the model in the languages of protocol.PromptOptions.
type words struct{ en, zh string }

// in returns the text in a language.
func (w words) in(language string) string {
	if language == "zh" {
		return w.zh
	}
	return w.en
}

// sentence fills in a sentence of both languages.
func sentence(en, zh string, values ...any) words {
	return words{fmt.Sprintf(en, values...), fmt.Sprintf(zh, values...)}
}

// foreign returns a text that has no translation.
func foreign(text string) words { return words{text, text} }

// with returns both texts, each with a suffix.
func (w words) with(suffix string) words { return words{w.en + suffix, w.zh + suffix} }

// and returns both texts, with a space between sentences in English.
func (w words) and(more words) words { return words{w.en + " " + more.en, w.zh + more.zh} }

// joined returns the texts of a list, with commas between them.
func joined(list []words) words {
	var en, zh []string
	for _, w := range list {
		en, zh = append(en, w.en), append(zh, w.zh)
	}
	return words{strings.Join(en, ", "), strings.Join(zh, "，")}
}
