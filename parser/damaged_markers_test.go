package parser_test

import (
	"regexp"
	"slices"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

const repairRefused = string(scan.CodeRepairRefused)

// repairable is a damage that a repair of level safe undoes: strict refuses the request, and the
// other levels recover it.
func repairable(name, rows string, do func(d *damaged) bool) damage {
	return damage{name: name, rows: rows, strict: refused(repairRefused), safe: recovered, greedy: recovered, do: do}
}

// harmless is a damage that changes nothing: the requests are read at every level.
func harmless(name, rows string, do func(d *damaged) bool) damage {
	return damage{name: name, rows: rows, strict: recovered, safe: recovered, greedy: recovered, do: do}
}

// hopeless is a damage that no level may repair.
func hopeless(name, rows string, do func(d *damaged) bool, reasons ...string) damage {
	out := refused(reasons...)
	return damage{name: name, rows: rows, strict: out, safe: out, greedy: out, do: do}
}

var vcpDamages = slices.Concat(markerDamages, fieldDamages, valueDamages, placeDamages)

// markers replaces START and END of a block by one of the pairs.
func markers(forms ...[2]string) func(d *damaged) bool {
	return func(d *damaged) bool {
		b, ok := d.block(nil)
		if ok {
			form := pick(d.rnd, forms)
			d.replace(b, form[0], form[1])
		}
		return ok
	}
}

func isLast(d *damaged, i int) bool { return i == len(d.blocks)-1 }

var anyMarker = regexp.MustCompile(`(?i)TOOL[\\_ -]+RE`)

// containsMarker reports whether a value of the block contains the marker of a request or a result,
// in one of several spellings.
func containsMarker(b blockAt) bool {
	return slices.ContainsFunc(b.fields, func(f fieldAt) bool { return anyMarker.MatchString(f.value) })
}

// containsBlock reports whether one value of the block is a block, and all others contain no marks.
func containsBlock(d *damaged, b blockAt) bool {
	isBlock := func(f fieldAt) bool { return f.value == quotedBlock }
	rest := slices.DeleteFunc(slices.Clone(b.fields), isBlock)
	return len(rest) == len(b.fields)-1 && d.noMarksIn(blockAt{fields: rest})
}

// bare chooses blocks that may be read without their markers: START is alone on its line, and no
// value contains marks.
func bare(d *damaged) func(i int, b blockAt) bool {
	return func(_ int, b blockAt) bool { return b.alone && d.noMarksIn(b) }
}

var markerDamages = []damage{
	harmless("none", "", func(d *damaged) bool {
		for i := range d.blocks {
			d.hit[i] = true
		}
		return true
	}),
	repairable("markers in another case", "B1", markers(
		[2]string{"<<<[tool_request]>>>", "<<<[end_tool_request]>>>"}, [2]string{"<<<[Tool_Request]>>>", endMarker},
		[2]string{startMarker, "<<<[End_Tool_Request]>>>"},
	)),
	repairable("markers with other brackets", "B2", markers(
		[2]string{"<<[TOOL_REQUEST]>>", "<<[END_TOOL_REQUEST]>>"}, [2]string{"<<<<[TOOL_REQUEST]>>>", endMarker},
		[2]string{"＜＜＜[TOOL_REQUEST]＞＞＞", "＜＜＜[END_TOOL_REQUEST]＞＞＞"}, [2]string{"《《《【TOOL_REQUEST】》》》", "《《《【END_TOOL_REQUEST】》》》"},
		[2]string{"<<<【TOOL_REQUEST】>>>", "<<<【END_TOOL_REQUEST】>>>"}, [2]string{"<<<TOOL_REQUEST>>>", "<<<END_TOOL_REQUEST>>>"},
		[2]string{startMarker, "<<<［END_TOOL_REQUEST］>>>>>>"}, [2]string{"<<<[TOOL_REQUEST]>>", endMarker},
	)),
	repairable("markers with other spacing", "B3", markers(
		[2]string{"<<<[TOOL REQUEST]>>>", "<<<[END TOOL REQUEST]>>>"}, [2]string{"<<<[TOOL-REQUEST]>>>", "<<<[END-TOOL-REQUEST]>>>"},
		[2]string{"<<< [TOOL_REQUEST] >>>", "<<< [ END_TOOL_REQUEST ] >>>"}, [2]string{startMarker, "<<<[END_TOOL REQUEST]>>>"},
	)),
	repairable("END with a slash", "B4", markers([2]string{startMarker, "<<<[/TOOL_REQUEST]>>>"})),
	repairable("markers damaged in several ways", "B1 B2 B3 B4", markers(
		[2]string{"<< tool request >>", "<< /tool request >>"}, [2]string{"《《【Tool-Request】》》", "《《【/tool-request】》》"},
	)),
	{
		name: "markers escaped as HTML", rows: "B5",
		strict: refused("malformed_request"), safe: refused("malformed_request"), greedy: recovered,
		do: escaped("&lt;&lt;&lt;[TOOL_REQUEST]&gt;&gt;&gt;", "&lt;&lt;&lt;[END_TOOL_REQUEST]&gt;&gt;&gt;"),
	},
	{
		name: "markers escaped with backslashes", rows: "B5",
		strict: refused("malformed_request"), safe: refused("malformed_request"), greedy: recovered,
		do: escaped(`\<\<\<[TOOL\_REQUEST]\>\>\>`, `\<\<\<[END\_TOOL\_REQUEST]\>\>\>`),
	},
	{
		name: "misspelled START", rows: "B6 B12",
		strict: refused("malformed_request"), safe: refused("malformed_request"),
		greedy: either("malformed_request"),
		do: func(d *damaged) bool {
			b, ok := d.block(bare(d))
			if ok {
				d.edit(b.start(), pick(d.rnd, []string{
					"<<<[TOOL_REQEUST]>>>", "<<<[TOOL_REQUESTS]>>>", "<<<[工具请求]>>>", "<<<[TOOL_REQUEST",
					"<[TOOL_REQUEST]>", "<<<[TOOL_REQUEST_ESCAPE]>>>",
				}))
			}
			return ok
		},
	},
	{
		name: "lost START", rows: "B12",
		strict: refused("malformed_request"), safe: refused("malformed_request"), greedy: recovered,
		do: func(d *damaged) bool {
			b, ok := d.block(bare(d))
			if ok {
				d.edit(b.start(), "")
			}
			return ok
		},
	},
	{
		name: "lost START, values that contain marks", rows: "B12 V15",
		strict: either(), safe: either(), greedy: either(), doubtsOthers: true,
		do: lostStart(func(d *damaged, b blockAt) bool { return !d.noMarksIn(b) }),
	},
	{
		name: "lost START, a value that contains a block", rows: "B12 V15",
		strict: refused(), safe: refused(), greedy: either(), doubtsOthers: true,
		do: lostStart(containsBlock),
	},
	{
		name: "START and END lost", rows: "B12",
		strict: refused("malformed_request"), safe: refused("malformed_request"), greedy: recovered,
		do: func(d *damaged) bool {
			b, ok := d.block(bare(d))
			if ok {
				d.replace(b, "", "")
			}
			return ok
		},
	},
	repairable("doubled START", "B8", func(d *damaged) bool {
		b, ok := d.block(nil)
		if ok {
			d.insert(b.span.Start, startMarker+pick(d.rnd, []string{"", "\n", " \n\n"}))
		}
		return ok
	}),
	harmless("doubled END", "B6", func(d *damaged) bool {
		b, ok := d.block(nil)
		if ok {
			d.insert(b.span.End, pick(d.rnd, []string{"", "\n"})+endMarker)
		}
		return ok
	}),
	repairable("missing END of the last block", "B9", func(d *damaged) bool {
		b, ok := d.block(func(i int, b blockAt) bool { return isLast(d, i) && !containsMarker(b) })
		if ok {
			d.edit(b.end(), pick(d.rnd, []string{"", "<<<[END_TOOL_REQEUST]>>>", "<<<[END_TOOL_REQUEST"}))
		}
		return ok
	}),
	{
		name: "missing END of the last block, values that contain marks", rows: "B9 B10",
		strict: refused(repairRefused, "unclosed_block"), safe: either("unclosed_block"), greedy: either("unclosed_block"),
		do: func(d *damaged) bool {
			b, ok := d.block(func(i int, b blockAt) bool { return isLast(d, i) && !d.noMarksIn(b) })
			if ok {
				d.edit(b.end(), "")
			}
			return ok
		},
	},
	{
		name: "missing END before another block", rows: "B11",
		strict: refused("unclosed_block"), safe: refused("unclosed_block"), greedy: recovered,
		do: func(d *damaged) bool {
			b, ok := d.block(func(i int, _ blockAt) bool { return !isLast(d, i) })
			if ok {
				d.edit(b.end(), pick(d.rnd, []string{"", "<<<[END_TOOL_REQEUST]>>>"}))
			}
			return ok
		},
	},
	hopeless("missing END of the last block, finish length", "B10", func(d *damaged) bool {
		b, ok := d.block(func(i int, _ blockAt) bool { return isLast(d, i) })
		if ok {
			d.edit(b.end(), "")
			d.finish = protocol.FinishLength
		}
		return ok
	}, "incomplete"),
	harmless("markers in bold", "", func(d *damaged) bool {
		b, ok := d.block(nil)
		if ok {
			d.replace(b, "**"+startMarker+"**", "**"+endMarker+"**")
		}
		return ok
	}),
	{
		name: "each marker in backticks", rows: "C9",
		strict: refused("malformed_request"), safe: refused("malformed_request"), greedy: either(),
		do: func(d *damaged) bool {
			b, ok := d.block(bare(d))
			if ok {
				d.replace(b, "`"+startMarker+"`", "`"+endMarker+"`")
			}
			return ok
		},
	},
}

// lostStart removes or damages START of a block that fits.
func lostStart(fits func(d *damaged, b blockAt) bool) func(d *damaged) bool {
	return func(d *damaged) bool {
		b, ok := d.block(func(_ int, b blockAt) bool { return fits(d, b) })
		if ok {
			d.edit(b.start(), pick(d.rnd, []string{"", "<<<[TOOL_REQEUST]>>>", "&lt;&lt;&lt;[TOOL_REQUEST]&gt;&gt;&gt;"}))
		}
		return ok
	}
}

// escaped replaces START and END of a block by escaped ones.
func escaped(start, end string) func(d *damaged) bool {
	return func(d *damaged) bool {
		b, ok := d.block(bare(d))
		if ok {
			d.replace(b, start, end)
		}
		return ok
	}
}
