//go:build race

package longtest

const raced = true
