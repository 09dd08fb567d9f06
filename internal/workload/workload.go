// Package workload generates inputs for benchmarks of parsers of replies. These are replies like
// those of real models, and hostile inputs, which make a parser freeze if it examines bytes many
// times.
//
// A reply is composed at random, from a fixed seed, of text that every checkout and Go installation
// has: Markdown of this repository, of Go and of modules, doc comments, Go code, and Chinese prose
// in this package. An input of the same name has the same bytes as long as Go, the modules and this
// repository have the same versions. The functions panic if that text cannot be read.
package workload

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Input is one input.
type Input struct {
	Name  string // such as W1; docs/benchmarks.md describes the inputs
	About string // what the input is, in a few words
	Text  string
	// Piece is the length, in characters, of the pieces in which the input is streamed; 0 means
	// that it is read as a whole.
	Piece int
}

const (
	kb = 1 << 10
	mb = 1 << 20
)

// A callForm returns the text of one request, with a line of prose before it and one after it.
type callForm func(tool, key, value string) string

// Ordinary returns the inputs W1 to W9 in the VCP form: replies like those of models, and opening
// marks that are never closed.
func Ordinary() []Input {
	return append(replies(vcpCall),
		Input{Name: "W5", About: "1 MB of openers never closed", Text: repeat("<<<[TOOL_REQUEST]>>> 啊 ", mb)},
		Input{Name: "W6", About: "200 KB of keyed openers never closed", Text: start + repeat("a:「始」", 200*kb)},
		Input{Name: "W7", About: "1 MB of <<<[", Text: "字" + repeat("<<<[", mb)},
	)
}

// replies returns the inputs among W1 to W9 that resemble replies of models.
func replies(form callForm) []Input {
	w2 := reply(form, 2, 72*kb, 8)
	return []Input{
		{Name: "W1", About: "2.5 KB with one call", Text: reply(form, 1, 2560, 1)},
		{Name: "W2", About: "72 KB with eight calls", Text: w2},
		{Name: "W3", About: "1 MB without a call", Text: reply(form, 3, mb, 0)},
		{Name: "W4", About: "one call with 1 MB of code", Text: form("files_write", "content", newDraw(6).code(mb))},
		{Name: "W8", About: "W2 in pieces of 4 characters", Text: w2, Piece: 4},
		{Name: "W9", About: "a value of 256 KB in pieces of 4 characters", Text: value(form, 256*kb), Piece: 4},
		{Name: "W9half", About: "a value of 128 KB in pieces of 4 characters", Text: value(form, 128*kb), Piece: 4},
	}
}

// value returns a call with a value of n bytes, which is prose.
func value(form callForm, n int) string { return form("files_write", "content", reply(form, 4, n, 0)) }

// Prose returns about n bytes of a reply without a call.
func Prose(n int) string { return reply(nil, 5, n, 0) }

// Mixes returns ten replies like W2, with the seeds 11 to 20 and the given share of Chinese. The
// share is how many of ten blocks are Chinese prose on average, at most 9. One of ten is fenced
// code, and the others are English. The inputs of the other functions have five Chinese blocks of
// ten.
func Mixes(chinese int) []Input {
	var list []Input
	for seed := uint64(11); seed <= 20; seed++ {
		d := newDraw(seed)
		d.chineseBlocks = chinese
		name := fmt.Sprintf("%d of 10/seed %d", chinese, seed)
		list = append(list, Input{Name: name, Text: d.reply(vcpCall, 72*kb, 8)})
	}
	return list
}

// Replies returns n replies of 2 to 8 KB with one to three calls each, no two of them the same.
func Replies(n int) []string {
	replies := make([]string, n)
	for i := range replies {
		replies[i] = reply(vcpCall, uint64(1000+i), (2+2*(i%4))*kb, 1+i%3)
	}
	return replies
}

