// Package workload makes the inputs that the parser is measured on: ordinary replies, large ones, and those that freeze a parser
// that looks at bytes more than once. The same name gives the same bytes. Half of their bytes are CJK characters where the input
// is prose, with fences, backticks and angle brackets strewn in.
package workload

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Input is one input.
type Input struct {
	Name  string
	About string
	Text  string
	// Piece is the length in characters of the pieces that it is streamed in, 0 where it is read whole.
	Piece int
}

const (
	kb = 1 << 10
	mb = 1 << 20
)

// Ordinary returns W1 to W9.
func Ordinary() []Input {
	w2 := message(call, 0, 64*kb, 8)
	return []Input{
		{Name: "W1", About: "2 KB with one call", Text: message(call, 0, 2*kb, 1)},
		{Name: "W2", About: "64 KB with eight calls", Text: w2},
		{Name: "W3", About: "1 MB without a marker", Text: prose(1, mb)},
		{Name: "W4", About: "one call with a 1 MB value", Text: call("files_write", "content", prose(2, mb))},
		{Name: "W5", About: "1 MB of openers never closed", Text: repeat("<<<[TOOL_REQUEST]>>> 啊 ", mb)},
		{Name: "W6", About: "200 KB of keyed openers never closed", Text: start + repeat("a:「始」", 200*kb)},
		{Name: "W7", About: "1 MB of <<<[", Text: "字" + repeat("<<<[", mb)},
		{Name: "W8", About: "W2 in pieces of about 4 characters", Text: w2, Piece: 4},
		{Name: "W9", About: "a 256 KB value in such pieces", Text: Value(256 * kb), Piece: 4},
	}
}

// Value returns a call with one value of n bytes.
func Value(n int) string { return call("files_write", "content", prose(3, n)) }

// Replies returns n replies of 2 to 8 KB with one to three calls each, no two of them the same.
func Replies(n int) []string {
	replies := make([]string, n)
	for i := range replies {
		replies[i] = message(call, uint64(1000*(i+1)), (2+2*(i%4))*kb, 1+i%3)
	}
	return replies
}

// Hostile returns H1 to H6 and the hostile ones of W1 to W9, each of about size bytes.
func Hostile(size int) []Input {
	hex := strings.Repeat("0123456789abcdef", size/16)
	small := fmt.Sprintf("%s\ntool_name:「始」a_b「末」,\nn:「始」%s「末」\n%s\n", start, strings.Repeat("数", 17), end)
	return []Input{
		{Name: "H1", About: "one call with a hex value", Text: call("files_write", "content", "啊"+hex)},
		{Name: "H2", About: "small valid calls, 6,000 a MB", Text: repeat(small, size)},
		{Name: "H3", About: "ESCAPE pairs without end", Text: start + "\ntool_name:「始」a_b「末」\n" + repeat("k:「始ESCAPE」v「末ESCAPE」\n", size)},
		{Name: "H4", About: "fences and backticks alternating", Text: repeat("```\n`啊` ``\n~~~\n", size)},
		{Name: "H5", About: "<think repeated", Text: "啊" + repeat("<think ", size)},
		{Name: "H6", About: "key characters", Text: start + "\n" + repeat("键key_", size)},
		{Name: "W5", About: "openers never closed", Text: repeat("<<<[TOOL_REQUEST]>>> 啊 ", size)},
		{Name: "W6", About: "keyed openers never closed", Text: start + repeat("a:「始」", size)},
		{Name: "W7", About: "<<<[", Text: "字" + repeat("<<<[", size)},
	}
}

const (
	start = "<<<[TOOL_REQUEST]>>>"
	end   = "<<<[END_TOOL_REQUEST]>>>"
)

func call(tool, key, value string) string {
	return "好的。\n" + start + "\ntool_name:「始」" + tool + "「末」,\npath:「始」a.txt「末」,\n" + key + ":「始」" + value + "「末」\n" + end + "\n完成。\n"
}

func repeat(s string, size int) string { return strings.Repeat(s, size/len(s)+1) }

// message returns prose of about size bytes with calls in it.
func message(call func(tool, key, value string) string, seed uint64, size, calls int) string {
	var b strings.Builder
	for i := range calls {
		b.WriteString(prose(seed+uint64(10+i), size/calls*3/4))
		b.WriteByte('\n')
		b.WriteString(call("files_write", "content", prose(seed+uint64(50+i), size/calls/4-130)))
	}
	return b.String()
}

// prose returns size bytes of text, or up to two fewer: half of them CJK characters, the rest words, with fences, backticks and
// angle brackets strewn in. It begins and ends with a letter.
func prose(seed uint64, size int) string {
	rnd := rand.New(rand.NewPCG(seed, 99))
	var b strings.Builder
	b.Grow(size + 64)
	fenced := false
	for b.Len() < size-8 {
		cjk := 6 + rnd.IntN(12)
		for range cjk {
			b.WriteRune(rune(0x4E00 + rnd.IntN(0x4E00)))
		}
		switch rnd.IntN(24) {
		case 0:
			b.WriteString("，`x<y`。")
		case 1:
			b.WriteString("。a < b\n")
		case 2:
			b.WriteString("。\n\n")
		case 3:
			if fenced = !fenced; fenced {
				b.WriteString("\n```go\n")
			} else {
				b.WriteString("\n```\n")
			}
		case 4:
			b.WriteString("，<b>粗</b>")
		default:
			b.WriteString("，")
		}
		for range cjk / 2 {
			b.WriteByte(' ')
			for range 2 + rnd.IntN(7) {
				b.WriteByte(byte('a' + rnd.IntN(26)))
			}
		}
		b.WriteByte(' ')
	}
	s := b.String()
	if len(s) > size {
		s = strings.ToValidUTF8(s[:size-8], "")
	}
	if fenced {
		s += "\n```\n"
	}
	return s + "end"
}

// Pieces cuts text into pieces of about n characters.
func Pieces(text string, n int) [][]byte {
	var pieces [][]byte
	count, from := 0, 0
	for at := range text {
		if count == n {
			pieces = append(pieces, []byte(text[from:at]))
			count, from = 0, at
		}
		count++
	}
	return append(pieces, []byte(text[from:]))
}
