package parser_test

import (
	"encoding/json"
	"strings"

	"github.com/vcpgo/vcp/parser"
)

var fieldDamages = []damage{
	repairable("full-width colon, equals sign or no separator", "F2", func(d *damaged) bool {
		b, ok := d.block(nil)
		for _, f := range b.fields {
			d.edit(f.separator(), pick(d.rnd, []string{"：", " ： ", "=", " = ", "＝", ""}))
		}
		return ok
	}),
	harmless("blanks and line breaks beside the colon", "section 2", func(d *damaged) bool {
		b, ok := d.block(nil)
		for _, f := range b.fields {
			d.edit(f.separator(), pick(d.rnd, []string{" :", ": ", " : ", "\u3000:\u3000", ":\n", ":\t"}))
		}
		return ok
	}),
	harmless("other commas, or no comma", "F1", betweenFields(
		"\n", "，\n", "、\n", ";\n", " ", "", ", ", ",\r\n", ",\n\n",
	)),
	harmless("prose between fields", "F12", betweenFields(
		",\n然后是参数：\n", "\nNow the next one.\n", ",\nNote: see above\n", "\n- \n", "\n---\n",
	)),
	harmless("fences between fields", "C8", betweenFields("\n```\n", "\n```json\n", "\n~~~\n")),
	harmless("bullets, blockquote marks and indents before keys", "F3 C11", beforeKeys(
		"- ", "* ", "> ", "1. ", "    ", "\t- ", "• ",
	)),
	harmless("zero-width characters before keys", "F10", beforeKeys("\u200b", "\ufeff", "\u200d")),
	repairable("decorated keys", "F3", func(d *damaged) bool {
		b, ok := d.block(nil)
		for _, f := range b.fields {
			form := pick(d.rnd, []string{"**k**:", "**k:**", "`k`:", "\"k\":", "“k”：", "'k':", "- **k**: "})
			d.edit(f.head(), strings.Replace(form, "k", d.at(f.key), 1))
		}
		return ok
	}),
	hopeless("keys with a decoration that F3 does not name", "F11", func(d *damaged) bool {
		b, ok := d.block(nil)
		for _, f := range b.fields {
			form := pick(d.rnd, []string{"*k*:", "~~k~~:", "<b>k</b>:", "[k]:", "(k):", "k?:"})
			d.edit(f.head(), strings.Replace(form, "k", d.at(f.key), 1))
		}
		return ok
	}, "bad_key", "no_fields"),
	repairable("keys and values in JSON's quotation marks", "F3", func(d *damaged) bool {
		b, ok := d.block(nil)
		for _, f := range b.fields {
			d.edit(f.head(), `"`+d.at(f.key)+`": "`)
			d.insert(f.closer.End, `"`)
		}
		return ok
	}),
	repairable("escaped underscore in a key", "F3", func(d *damaged) bool {
		b, ok := d.block(nil)
		for _, f := range b.fields {
			d.edit(f.key, strings.ReplaceAll(d.at(f.key), "_", `\_`))
		}
		return ok
	}),
	repairable("tool_name in another spelling", "F4", func(d *damaged) bool {
		b, ok := d.block(nil)
		if ok {
			d.edit(b.fields[0].key, pick(d.rnd, []string{"Tool_Name", "toolName", "TOOL-NAME", "TOOL_NAME", "toolname"}))
		}
		return ok
	}),
	{
		name: "stray backticks between fields", rows: "section 2",
		strict: either(repairRefused), safe: recovered, greedy: recovered,
		do: func(d *damaged) bool {
			b, i, ok := d.field(func(b blockAt, i int) bool { return i > 0 })
			if ok {
				at := pick(d.rnd, []int{b.fields[i].key.Start, b.fields[i-1].closer.End, b.end().Start})
				d.insert(at, pick(d.rnd, []string{"`", "``"}))
			}
			return ok
		},
	},
	harmless("swapped fields", "F1", func(d *damaged) bool {
		b, i, ok := d.field(func(b blockAt, i int) bool { return i > 0 })
		if ok {
			d.edit(b.fields[0].whole(), d.at(b.fields[i].whole()))
			d.edit(b.fields[i].whole(), d.at(b.fields[0].whole()))
		}
		return ok
	}),
	harmless("an argument twice", "F7", withExtraField(func(d *damaged, f fieldAt) string { return d.at(f.whole()) })),
	hopeless("an argument twice, with another value", "F8", withExtraField(func(d *damaged, f fieldAt) string {
		return d.at(f.key) + ":「始」" + d.at(f.key) + " 2「末」"
	}), "duplicate_key"),
	hopeless("tool_name twice", "F8", func(d *damaged) bool {
		b, ok := d.block(nil)
		if ok {
			d.insert(b.end().Start, d.at(b.fields[0].whole())+"\n")
		}
		return ok
	}, "duplicate_key"),
	hopeless("no tool_name", "F9", func(d *damaged) bool {
		b, ok := d.block(func(_ int, b blockAt) bool { return len(b.fields) > 1 })
		if ok {
			d.edit(b.fields[0].head(), pick(d.rnd, []string{"tool_nmae:", "name:", "tool:"}))
		}
		return ok
	}, "missing_tool_name"),
	hopeless("lost or damaged key", "F11", func(d *damaged) bool {
		b, i, ok := d.field(func(_ blockAt, i int) bool { return i > 0 })
		if ok {
			f := b.fields[i]
			d.edit(f.head(), pick(d.rnd, []string{"", ":", d.at(f.key) + "[0]:", `"":`}))
		}
		return ok
	}, "bad_key"),
	hopeless("a bare field", "F12", func(d *damaged) bool {
		b, i, ok := d.field(func(b blockAt, i int) bool { return i > 0 && bareValue(d, b.fields[i]) })
		if ok {
			f := b.fields[i]
			separator := parser.Span{Start: f.separator().Start, End: f.opener.End}
			d.edit(separator, pick(d.rnd, []string{":", ": ", " = ", "：", "＝"}))
			d.edit(f.closer, "")
		}
		return ok
	}, "bare_value"),
	{
		name: "lines of name: value", rows: "B19",
		strict: refused("no_fields"), safe: refused("no_fields"), greedy: either("no_fields"),
		do: otherBody(func(d *damaged, b blockAt) string {
			s := "\n"
			for _, f := range b.fields {
				s += d.at(f.key) + ": " + f.value + "\n"
			}
			return s
		}),
	},
	repairable("a JSON body", "B18", otherBody(func(_ *damaged, b blockAt) string { return "\n" + jsonBody(b) + "\n" })),
	repairable("a JSON body in a fence", "B18", otherBody(func(_ *damaged, b blockAt) string {
		return "\n```json\n" + jsonBody(b) + "\n```\n"
	})),
	hopeless("a JSON body with a comma at its end", "B7", otherBody(func(_ *damaged, b blockAt) string {
		return "\n" + strings.TrimSuffix(jsonBody(b), "}") + ",}\n"
	}), "no_fields"),
	hopeless("an XML body", "B7", otherBody(func(d *damaged, b blockAt) string {
		s := "\n"
		for _, f := range b.fields {
			s += "<" + d.at(f.key) + ">" + f.value + "</" + d.at(f.key) + ">\n"
		}
		return s
	}), "no_fields"),
}