// Hostile returns inputs that could make a slow parser freeze: H1 to H6 and W5 to W7, each of about
// the given size in bytes.
func Hostile(size int) []Input {
	hex := strings.Repeat("0123456789abcdef", size/16)
	small := fmt.Sprintf("%s\ntool_name:「始」a_b「末」,\nn:「始」%s「末」\n%s\n", start, strings.Repeat("数", 17), end)
	return []Input{
		{Name: "H1", About: "one call with a hex value", Text: vcpCall("files_write", "content", "啊"+hex)},
		{Name: "H2", About: "small valid calls, 7,000 per MB", Text: repeat(small, size)},
		{
			Name: "H3", About: "ESCAPE pairs without end",
			Text: start + "\ntool_name:「始」a_b「末」\n" + repeat("k:「始ESCAPE」v「末ESCAPE」\n", size),
		},
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

func vcpCall(tool, key, value string) string {
	return "好的。\n" + start + "\ntool_name:「始」" + tool + "「末」,\npath:「始」a.txt「末」,\n" +
		key + ":「始」" + value + "「末」\n" + end + "\n完成。\n"
}

// repeat returns repetitions of s that are together at least size bytes long.
func repeat(s string, size int) string { return strings.Repeat(s, size/len(s)+1) }

// reply returns a reply of about the given size in bytes, composed at random from a seed.
func reply(form callForm, seed uint64, size, calls int) string {
	return newDraw(seed).reply(form, size, calls)
}

// reply returns a reply of about the given size in bytes. Each call follows three quarters of its
// share of the reply, and fills the last quarter.
func (d *draw) reply(form callForm, size, calls int) string {
	var b strings.Builder
	for i := range calls {
		d.prose(&b, size*(4*i+3)/(4*calls))
		b.WriteString(form("files_write", "content", d.code(size/calls/4-150))) // the call adds about 150 bytes to its value
	}
	d.prose(&b, size)
	return b.String()
}

// draw composes parts of replies at random.
type draw struct {
	*sources
	rnd           *rand.Rand
	chineseBlocks int // how many of ten blocks are Chinese prose
}

func newDraw(seed uint64) *draw {
	return &draw{sources: load(), rnd: rand.New(rand.NewPCG(seed, 1)), chineseBlocks: 5}
}

// maxFenced limits the length of fenced code, in bytes.
const maxFenced = 1500

// prose appends random blocks until b has about the given size in bytes. On average, one of ten
// blocks is fenced code; the blocks that are neither code nor Chinese are English. The last block
// is truncated at the end of a line if it is too long.
func (d *draw) prose(b *strings.Builder, size int) {
	for b.Len() < size {
		var block string
		switch n := d.rnd.IntN(10); {
		case n < d.chineseBlocks:
			block = d.one(d.chinese)
		case n < 9:
			block = d.one(d.english)
		default:
			block = "```go\n" + atLine(d.one(d.declarations), maxFenced) + "\n```"
		}
		if room := size - b.Len(); len(block) > room+200 { // up to 200 bytes too many are allowed
			block = atLine(block, room+200)
			if strings.HasPrefix(block, "```") && !strings.HasSuffix(block, "\n```") {
				block += "\n```"
			}
		}
		b.WriteString(block)
		b.WriteString("\n\n")
	}
}

// code returns about n bytes of Go declarations, half of them with a comment in Chinese.
func (d *draw) code(n int) string {
	var b strings.Builder
	for b.Len() < n {
		if d.rnd.IntN(2) == 0 {
			b.WriteString("// " + strings.ReplaceAll(d.one(d.chinese), "\n", "\n// ") + "\n")
		}
		b.WriteString(atLine(d.one(d.declarations), max(n-b.Len(), 0)+80) + "\n\n") // up to 80 bytes too many are allowed
	}
	return strings.TrimSpace(b.String())
}

// one returns a random element of list.
func (d *draw) one(list []string) string { return list[d.rnd.IntN(len(list))] }

// atLine returns the lines of text that end within n bytes, but at least its first line.
func atLine(text string, n int) string {
	if len(text) <= n {
		return text
	}
	if end := strings.LastIndexByte(text[:n], '\n'); end > 0 {
		return text[:end]
	}
	first, _, _ := strings.Cut(text, "\n")
	return first
}

// Pieces cuts text into pieces of n characters.
func Pieces(text string, n int) [][]byte {
	var pieces [][]byte
	count, begin := 0, 0 // of the current piece
	for at := range text {
		if count == n {
			pieces = append(pieces, []byte(text[begin:at]))
			count, begin = 0, at
		}
		count++
	}
	return append(pieces, []byte(text[begin:]))
}
