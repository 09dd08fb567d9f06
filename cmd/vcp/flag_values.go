package main

import (
	"fmt"
	"strconv"
	"strings"
)

// valueError describes an invalid value of a flag, as the rest of a sentence that begins with the
// flag.
type valueError struct{ text string }

func (e *valueError) Error() string { return e.text }

func notAllowed(value, allowed string) error {
	return &valueError{fmt.Sprintf("is %q; allowed is %s", value, allowed)}
}

// option is one value of a choice.
type option[T any] struct {
	name  string
	value T
}

// choice is a flag that takes one of a few words. It implements pflag.Value.
type choice[T any] struct {
	dst     *T
	name    string // of the selected option
	options []option[T]
}

// newChoice sets *dst to the first of the options, which is the default.
func newChoice[T any](dst *T, options []option[T]) *choice[T] {
	*dst = options[0].value
	return &choice[T]{dst: dst, name: options[0].name, options: options}
}

// Set takes the name of an option.
func (c *choice[T]) Set(name string) error {
	names := make([]string, len(c.options))
	for i, o := range c.options {
		if o.name == name {
			*c.dst, c.name = o.value, name
			return nil
		}
		names[i] = o.name
	}
	return notAllowed(name, inWords(names))
}

// String returns the name of the selected option.
func (c *choice[T]) String() string { return c.name }

// Type lists the options for the help text.
func (c *choice[T]) Type() string {
	names := make([]string, len(c.options))
	for i, o := range c.options {
		names[i] = o.name
	}
	return strings.Join(names, "|")
}

// inWords lists names as in a sentence.
func inWords(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// count is a flag that takes a whole number from 1. It implements pflag.Value.
type count int

// Set takes the number.
func (c *count) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return notAllowed(s, "a whole number from 1")
	}
	*c = count(n)
	return nil
}

// String returns the number, or nothing if none was given.
func (c *count) String() string {
	if *c == 0 {
		return ""
	}
	return strconv.Itoa(int(*c))
}

// Type returns the name of the value in the help text.
func (c *count) Type() string { return "N" }
