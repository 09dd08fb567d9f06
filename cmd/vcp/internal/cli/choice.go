package cli

import (
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/message"
)

// Option is one value of a choice.
type Option[T any] struct {
	Name  string
	Value T
}

// Choice is a flag that takes one of a few words. It implements pflag.Value.
type Choice[T any] struct {
	dst     *T
	name    string // of the selected option
	options []Option[T]
}

// NewChoice sets *dst to the first of the options, which is the default.
func NewChoice[T any](dst *T, options []Option[T]) *Choice[T] {
	*dst = options[0].Value
	return &Choice[T]{dst: dst, name: options[0].Name, options: options}
}

// Set takes the name of an option.
func (c *Choice[T]) Set(name string) error {
	for _, o := range c.options {
		if o.Name == name {
			*c.dst, c.name = o.Value, name
			return nil
		}
	}
	return NotAllowed(name, InWords(namesOf(c.options)))
}

// String returns the name of the selected option.
func (c *Choice[T]) String() string { return c.name }

// Type lists the options for the help text.
func (c *Choice[T]) Type() string { return strings.Join(namesOf(c.options), "|") }

func namesOf[T any](options []Option[T]) []string {
	names := make([]string, len(options))
	for i, o := range options {
		names[i] = o.Name
	}
	return names
}

// InWords lists alternatives as in a sentence.
func InWords(names []string) *message.Text {
	if len(names) < 2 {
		return Message("%s", strings.Join(names, ""))
	}
	last := len(names) - 1
	return Message("%s or %s", strings.Join(names[:last], ", "), names[last])
}

// Choices is a flag that takes one or more options, separated by commas, or "all". It implements
// pflag.Value.
type Choices[T any] struct {
	dst     *[]T
	text    string // as it was set
	options []Option[T]
}

// NewChoices sets *dst to the options that initial names, in the form that Set takes. If initial is
// "", *dst stays as it is.
func NewChoices[T any](dst *[]T, options []Option[T], initial string) *Choices[T] {
	c := &Choices[T]{dst: dst, options: options}
	if initial != "" {
		_ = c.Set(initial) // no error: the caller names existing options
	}
	return c
}

// Set takes the names of options, or "all".
func (c *Choices[T]) Set(text string) error {
	names, known := strings.Split(text, ","), namesOf(c.options)
	var list []T
	for _, o := range c.options {
		if text == "all" || slices.Contains(names, o.Name) {
			list = append(list, o.Value)
		}
	}
	for _, name := range names {
		if text != "all" && !slices.Contains(known, name) {
			return NotAllowed(text, Message("%v, or several with commas between them", InWords(append(known, "all"))))
		}
	}
	*c.dst, c.text = list, text
	return nil
}

// String returns what was set.
func (c *Choices[T]) String() string { return c.text }

// Type lists the options for the help text.
func (c *Choices[T]) Type() string { return strings.Join(append(namesOf(c.options), "all"), "|") }
