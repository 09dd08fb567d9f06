package parser_test

import (
	"math/rand/v2"
	"strings"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol/scan"
)

var vcpPieces = []string{
	"<<<[TOOL_REQUEST]>>>", "<<<[END_TOOL_REQUEST]>>>", "<<<[TOOL_RESULT]>>>", "<<<[END_TOOL_RESULT]>>>",
	"<<<[TOOL_DEFINITION]>>>", "<<<[END_TOOL_DEFINITION]>>>", "<<<[tool_request]>>>", "<<[TOOL REQUEST]>>>>",
	"《《【END-TOOL_REQUEST】》》", "<<<[/TOOL_REQUEST]>>>", "<<<[TOOL_REQUEST_ESCAPE]>>>",
	"<<<[END_TOOL_REQUEST_ESCAPE]>>>", "tool_name:「始」a_b「末」", "city:「始」北京「末」,", "x", " ", "\n", "\r\n", "\r",
	"tool_name", "key", ":", "：", "=", "**", "`", "```", "~~~", "> ", "- ", "「始」", "「末」", "「始ESCAPE」",
	"「末ESCAPE」", "「始ESCAPE:t」", "「末ESCAPE:t」", "「始exp」", "{始}", "{末}", "「 始 」", "「 末 」", "「末,", "「末", "「", "『",
	"<think>", "</think>", "<reasoning>", "</reasoning >", "\u3000", "日本", "dry_run: true", "// ", "# ", "{",
	"<", ">", "\x00", "\xff", "\xe3", "😀", "\u200d", "tool_name:「始」a_b「末」\n",
	"<<<[TOOL_REQUEST]>>>\ntool_name:「始」a_b「末」\n", "<<<[TOOL_REQUEST]>>>\ntool_name:「始」a_b「末」\nv:「始」",
	"\n<<<[END_TOOL_REQUEST]>>>\n", "\n<<<[TOOL_RESULT]>>>\n", strings.Repeat(" ", 60), strings.Repeat("*", 50),
}

// wholeLines returns lines and groups of lines, with their line breaks, because code, quotations
// and requests depend on whole lines.
func wholeLines(call string) []string {
	return []string{
		call + "\n", call + "\n", call + "\r\n", "> " + strings.ReplaceAll(call, "\n", "\n> ") + "\n",
		"```\n" + call + "\n```\n", "```\n", "```\n", "```vcp\n", "~~~\n", "````\n", "> ```\n", "- ```\n", "  ```\n",
		"\n", "  \n", "\r\n", "Words.\n", " words\n", "> words\n", "- words\n", "a `span` \n", "`open\n", "<think>\n",
		"</think>\n", "<think>words</think>\n", "a < b\n", "# words\n", "---\n", "words\r", "字\n", "　字\n",
	}
}

func drawInput(rnd *rand.Rand) string { return drawFrom(rnd, vcpPieces) }

// drawFrom draws a reply that is made of pieces.
func drawFrom(rnd *rand.Rand, pieces []string) string {
	var b strings.Builder
	for range rnd.IntN(14) {
		b.WriteString(pieces[rnd.IntN(len(pieces))])
	}
	return b.String()
}

func drawOptions(rnd *rand.Rand) parser.Options {
	return parser.Options{
		Tolerance:    scan.Tolerance(rnd.IntN(3)),
		Quoted:       parser.QuotedPolicy(rnd.IntN(3)),
		Reasoning:    parser.ReasoningPolicy(rnd.IntN(3)),
		Finish:       finishes[rnd.IntN(3)],
		StopAtResult: rnd.IntN(4) == 0,
	}
}

// drawLimits draws limits; about half of them are the defaults. The limit on the size of a block is
// a multiple of blockUnit. If blockUnit is 1, even short replies exceed it.
func drawLimits(rnd *rand.Rand, blockUnit int) parser.Limits {
	l := parser.Limits{
		BlockBytes: blockUnit * (1 + rnd.IntN(200)), Blocks: 1 + rnd.IntN(4),
		Fields: 1 + rnd.IntN(4), KeyBytes: 1 + rnd.IntN(12),
	}
	for _, limit := range []*int{&l.BlockBytes, &l.Blocks, &l.Fields, &l.KeyBytes} {
		if rnd.IntN(2) == 0 {
			*limit = 0
		}
	}
	return l
}

// drawLong draws a reply of a few repeated pieces, of up to about 20 KB.
func drawLong(rnd *rand.Rand, pieces []string) string {
	var b strings.Builder
	for range 1 + rnd.IntN(3) {
		b.WriteString(drawFrom(rnd, pieces))
		unit := ""
		for range 1 + rnd.IntN(3) {
			unit += pick(rnd, pieces)
		}
		b.WriteString(strings.Repeat(unit, 1+rnd.IntN(6000)/len(unit)))
	}
	b.WriteString(drawFrom(rnd, pieces))
	return b.String()
}

// drawLimited sets drawn limits for some of the inputs of a fuzzer, and reports whether it did.
func drawLimited(random uint64, o *parser.Options) bool {
	rnd := rand.New(rand.NewPCG(random, 1))
	if rnd.IntN(3) > 0 {
		return false
	}
	o.Limits = drawLimits(rnd, pick(rnd, []int{1, 20}))
	return true
}
