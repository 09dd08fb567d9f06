package engine_test

import (
	"strconv"
	"strings"
)

// manner is one way in which a model continues a truncated reply.
type manner struct {
	name  string // says how the model continues
	right bool   // the truncated reply and this one continuation together are the original reply
	// write returns the continuation, and whether it is truncated, too.
	write func(p *partialReply) (text string, truncated bool)
	// variant, if not nil, returns a whole reply whose calls may run instead of the original ones.
	variant func(p *partialReply) string
}

// writes returns a function for manner.write whose continuation is not truncated.
func writes(text func(p *partialReply) string) func(*partialReply) (string, bool) {
	return func(p *partialReply) (string, bool) { return text(p), false }
}

// renamed returns the text of the next field with another name.
func (p *partialReply) renamed(change func(name string) string) string {
	if p.field == nil {
		return ""
	}
	return strings.Replace(p.fieldText(), p.field.name, change(p.field.name), 1)
}

// changedValue returns the next field with another text at the beginning of its value. Only a field
// that is an argument of type string is changed.
func (p *partialReply) changedValue() string {
	text := p.fieldText()
	if p.field == nil || !p.field.argument || types[p.field.name] != "" {
		return text
	}
	at := p.field.valueAt - p.field.start
	if text[at:at+1] == `"` {
		at++
	}
	return text[:at] + "ANOTHER" + text[at:]
}

// restWithChangedValue returns the rest, with changedValue in place of the next field.
func (p *partialReply) restWithChangedValue() string {
	return p.textBeforeField() + p.changedValue() + p.textAfterField()
}

// closedWrongly returns the rest, with a wrong end of the next value.
func (p *partialReply) closedWrongly() string {
	if p.field == nil {
		return p.rest
	}
	return p.textBeforeField() + p.reply.form.closeWrongly(p.fieldText()) + p.textAfterField()
}

