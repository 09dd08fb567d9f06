package vcp

import (
	"slices"
	"strconv"
	"strings"
)

// maxBatch limits the requests of one block, because each repeats the shared fields.
const maxBatch = 16

var tooManyCommands = "the block numbers more than " + strconv.Itoa(maxBatch) + " commands; write several blocks"

// isNumberedCommand reports whether name is command and a number without leading zero.
func isNumberedCommand(name string) bool {
	digits, ok := strings.CutPrefix(name, keyCommand)
	return ok && isNumber(digits)
}

func isNumber(s string) bool {
	return s != "" && s[0] != '0' && strings.Trim(s, "0123456789") == ""
}

// commandNumbers returns the numbers of the numbered commands among keys in ascending order.
func commandNumbers(keys []string) []string {
	var numbers []string
	for _, key := range keys {
		if !isNumberedCommand(key) {
			continue
		}
		digits := key[len(keyCommand):]
		at := 0
		for at < len(numbers) && lessNumber(numbers[at], digits) {
			at++
		}
		if at == len(numbers) || numbers[at] != digits {
			numbers = slices.Insert(numbers, at, digits)
		}
	}
	return numbers
}

// lessNumber compares numbers written without leading zeros.
func lessNumber(a, b string) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return a < b
}

// splitKey splits a key into its base and its number in the batch; number is "" for a shared key.
func splitKey(name string, numbers []string) (key, number string) {
	bare := strings.TrimRight(name, "0123456789")
	digits := name[len(bare):]
	for _, n := range numbers {
		if n == digits && bare != "" {
			return bare, digits
		}
	}
	return name, ""
}

// ownKeys returns which of the keys belong to one number of a batch alone.
func ownKeys(keys []string, number string, numbers []string) map[string]bool {
	if number == "" {
		return nil
	}
	own := make(map[string]bool)
	for _, name := range keys {
		if key, n := splitKey(name, numbers); n == number {
			own[key] = true
		}
	}
	return own
}
