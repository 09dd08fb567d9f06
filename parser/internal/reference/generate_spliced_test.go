package reference_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"

	"github.com/vcpgo/vcp/internal/golden"
)

// maxSpliced limits the inputs of cases that are spliced, in bytes: long ones take too much time.
const maxSpliced = 2 << 10

// token matches a piece of an input: a marker, a tag, the marks of a value, a word, or one
// character.
var token = regexp.MustCompile(`(?s)<+[^<>\n]{0,40}>+|「[^「」\n]{0,20}」|[\pL\pN_]+|.`)

// splices draws parts of cases of a corpus, one after the other, so that each spelling in the
// corpus comes into other surroundings. A third of the parts are put into a quotation or the like,
// and half of the inputs are damaged. Bytes that are not UTF-8 are replaced: the JSON of a reply
// cannot show them.
func splices(dir string) func(*rand.Rand) []string {
	inputs := sync.OnceValue(func() (list [][]string) {
		cases, err := golden.Load("../../../testdata/" + dir)
		if err != nil {
			panic(err)
		}
		for _, c := range cases {
			if len(c.Input) <= maxSpliced {
				list = append(list, token.FindAllString(strings.ToValidUTF8(c.Input, "\ufffd"), -1))
			}
		}
		return list
	})
	return func(r *rand.Rand) []string {
		all := inputs()
		var pieces []string
		for range 1 + r.IntN(3) {
			input := all[r.IntN(len(all))]
			from, to := 0, len(input)
			if r.IntN(2) == 0 {
				from = r.IntN(to + 1)
			}
			if r.IntN(2) == 0 {
				to = from + r.IntN(to-from+1)
			}
			part := input[from:to]
			if r.IntN(3) == 0 {
				part = surround(r, part)
			}
			pieces = append(pieces, part...)
			if r.IntN(3) == 0 {
				pieces = append(pieces, "\n")
			}
		}
		if len(pieces) > 0 && r.IntN(2) == 0 {
			return damage(r, pieces)
		}
		return pieces
	}
}

// lineBeginnings are the pairs that surround chooses from: the text before the first line, and the
// text before each other line.
var lineBeginnings = [][2]string{
	{"> ", "> "},
	{">", ">"},
	{"> ", ""},
	{"- ", "  "},
	{"- ", ""},
	{"1. ", "   "},
	{"* > ", "  > "},
	{"    ", "    "},
	{"\t", "\t"},
	{"  ", "  "},
	{"```\n", ""},
	{"~~~ json\n", ""},
	{"`", ""},
	{"<think>", ""},
	{"</think>", ""},
}

// surround puts the lines of an input into a quotation, a list item, code or reasoning, and may
// give them other line breaks.
func surround(r *rand.Rand, pieces []string) (out []string) {
	begin := lineBeginnings[r.IntN(len(lineBeginnings))]
	lineBreak := []string{"\n", "\n", "\n", "\r\n", "\r"}[r.IntN(5)]
	out = append(out, begin[0])
	for _, p := range pieces {
		if p == "\n" {
			out = append(out, lineBreak, begin[1])
			continue
		}
		out = append(out, p)
	}
	return out
}
