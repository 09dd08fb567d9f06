//go:build race

package chat_test

func init() { raced = true }
