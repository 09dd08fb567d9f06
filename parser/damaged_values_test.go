package parser_test

import (
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// lastPlain chooses a block whose last value is plain and contains nothing that row V9 of
// docs/dialect.md refuses.
func lastPlain(d *damaged, fits func(i int, b blockAt) bool) (blockAt, fieldAt, bool) {
	b, ok := d.block(func(i int, b blockAt) bool {
		f := b.fields[len(b.fields)-1]
		return d.plain(f) && !strings.ContainsAny(d.raw(f), "「」末終,;，；") && fits(i, b)
	})
	if !ok {
		return b, fieldAt{}, false
	}
	return b, b.fields[len(b.fields)-1], true
}

// hasOneBlock reports whether the message names TOOL_REQUEST twice: in one START and one END.
func hasOneBlock(d *damaged) bool { return strings.Count(strings.ToUpper(d.text), "TOOL_REQUEST") == 2 }

// otherBrackets writes the plain values of a block with other brackets.
func otherBrackets(forms ...[2]string) func(d *damaged) bool {
	return func(d *damaged) bool {
		b, ok := d.block(nil)
		form := pick(d.rnd, forms)
		for _, f := range b.fields {
			if d.plain(f) {
				d.edit(f.opener, form[0])
				d.edit(f.closer, form[1])
			}
		}
		return ok
	}
}

var valueDamages = []damage{
	repairable("other brackets around values", "V5 V6", otherBrackets(
		[2]string{"『始』", "『末』"}, [2]string{"【始】", "【末】"}, [2]string{"｢始｣", "｢末｣"}, [2]string{"{始}", "{末}"}, [2]string{"「 始 」", "「 末 」"},
		[2]string{"「始exp」", "「末exp」"}, [2]string{"「始 」", "「末」"},
	)),
	harmless("ESCAPE in another case", "V3 V4", func(d *damaged) bool {
		b, i, ok := d.field(func(b blockAt, i int) bool { return !d.plain(b.fields[i]) })
		if ok {
			f := b.fields[i]
			d.edit(f.opener, strings.Replace(d.at(f.opener), "ESCAPE", pick(d.rnd, []string{"escape", "Escape"}), 1))
		}
		return ok
	}),
	repairable("last closer lost, in the only block", "V9", func(d *damaged) bool {
		_, f, ok := lastPlain(d, func(int, blockAt) bool { return hasOneBlock(d) })
		if ok {
			d.edit(f.closer, "")
		}
		return ok
	}),
	{
		name: "last closer lost, only blocks before it", rows: "V9 V9a",
		strict: refused(repairRefused, "unclosed_value"),
		safe:   either("unclosed_value"), greedy: either("unclosed_value"),
		do: func(d *damaged) bool {
			_, f, ok := lastPlain(d, func(i int, _ blockAt) bool { return i > 0 && isLast(d, i) })
			if ok {
				d.edit(f.closer, "")
			}
			return ok
		},
	},
	{
		name: "last closer lost, a block after it", rows: "V9 V9a V11", doubtsOthers: true,
		strict: refused("ambiguous_value"), safe: refused("ambiguous_value"), greedy: either("ambiguous_value"),
		do: func(d *damaged) bool {
			_, f, ok := lastPlain(d, func(i int, _ blockAt) bool { return !isLast(d, i) })
			if ok {
				d.edit(f.closer, "")
			}
			return ok
		},
	},
	{
		name: "last closer lost, finish length", rows: "V9a", doubtsOthers: true,
		strict: refused("incomplete", "ambiguous_value"), safe: refused("incomplete", "ambiguous_value"), greedy: either(),
		do: func(d *damaged) bool {
			_, f, ok := lastPlain(d, func(i int, _ blockAt) bool { return isLast(d, i) })
			if ok {
				d.edit(f.closer, "")
				d.finish = protocol.FinishLength
			}
			return ok
		},
	},
	{
		name: "closer lost before another field", rows: "V11", doubtsOthers: true,
		strict: refused("ambiguous_value"), safe: refused("ambiguous_value"), greedy: either(),
		do: func(d *damaged) bool {
			b, i, ok := d.field(func(b blockAt, i int) bool { return i < len(b.fields)-1 && d.noMarksIn(b) })
			if ok {
				d.edit(b.fields[i].closer, "")
			}
			return ok
		},
	},
	{
		name: "half a closer", rows: "V7 V11", doubtsOthers: true,
		strict: refused("ambiguous_value"), safe: refused("ambiguous_value"), greedy: either(),
		do: func(d *damaged) bool {
			b, i, ok := d.field(func(b blockAt, i int) bool { return i < len(b.fields)-1 && d.noMarksIn(b) })
			if ok {
				d.edit(b.fields[i].closer, "「末")
			}
			return ok
		},
	},
	{
		name: "closer of an ESCAPE value lost or misspelled", rows: "V11 V13", doubtsOthers: true,
		strict: refused(), safe: refused(), greedy: either(),
		do: func(d *damaged) bool {
			b, i, ok := d.field(func(b blockAt, i int) bool {
				f := b.fields[i]
				return !d.plain(f) && !strings.Contains(d.text[f.opener.End:f.closer.Start], d.at(f.closer))
			})
			if ok {
				d.edit(b.fields[i].closer, pick(d.rnd, []string{"", "「末」", "「末ESCAPE:x」", "「/始ESCAPE」"}))
			}
			return ok
		},
	},
	{
		// A value whose text has a lone </think> becomes text without its opener (C3).
		name: "lost opener", rows: "V15 C3", doubtsOthers: true,
		strict: refused("stray_closer", "reasoning"), safe: refused("stray_closer", "reasoning"),
		greedy: refused("stray_closer", "reasoning"),
		do: func(d *damaged) bool {
			b, i, ok := d.field(func(b blockAt, i int) bool { return d.plain(b.fields[i]) && len(b.fields) > 1 })
			if ok {
				d.edit(b.fields[i].opener, "")
			}
			return ok
		},
	},
	{
		name: "lost opener of an ESCAPE value", rows: "V15", doubtsOthers: true,
		strict: refused(), safe: refused(), greedy: either(),
		do: lostEscapeOpener(func(*damaged, blockAt) bool { return true }),
	},
	{
		name: "lost opener of a value that is a block", rows: "V15", doubtsOthers: true,
		strict: refused(), safe: refused(), greedy: either(),
		do: lostEscapeOpener(containsBlock),
	},
	{
		name: "a closer inside a plain value", rows: "V15", doubtsOthers: true,
		strict: refused("stray_closer"), safe: refused("stray_closer"), greedy: refused("stray_closer"),
		do: func(d *damaged) bool {
			b, i, ok := d.field(func(b blockAt, _ int) bool { return d.noMarksIn(b) })
			if ok {
				d.insert(b.fields[i].opener.End, pick(d.rnd, []string{"", "x", "写「末」结束："})+"「末」")
			}
			return ok
		},
	},
	{
		name: "doubled closer", rows: "V15", doubtsOthers: true,
		strict: refused("stray_closer"), safe: refused("stray_closer"), greedy: refused("stray_closer"),
		do: func(d *damaged) bool {
			b, i, ok := d.field(func(_ blockAt, _ int) bool { return true })
			if ok {
				f := b.fields[i]
				d.insert(f.closer.End, d.at(f.closer))
			}
			return ok
		},
	},
	{
		name: "another text in place of a closer", rows: "V9a V11 V15", doubtsOthers: true,
		strict: refused(), safe: refused(), greedy: either(),
		do: func(d *damaged) bool {
			b, i, ok := d.field(func(b blockAt, i int) bool { return d.noMarksIn(b) })
			if ok {
				d.edit(b.fields[i].closer, pick(d.rnd, []string{"『末』", "{末}", "「末ESCAPE」", "「末尾」", "「始」"}))
			}
			return ok
		},
	},
	hopeless("a tag that V4 does not allow", "V16", func(d *damaged) bool {
		b, i, ok := d.field(func(b blockAt, i int) bool { return d.plain(b.fields[i]) })
		if ok {
			d.edit(b.fields[i].opener, "「始ESCAPE:网页」")
			d.edit(b.fields[i].closer, "「末ESCAPE:网页」")
		}
		return ok
	}, "bad_tag"),
}

// lostEscapeOpener deletes the opener of an ESCAPE value in a block that fits.
func lostEscapeOpener(fits func(d *damaged, b blockAt) bool) func(d *damaged) bool {
	return func(d *damaged) bool {
		b, i, ok := d.field(func(b blockAt, i int) bool { return !d.plain(b.fields[i]) && fits(d, b) })
		if ok {
			d.edit(b.fields[i].opener, "")
		}
		return ok
	}
}
