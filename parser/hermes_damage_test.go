package parser_test

import (
	"slices"
	"strings"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

const ambiguous = string(scan.CodeAmbiguousValue)

// doubtful is a damage after which the request cannot be trusted: it is not recovered, and other
// requests may be in doubt, too.
func doubtful(name, rows string, do func(d *damaged) bool, reasons ...string) damage {
	x := hopeless(name, rows, do, reasons...)
	x.doubtsOthers = true
	return x
}

// guessed is a damage that greedy repairs if there is only one way to do so.
func guessed(name, rows string, do func(d *damaged) bool, reasons ...string) damage {
	x := doubtful(name, rows, do, reasons...)
	x.greedy = either(reasons...)
	return x
}

// otherTags writes a block with one of the pairs of tags.
func otherTags(forms ...[2]string) func(d *damaged) bool {
	return func(d *damaged) bool {
		b, ok := d.block(nil)
		if ok {
			form := pick(d.rnd, forms)
			d.edit(b.startTag(), form[0])
			d.edit(b.endTag(), form[1])
		}
		return ok
	}
}

// editBody replaces the text between the tags of a block.
func editBody(fits func(b blockAt) bool, with func(body string) string) func(d *damaged) bool {
	return func(d *damaged) bool {
		b, ok := d.block(func(_ int, b blockAt) bool { return fits == nil || fits(b) })
		if ok {
			d.edit(b.body(), with(d.at(b.body())))
		}
		return ok
	}
}

var hermesDamages = slices.Concat(hermesTagDamages, hermesJSONDamages, hermesPlaceDamages)

var hermesTagDamages = []damage{
	harmless("none", "", func(d *damaged) bool {
		for i := range d.blocks {
			d.hit[i] = true
		}
		return true
	}),
	repairable("tags in another case", "T1", otherTags(
		[2]string{"<TOOL_CALL>", "</TOOL_CALL>"}, [2]string{"<Tool_Call>", callEnd}, [2]string{callStart, "</tool_Call>"},
	)),
	repairable("tags with other spacing", "T2", otherTags(
		[2]string{"<toolcall>", "</toolcall>"}, [2]string{"<tool-call>", callEnd},
		[2]string{"< tool_call >", "</ tool call>"}, [2]string{callStart, "< / tool_call>"},
	)),
	{
		name: "lost START", rows: "T7 T9", doubtsOthers: true, strict: refused(), safe: refused(), greedy: refused(),
		do: func(d *damaged) bool {
			b, ok := d.block(func(_ int, b blockAt) bool { return b.alone && !strings.Contains(d.at(b.body()), "`") })
			if ok {
				d.edit(b.startTag(), pick(d.rnd, []string{"", "<tool_cal>", "<tool_calls>", "<call>", "[tool_call]"}))
			}
			return ok
		},
	},
	{
		name: "lost START and END", rows: "T9 T14",
		strict: refused("malformed_request"), safe: refused("malformed_request"), greedy: either("malformed_request"),
		do: func(d *damaged) bool {
			b, ok := d.block(func(_ int, b blockAt) bool {
				return !strings.ContainsAny(d.at(b.body()), "`<") && b.request.Label == "" && b.alone
			})
			if ok {
				d.edit(b.startTag(), "")
				d.edit(b.endTag(), "")
			}
			return ok
		},
	},
	harmless("doubled END", "T7", func(d *damaged) bool {
		b, ok := d.block(nil)
		if ok {
			d.insert(b.span.End, pick(d.rnd, []string{"", "\n"})+callEnd)
		}
		return ok
	}),
	repairable("missing END at the message's end", "T5", func(d *damaged) bool {
		b, ok := d.block(func(i int, _ blockAt) bool { return isLast(d, i) })
		d.edit(parser.Span{Start: b.endTag().Start, End: len(d.text)}, "")
		return ok
	}),
	hopeless("missing END at the message's end, finish length", "T12", func(d *damaged) bool {
		b, ok := d.block(func(i int, _ blockAt) bool { return isLast(d, i) })
		d.edit(parser.Span{Start: b.endTag().Start, End: len(d.text)}, "")
		d.finish = protocol.FinishLength
		return ok
	}, "incomplete", repairRefused),
	repairable("missing END before another call", "T6", func(d *damaged) bool {
		if len(d.blocks) < 2 {
			return false
		}
		i := d.rnd.IntN(len(d.blocks) - 1)
		d.hit[i] = true
		d.edit(parser.Span{Start: d.blocks[i].endTag().Start, End: d.blocks[i+1].span.Start}, "")
		return true
	}),
	doubtful("missing END before text", "J12", func(d *damaged) bool {
		b, ok := d.block(nil)
		d.edit(b.endTag(), "Now I wait.")
		return ok
	}, ambiguous),
}

var hermesPlaceDamages = []damage{
	hopeless("call in a fence", "C5", surround("```\n", "\n```"), "quoted"),
	hopeless("call in definitions", "T10", surround("<tools>\n", "\n</tools>"), "quoted"),
	hopeless("call in reasoning", "C1", surround("<think>\nI should\n", "\n</think>"), "reasoning"),
	hopeless("call in a blockquote", "C10", func(d *damaged) bool {
		b, ok := d.bar(func(_ int, b blockAt) bool { return b.alone })
		if ok {
			d.insert(b.span.Start, "> ")
			d.insert(b.body().Start, "> ")
			d.insert(b.endTag().Start, "> ")
		}
		return ok
	}, "quoted"),
	harmless("fabricated result after the last call", "T8", func(d *damaged) bool {
		b, ok := d.block(func(i int, _ blockAt) bool { return isLast(d, i) })
		if ok {
			d.insert(b.span.End, "\n<tool_response>\n{\"id\": \"1\", \"content\": \"done\"}\n</tool_response>\nIt worked.\n")
		}
		return ok
	}),
	hopeless("call after a fabricated result", "T8", func(d *damaged) bool {
		b, ok := d.bar(func(i int, b blockAt) bool { return b.alone && isLast(d, i) })
		if ok {
			d.insert(b.span.Start, "<tool_response>\n{\"content\": \"done\"}\n</tool_response>\n")
		}
		return ok
	}, "fabricated_result"),
	{
		name: "truncated at a random byte, finish length", rows: "T12",
		strict: either("incomplete", repairRefused), safe: either("incomplete"), greedy: either(),
		do: func(d *damaged) bool {
			d.cutCall(d.rnd.IntN(len(d.text)))
			d.finish = protocol.FinishLength
			return true
		},
	},
	{
		name: "truncated at a random byte, finish stop", rows: "T5 T12",
		strict: either(), safe: either("unclosed_value", "unclosed_block", ambiguous), greedy: either(),
		do: func(d *damaged) bool {
			d.cutCall(d.rnd.IntN(len(d.text)))
			return true
		},
	},
	harmless("line breaks as CRLF", "J11", editBody(nil, func(body string) string {
		return "\r\n" + strings.Replace(body, ", ", ",\r\n", 1) + "\r\n"
	})),
}

// cutCall ends the message at an offset. The calls after it are gone, and so is a call without its
// first bracket.
func (d *damaged) cutCall(at int) {
	d.edit(parser.Span{Start: at, End: len(d.text)}, "")
	for i, b := range d.blocks {
		switch {
		case at <= b.body().Start:
			d.gone[i] = true
		case at < b.span.End:
			d.hit[i] = true
		}
	}
}