// betweenFields replaces the comma and the line break between all fields of a block.
func betweenFields(forms ...string) func(d *damaged) bool {
	return func(d *damaged) bool {
		b, ok := d.block(func(_ int, b blockAt) bool { return len(b.fields) > 1 })
		for i := 1; ok && i < len(b.fields); i++ {
			d.edit(parser.Span{Start: b.fields[i-1].closer.End, End: b.fields[i].key.Start}, pick(d.rnd, forms))
		}
		return ok
	}
}

func beforeKeys(forms ...string) func(d *damaged) bool {
	return func(d *damaged) bool {
		b, ok := d.block(nil)
		form := pick(d.rnd, forms)
		for _, f := range b.fields {
			d.insert(f.key.Start, form)
		}
		return ok
	}
}

// withExtraField adds a field before END. write makes it from one of the other fields, such as a
// copy.
func withExtraField(write func(d *damaged, f fieldAt) string) func(d *damaged) bool {
	return func(d *damaged) bool {
		b, i, ok := d.field(func(b blockAt, i int) bool {
			return i > 0 && d.at(b.fields[i].key) != "request_id"
		})
		if ok {
			d.insert(b.end().Start, write(d, b.fields[i])+"\n")
		}
		return ok
	}
}

// bareValue reports whether F12 applies to a field without its brackets.
func bareValue(d *damaged, f fieldAt) bool {
	key, value := d.at(f.key), strings.TrimSpace(f.value)
	ascii := !strings.ContainsFunc(key, func(r rune) bool { return r > 127 })
	return ascii && (key[0] >= 'a' || strings.Contains(key, "_")) && d.plain(f) && value != "" && value == f.value &&
		!strings.HasPrefix(value, "//") && !strings.Contains(value, "\n")
}

// otherBody replaces the fields with the text that form returns. It chooses a block whose values
// contain no marks.
func otherBody(form func(d *damaged, b blockAt) string) func(d *damaged) bool {
	return func(d *damaged) bool {
		b, ok := d.block(bare(d))
		if ok {
			d.edit(parser.Span{Start: b.start().End, End: b.end().Start}, form(d, b))
		}
		return ok
	}
}

func jsonBody(b blockAt) string {
	args := map[string]string{"tool_name": b.request.ToolName}
	for key, value := range map[string]string{"command": b.request.Command, "request_id": b.request.Label} {
		if value != "" {
			args[key] = value
		}
	}
	for _, a := range b.request.Arguments {
		args[a.Name] = a.Value
	}
	text, err := json.Marshal(args)
	if err != nil {
		return "{}"
	}
	return string(text)
}
