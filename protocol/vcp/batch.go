package vcp

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// maxBatch limits the requests of one block, because each repeats the shared fields.
const maxBatch = 16

var tooManyCommands = "the block has more than " + strconv.Itoa(maxBatch) + " numbered commands; write several blocks"

// isNumberedCommand reports whether name is "command" and a number without leading zero.
func isNumberedCommand(name string) bool {
	digits, ok := strings.CutPrefix(name, keyCommand)
	return ok && isNumber(digits)
}

func isNumber(s string) bool {
	return s != "" && s[0] != '0' && strings.Trim(s, "0123456789") == ""
}

// commandNumbers returns the numbers of the numbered commands among keys, each once, in ascending
// order.
func commandNumbers(keys []string) []string {
	var numbers []string
	for _, key := range keys {
		if isNumberedCommand(key) {
			numbers = append(numbers, key[len(keyCommand):])
		}
	}
	slices.SortFunc(numbers, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) // no number has a leading zero
	})
	return slices.Compact(numbers)
}

// splitKey splits a key into its base and its number in the batch; number is "" for a shared key.
func splitKey(name string, numbers []string) (key, number string) {
	base := strings.TrimRight(name, "0123456789")
	digits := name[len(base):]
	if base != "" && slices.Contains(numbers, digits) {
		return base, digits
	}
	return name, ""
}

// ownKeys returns the bases of the keys that have the given number in the batch.
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
