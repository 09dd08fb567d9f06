package vcp

import (
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

// batch returns the numbers of the numbered commands in ascending order. A single one is renamed to
// command, because its number means nothing.
func (b *blockReader) batch() []string {
	var numbers []string
	for _, name := range b.names {
		if !isNumberedCommand(name) {
			continue
		}
		digits := name[len(keyCommand):]
		at := 0
		for at < len(numbers) && less(numbers[at], digits) {
			at++
		}
		if at == len(numbers) || numbers[at] != digits {
			numbers = append(numbers[:at], append([]string{digits}, numbers[at:]...)...)
		}
	}
	if len(numbers) == 0 || b.takes(keyCommand+numbers[0]) {
		return nil
	}
	if len(numbers) == 1 {
		for i, name := range b.names {
			if name == keyCommand+numbers[0] {
				b.names[i] = keyCommand
			}
		}
	}
	return numbers
}

// less compares numbers written without leading zeros.
func less(a, b string) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return a < b
}

// owner splits a key into its base and its number in the batch; number is "" for a shared key.
func owner(name string, numbers []string) (key, number string) {
	bare := strings.TrimRight(name, "0123456789")
	digits := name[len(bare):]
	for _, n := range numbers {
		if n == digits && bare != "" {
			return bare, digits
		}
	}
	return name, ""
}

// ownKeys returns the keys that belong to one number of a batch alone.
func (b *blockReader) ownKeys(number string, numbers []string) map[string]bool {
	if number == "" {
		return nil
	}
	own := make(map[string]bool)
	for _, name := range b.names {
		if key, n := owner(name, numbers); n == number {
			own[key] = true
		}
	}
	return own
}
