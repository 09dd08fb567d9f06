//go:build race

package model_test

func init() { raced = true }