var manners = []manner{
	{name: "as it should", right: true, write: writes(func(p *partialReply) string { return p.rest })},
	{name: "with its last line once more", write: writes(func(p *partialReply) string {
		return p.shown[strings.LastIndexByte(p.shown, '\n')+1:] + p.rest
	})},
	{name: "with its last field once more", write: writes(func(p *partialReply) string {
		return p.reply.text[p.lastShownField().start:p.end] + p.rest
	})},
	{name: "from the start of the block", write: writes(func(p *partialReply) string {
		return p.reply.text[p.block.start:]
	})},
	{name: "from the start of the block, after prose", write: writes(func(p *partialReply) string {
		return "Again:\n" + p.reply.text[p.block.start:]
	})},
	{name: "from the start of the reply", write: writes(func(p *partialReply) string { return p.reply.text })},
	{name: "from the start of the reply, after prose", write: writes(func(p *partialReply) string {
		return "Once more.\n" + p.reply.text
	})},
	{name: "from the start of the value", write: writes(func(p *partialReply) string {
		if p.field == nil {
			return p.rest
		}
		return p.reply.text[p.field.valueAt:]
	})},
	{name: "from the byte at which the reply was truncated", write: writes(func(p *partialReply) string {
		return p.reply.text[max(p.end, min(p.at, p.block.end)):]
	})},
	{name: "after prose", write: writes(func(p *partialReply) string {
		return "\nSure, here is the rest.\n" + strings.TrimLeft(p.rest, ", \n")
	})},
	{name: "in prose", write: writes(func(*partialReply) string { return "\nI have done that." })},
	{name: "with nothing", write: writes(func(*partialReply) string { return "" })},
	{name: "with the end of the request at once", write: writes((*partialReply).requestEnd)},
	{
		name:  "with the end of the request at once, and the rest of the reply",
		write: writes(func(p *partialReply) string { return p.requestEnd() + p.reply.text[p.block.end:] }),
	},
	{name: "with another argument instead", write: writes(func(p *partialReply) string {
		return p.textBeforeField() + p.otherField(p.otherName()) + p.textAfterField()
	})},
	{name: "with another argument and the end of the request", write: writes(func(p *partialReply) string {
		return p.reply.form.separator() + p.otherField(p.otherName()) + p.requestEnd()
	})},
	{name: "with another argument first", write: writes(func(p *partialReply) string {
		separator := p.reply.form.separator()
		return separator + p.otherField(p.otherName()) + separator + strings.TrimLeft(p.rest, ", \n")
	})},
	{name: "with another call in the block", write: writes(func(p *partialReply) string {
		return p.reply.form.otherCall(p.lastShownField())
	})},
	{name: "with another call after the end of the request", write: writes(func(p *partialReply) string {
		if p.field == nil {
			return p.rest // all fields are whole, so the other call would be the next request, and would run
		}
		return p.requestEnd() + "\n" + p.newBlock(p.otherCall())
	})},
	{name: "with another call in place of the truncated one", write: writes(func(p *partialReply) string {
		return "\n" + p.newBlock(p.otherCall())
	})},
	{name: "with a call of the same method that lacks what was lost", write: writes(func(p *partialReply) string {
		return "\nAgain:\n" + p.newBlock(writtenCall{p.method(), []argument{{p.otherName(), "other"}}})
	})},
	{name: "with another method", write: writes(func(p *partialReply) string {
		other := map[string]string{"a": "b", "b": "a", "write": "run", "run": "write"}[p.method()]
		if p.field != nil && !p.field.argument {
			return p.textBeforeField() + strings.Replace(p.fieldText(), p.method(), other, 1) + p.textAfterField()
		}
		return strings.Replace(p.reply.text[p.block.start:p.end], "t_"+p.method(), "t_"+other, 1) + p.rest
	})},
	{name: "truncated again in the field, and then as it should", write: func(p *partialReply) (string, bool) {
		if p.asked > 1 || p.field == nil {
			return p.rest, false
		}
		return p.rest[:(p.field.valueAt+p.field.end)/2-p.end], true
	}},
	{name: "truncated again after the field, and then as it should", write: func(p *partialReply) (string, bool) {
		if p.asked > 1 || p.field == nil {
			return p.rest, false
		}
		const extra = 12 // bytes after the field
		return p.rest[:min(len(p.rest), p.field.end-p.end+extra)], true
	}},
	{name: "truncated again, and then with the end of the request at once", write: func(p *partialReply) (string, bool) {
		if p.asked > 1 || p.field == nil {
			return p.requestEnd(), false
		}
		return p.rest[:(p.field.valueAt+p.field.end)/2-p.end], true
	}},
	{name: "truncated at once, and then as it should", write: func(p *partialReply) (string, bool) {
		if p.asked > 1 {
			return p.rest, false
		}
		return "", true
	}},
	{
		name:  "truncated three times",
		write: func(p *partialReply) (string, bool) { return p.rest[:len(p.rest)/2], true },
	},
	{
		name:    "with the wrong end of the value",
		write:   writes((*partialReply).closedWrongly), // the greedy level repairs such an end
		variant: func(p *partialReply) string { return p.shown + p.closedWrongly() },
	},
	{name: "with the argument twice", write: writes(func(p *partialReply) string {
		return p.textBeforeField() + p.fieldText() + p.reply.form.separator() + p.fieldText() + p.textAfterField()
	})},
	{name: "with the argument twice, with different values", write: writes(func(p *partialReply) string {
		return p.textBeforeField() + p.changedValue() + p.reply.form.separator() + p.fieldText() + p.textAfterField()
	})},
	{name: "with an argument that it has written, with another value", write: writes(func(p *partialReply) string {
		return p.reply.form.separator() + p.otherField(p.lastShownField().name) + p.rest
	})},
	{name: "in another order", write: writes(func(p *partialReply) string {
		next, _ := p.reply.fieldAt(p.end + len(p.textBeforeField()) + len(p.fieldText()))
		if p.field == nil || next == nil || next.call != p.field.call || !next.argument || !p.field.argument {
			return p.rest
		}
		text := p.reply.text
		return p.textBeforeField() + text[next.start:next.end] + text[p.field.end:next.start] + p.fieldText() +
			text[next.end:]
	})},
	{name: "with the next field instead", write: writes(func(p *partialReply) string { return p.textAfterField() })},
	{name: "with the next number", write: writes(func(p *partialReply) string {
		return p.textBeforeField() + p.renamed(func(name string) string {
			bare := strings.TrimRight(name, "0123456789")
			n, _ := strconv.Atoi(name[len(bare):])
			return bare + strconv.Itoa(n+1)
		}) + p.textAfterField()
	})},
	{name: "with the number 0", write: writes(func(p *partialReply) string {
		zero := func(name string) string { return strings.TrimRight(name, "0123456789") + "0" }
		return p.textBeforeField() + p.renamed(zero) + p.textAfterField()
	})},
	{name: "with a longer name", write: writes(func(p *partialReply) string {
		return p.textBeforeField() + p.renamed(func(name string) string { return name + "_more" }) + p.textAfterField()
	})},
	{name: "with a shorter name", write: writes(func(p *partialReply) string {
		half := func(name string) string { return name[:(len(name)+1)/2] }
		return p.textBeforeField() + p.renamed(half) + p.textAfterField()
	})},
	{name: "with the name in another case", write: writes(func(p *partialReply) string {
		return p.textBeforeField() + p.renamed(strings.ToUpper) + p.textAfterField()
	})},
	{name: "with the field commented out", write: writes(func(p *partialReply) string {
		return p.textBeforeField() + "// " + p.fieldText() + p.textAfterField()
	})},
	{
		name:    "with another value",
		write:   writes((*partialReply).restWithChangedValue),
		variant: func(p *partialReply) string { return p.shown + p.restWithChangedValue() },
	},
}
