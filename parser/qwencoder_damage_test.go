package parser_test

import (
	"slices"
	"strings"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// parameters returns the fields of a block that are parameters.
func parameters(b blockAt) []fieldAt { return b.fields[1:] }

// ends returns the ranges of </function> and END, with the line breaks before them.
func (b blockAt) ends() (function, end parser.Span) {
	end = parser.Span{Start: b.endTag().Start - 1, End: b.span.End}
	return parser.Span{Start: end.Start - len(functionEnd), End: end.Start}, end
}

func hasLineBreak(f fieldAt) bool { return strings.ContainsAny(f.value, "\r\n") }

// hasNoMarks reports whether no value of the block contains what may be a mark.
func hasNoMarks(b blockAt) bool {
	return !slices.ContainsFunc(b.fields, func(f fieldAt) bool { return strings.ContainsAny(f.value, "<&") })
}

// rewrite replaces a part of the tags of a block.
func rewrite(old, with string) func(d *damaged) bool {
	return func(d *damaged) bool {
		b, ok := d.block(func(_ int, b blockAt) bool { return hasNoMarks(b) && strings.Contains(d.at(b.span), old) })
		if ok {
			d.edit(b.span, strings.ReplaceAll(d.at(b.span), old, with))
		}
		return ok
	}
}

var qwencoderDamages = slices.Concat(qwencoderTagDamages, qwencoderValueDamages, qwencoderOtherDamages)

// qwencoderTagDamages are damages of the tags around parameters.
var qwencoderTagDamages = []damage{
	harmless("none", "", func(d *damaged) bool {
		for i := range d.blocks {
			d.hit[i] = true
		}
		return true
	}),
	repairable("tags in another case", "Q1", otherTags(
		[2]string{"<TOOL_CALL>", "</TOOL_CALL>"}, [2]string{"<Tool_Call>", callEnd}, [2]string{callStart, "</tool_Call>"},
	)),
	repairable("inner tags in another case", "Q1", rewrite("function", "Function")),
	repairable("tags with other spacing", "Q2", otherTags(
		[2]string{"<toolcall>", "</toolcall>"}, [2]string{"<tool-call>", callEnd}, [2]string{"< tool_call >", "</ tool call>"},
	)),
	repairable("inner tags with other spacing", "Q2", rewrite("<parameter=", "< parameter = ")),
	repairable("names in quotation marks", "Q3", func(d *damaged) bool {
		b, ok := d.block(nil)
		if ok {
			d.edit(b.fields[0].opener, `<function="`+b.request.ToolName+`">`)
		}
		return ok
	}),
	repairable("parameters with a type", "Q3", func(d *damaged) bool {
		_, f, ok := d.argument(func(blockAt, fieldAt) bool { return true })
		if ok {
			d.edit(f.opener, strings.Replace(d.at(f.opener), ">", ` type="string">`, 1))
		}
		return ok
	}),
	harmless("no line breaks between the tags", "Q4 P2", func(d *damaged) bool {
		b, ok := d.block(func(_ int, b blockAt) bool {
			return hasNoMarks(b) && !slices.ContainsFunc(b.fields, hasLineBreak)
		})
		if ok {
			d.edit(b.span, strings.ReplaceAll(d.at(b.span), "\n", ""))
		}
		return ok
	}),
	harmless("line breaks as CRLF", "P3", func(d *damaged) bool {
		b, ok := d.block(func(_ int, b blockAt) bool {
			return !slices.ContainsFunc(b.fields, hasLineBreak)
		})
		if ok {
			d.edit(b.span, strings.ReplaceAll(d.at(b.span), "\n", "\r\n"))
		}
		return ok
	}),
	repairable("lost START", "Q7", func(d *damaged) bool {
		b, ok := d.block(func(_ int, b blockAt) bool { return b.alone })
		if !ok {
			return false
		}
		d.edit(parser.Span{Start: b.span.Start, End: b.fields[0].opener.Start}, "")
		return true
	}),
	{
		name: "lost START and END, at the message's end", rows: "Q8",
		strict: refused("unclosed_block"), safe: refused("unclosed_block"), greedy: recovered,
		do: func(d *damaged) bool {
			b, ok := d.block(func(i int, b blockAt) bool { return b.alone && isLast(d, i) })
			if !ok {
				return false
			}
			_, end := b.ends()
			d.edit(parser.Span{Start: b.span.Start, End: b.fields[0].opener.Start}, "")
			d.edit(parser.Span{Start: end.Start, End: len(d.text)}, "")
			return true
		},
	},
	doubtful("lost START and END, before text", "Q8 Q16", func(d *damaged) bool {
		b, ok := d.block(func(_ int, b blockAt) bool { return b.alone })
		if !ok {
			return false
		}
		_, end := b.ends()
		d.edit(parser.Span{Start: b.span.Start, End: b.fields[0].opener.Start}, "")
		d.edit(end, "\nNow I wait.")
		return true
	}, ambiguous),
	repairable("missing END at the message's end", "Q9", func(d *damaged) bool {
		b, ok := d.block(func(i int, _ blockAt) bool { return isLast(d, i) })
		if !ok {
			return false
		}
		_, end := b.ends()
		d.edit(parser.Span{Start: end.Start, End: len(d.text)}, "")
		return true
	}),
	hopeless("missing END at the message's end, finish length", "Q17", func(d *damaged) bool {
		b, ok := d.block(func(i int, _ blockAt) bool { return isLast(d, i) })
		if !ok {
			return false
		}
		_, end := b.ends()
		d.edit(parser.Span{Start: end.Start, End: len(d.text)}, "")
		d.finish = protocol.FinishLength
		return true
	}, "incomplete"),
	repairable("missing END before another call", "Q10", func(d *damaged) bool {
		if len(d.blocks) < 2 {
			return false
		}
		i := d.rnd.IntN(len(d.blocks) - 1)
		d.hit[i] = true
		_, end := d.blocks[i].ends()
		d.edit(parser.Span{Start: end.Start, End: d.blocks[i+1].span.Start}, "\n")
		return true
	}),
	doubtful("missing END before text", "Q16", func(d *damaged) bool {
		b, ok := d.block(nil)
		if !ok {
			return false
		}
		_, end := b.ends()
		d.edit(end, "\nNow I wait.")
		return true
	}, ambiguous),
	harmless("doubled END", "Q13", func(d *damaged) bool {
		b, ok := d.block(nil)
		if !ok {
			return false
		}
		d.insert(b.span.End, pick(d.rnd, []string{"", "\n"})+callEnd)
		return true
	}),
	repairable("missing </function>", "Q11", func(d *damaged) bool {
		b, ok := d.block(nil)
		if !ok {
			return false
		}
		function, _ := b.ends()
		d.edit(function, "")
		return true
	}),
	{
		name: "missing </function> and END before another call", rows: "Q8 Q10",
		strict: refused("unclosed_block"), safe: refused("unclosed_block"), greedy: either("unclosed_block"),
		do: func(d *damaged) bool {
			if len(d.blocks) < 2 {
				return false
			}
			i := d.rnd.IntN(len(d.blocks) - 1)
			d.hit[i] = true
			function, _ := d.blocks[i].ends()
			d.edit(parser.Span{Start: function.Start, End: d.blocks[i+1].span.Start}, "\n")
			return true
		},
	},
	repairable("several functions in one call", "Q12", func(d *damaged) bool {
		if len(d.blocks) < 2 {
			return false
		}
		i := d.rnd.IntN(len(d.blocks) - 1)
		d.hit[i], d.hit[i+1] = true, true
		_, end := d.blocks[i].ends()
		d.edit(parser.Span{Start: end.Start, End: d.blocks[i+1].fields[0].opener.Start}, "\n")
		return true
	}),
	doubtful("missing tag of the function", "Q18 Q16", func(d *damaged) bool {
		b, ok := d.block(func(_ int, b blockAt) bool { return len(parameters(b)) > 0 })
		if !ok {
			return false
		}
		d.edit(b.fields[0].opener, "")
		return true
	}),
	hopeless("a function without a name", "Q18", func(d *damaged) bool {
		b, ok := d.block(nil)
		if !ok {
			return false
		}
		d.edit(b.fields[0].opener, "<function=>")
		return true
	}, "missing_tool_name"),
}

var qwencoderOtherDamages = []damage{
	doubtful("another form", "Q6 Q16", func(d *damaged) bool {
		b, ok := d.block(nil)
		if !ok {
			return false
		}
		d.edit(b.body(), pick(d.rnd, []string{
			`{"name": "a_b", "arguments": {"x": 1}}`, `[{"name": "a_b"}]`,
			"<invoke name=\"a_b\">\n<parameter name=\"x\">1</parameter>\n</invoke>", "<a_b>\n<x>1</x>\n</a_b>",
		}))
		return true
	}, ambiguous),
	hopeless("call in a fence", "C5", surround("```xml\n", "\n```"), "quoted"),
	hopeless("call in definitions", "Q15", surround("<tools>\n", "\n</tools>"), "quoted"),
	hopeless("call in reasoning", "C1", surround("<think>\nI should\n", "\n</think>"), "reasoning"),
	harmless("fabricated result after the last call", "Q14", func(d *damaged) bool {
		b, ok := d.block(func(i int, _ blockAt) bool { return isLast(d, i) })
		if !ok {
			return false
		}
		d.insert(b.span.End, "\n<tool_response>\n18 degrees\n</tool_response>\nIt worked.\n")
		return true
	}),
	hopeless("call after a fabricated result", "Q14", func(d *damaged) bool {
		b, ok := d.bar(func(i int, b blockAt) bool { return b.alone && isLast(d, i) })
		if !ok {
			return false
		}
		d.insert(b.span.Start, "<tool_response>\ndone\n</tool_response>\n")
		return true
	}, "fabricated_result"),
	{
		name: "truncated at a random byte, finish length", rows: "Q17",
		strict: either("incomplete"), safe: either("incomplete"), greedy: either(),
		do: func(d *damaged) bool {
			d.cutCall(d.rnd.IntN(len(d.text)))
			d.finish = protocol.FinishLength
			return true
		},
	},
	{
		name: "truncated at a random byte, finish stop", rows: "Q9 Q17",
		strict: either(), safe: either("unclosed_value", "unclosed_block"), greedy: either(),
		do: func(d *damaged) bool {
			d.cutCall(d.rnd.IntN(len(d.text)))
			return true
		},
	},
}
