//go:build race

package parser_test

func init() { raced = true }
