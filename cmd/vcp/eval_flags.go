package main

import (
	"slices"
	"strconv"
	"strings"
)

// choices is a flag that takes one of some words, several with commas between them, or "all". It
// implements pflag.Value.
type choices[T any] struct {
	dst     *[]T
	text    string
	options []option[T]
}

// newChoices sets *dst to what initial names; "" is nothing.
func newChoices[T any](dst *[]T, options []option[T], initial string) *choices[T] {
	c := &choices[T]{dst: dst, options: options}
	if initial != "" {
		_ = c.Set(initial) // the caller names options
	}
	return c
}

// Set takes names of options.
func (c *choices[T]) Set(text string) error {
	names := strings.Split(text, ",")
	var known []string
	var list []T
	for _, o := range c.options {
		known = append(known, o.name)
		if text == "all" || slices.Contains(names, o.name) {
			list = append(list, o.value)
		}
	}
	for _, name := range names {
		if text != "all" && !slices.Contains(known, name) {
			return notAllowed(text, inWords(append(known, "all"))+", or several with commas between them")
		}
	}
	*c.dst, c.text = list, text
	return nil
}

// String returns what was set.
func (c *choices[T]) String() string { return c.text }

// Type lists the options for the help text.
func (c *choices[T]) Type() string {
	names := make([]string, 0, len(c.options)+1)
	for _, o := range c.options {
		names = append(names, o.name)
	}
	return strings.Join(append(names, "all"), "|")
}

// atMost is a flag that takes a whole number from 0, and limits nothing without it. It implements
// pflag.Value.
type atMost struct {
	given bool
	most  int
}

// Set takes the number.
func (a *atMost) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return notAllowed(s, "a whole number from 0")
	}
	*a = atMost{given: true, most: n}
	return nil
}

// String returns the number, or nothing if none was given.
func (a *atMost) String() string {
	if !a.given {
		return ""
	}
	return strconv.Itoa(a.most)
}

// Type is how the help text calls the value.
func (a *atMost) Type() string { return "N" }

// exceeded reports whether n is more than the flag allows.
func (a *atMost) exceeded(n int) bool { return a.given && n > a.most }
