package engine_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

// continuer is a model whose reply is truncated. It continues the reply in the given manner.
type continuer struct {
	reply  *writtenReply
	at     int // the number of bytes after which the reply is truncated
	manner *manner

	asked   int      // how often it was asked to continue
	shown   string   // what it was last shown of its reply
	written []string // its continuations
	variant string   // if not "", a whole reply whose calls may run instead of those of reply
	done    bool     // whether it has written the truncated reply
}

func (c *continuer) Stream(_ context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		text, finish := "Done.", protocol.FinishStop
		n := len(req.Messages)
		switch {
		case n == 2 && !c.done:
			c.done = true
			text, finish = c.reply.text[:c.at], protocol.FinishLength
		case n >= 2 && strings.HasPrefix(req.Messages[n-1].Content, "Your reply was truncated"):
			c.asked++
			c.shown = req.Messages[n-2].Content
			p := &partialReply{continuer: c, end: len(c.shown)}
			p.rest = strings.TrimPrefix(c.reply.text, c.shown)
			p.field, p.block = c.reply.fieldAt(p.end)
			if p.block == nil { // the model must be shown its reply up to the end of a field
				panic(fmt.Sprintf("the model is shown %q of %q", c.shown, c.reply.text))
			}
			var more bool
			text, more = c.manner.write(p)
			if more {
				finish = protocol.FinishLength
			}
			if c.asked == 1 && c.manner.variant != nil {
				c.variant = c.manner.variant(p)
			}
			c.written = append(c.written, text)
		}
		half := len(text) / 2
		_ = yield(engine.Delta{Text: text[:half]}, nil) && yield(engine.Delta{Text: text[half:]}, nil) &&
			yield(engine.Delta{Finished: true, Finish: finish}, nil)
	}
}

// partialReply is a truncated reply that the model continues.
type partialReply struct {
	*continuer
	end   int           // the end of what the model was shown
	rest  string        // what the whole reply has after that
	field *writtenField // the first field of rest; nil if the block has no further field
	block *writtenBlock // the block that was truncated
}

// before returns the last field of the block that the model was shown, or the first field of the
// block if it was shown none.
func (p *partialReply) before() *writtenField {
	for i := len(p.block.fields) - 1; i >= 0; i-- {
		if f := &p.block.fields[i]; f.end <= p.end {
			return f
		}
	}
	return &p.block.fields[0]
}

// after returns the whole reply after the field.
func (p *partialReply) after() string {
	if p.field == nil {
		return p.rest
	}
	return p.reply.text[p.field.end:]
}

// lead returns the text between the end of what the model was shown and the field.
func (p *partialReply) lead() string {
	if p.field == nil {
		return ""
	}
	return p.reply.text[p.end:p.field.start]
}

func (p *partialReply) fieldText() string {
	if p.field == nil {
		return ""
	}
	return p.reply.text[p.field.start:p.field.end]
}

// otherName returns a parameter of the field's method that no call of the block has; "other" if the
// block has all of them.
func (p *partialReply) otherName() string {
	for _, name := range parameters[p.method()] {
		if p.field != nil && p.field.argument && name[0] != p.field.name[0] {
			continue // a name that begins alike is preferred
		}
		if !p.has(name) {
			return name
		}
	}
	for _, name := range parameters[p.method()] {
		if !p.has(name) {
			return name
		}
	}
	return "other"
}

func (p *partialReply) method() string {
	if p.field != nil {
		return p.field.method
	}
	return p.before().method
}

func (p *partialReply) has(name string) bool {
	return slices.ContainsFunc(p.block.fields, func(f writtenField) bool { return strings.TrimRight(f.name, "0123456789") == name })
}

// other returns a field of that name with another value than that of the reply.
func (p *partialReply) other(name string) string {
	value := "other"
	if types[name] != "" {
		value = `{}`
		if name == "list" {
			value = `[]`
		}
		if name == "n" {
			value = "7"
		}
	}
	return p.reply.form.field(name, value)
}

// newBlock returns a block with these calls.
func (p *partialReply) newBlock(calls ...writtenCall) string {
	w := &writtenReply{form: p.reply.form}
	w.form.block(w, rand.New(rand.NewPCG(1, 1)), calls)
	return w.text
}

// otherCall returns a call of another method.
func (p *partialReply) otherCall() writtenCall {
	if p.method() == "run" {
		return writtenCall{"b", []argument{{"note", "other"}}}
	}
	return writtenCall{"run", []argument{{"cwd", "other"}}}
}

// close returns the text that ends the request after the last field that the model was shown.
func (p *partialReply) close() string { return p.before().close }

// manner is one way in which a model continues a truncated reply.
type manner struct {
	name  string // completes the sentence "the model continues …"
	right bool   // the truncated reply and the continuation together are the original reply
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

// changedValue returns the next field with another text at the beginning of its value.
func (p *partialReply) changedValue() string {
	text := p.fieldText()
	if p.field == nil || !p.field.argument || types[p.field.name] != "" {
		return text
	}
	at := p.field.value - p.field.start
	if text[at:at+1] == `"` {
		at++
	}
	return text[:at] + "ANOTHER" + text[at:]
}

// closedWrongly returns the rest, with a wrong end of the next value.
func (p *partialReply) closedWrongly() string {
	if p.field == nil {
		return p.rest
	}
	return p.lead() + p.reply.form.closeWrongly(p.fieldText()) + p.after()
}

var manners = []manner{
	{name: "as it should", right: true, write: writes(func(p *partialReply) string { return p.rest })},
	{name: "with its last line once more", write: writes(func(p *partialReply) string {
		return p.shown[strings.LastIndexByte(p.shown, '\n')+1:] + p.rest
	})},
	{name: "with its last field once more", write: writes(func(p *partialReply) string {
		return p.reply.text[p.before().start:p.end] + p.rest
	})},
	{name: "from the start of the block", write: writes(func(p *partialReply) string { return p.reply.text[p.block.start:] })},
	{name: "from the start of the block, after prose", write: writes(func(p *partialReply) string {
		return "Again:\n" + p.reply.text[p.block.start:]
	})},
	{name: "from the start of the reply", write: writes(func(p *partialReply) string { return p.reply.text })},
	{name: "from the start of the reply, after prose", write: writes(func(p *partialReply) string { return "Once more.\n" + p.reply.text })},
	{name: "from the start of the value", write: writes(func(p *partialReply) string {
		if p.field == nil {
			return p.rest
		}
		return p.reply.text[p.field.value:]
	})},
	{name: "from the byte at which it was truncated", write: writes(func(p *partialReply) string {
		return p.reply.text[max(p.end, min(p.at, p.block.end)):]
	})},
	{name: "after prose", write: writes(func(p *partialReply) string { return "\nSure, here is the rest.\n" + strings.TrimLeft(p.rest, ", \n") })},
	{name: "in prose", write: writes(func(*partialReply) string { return "\nI have done that." })},
	{name: "with nothing", write: writes(func(*partialReply) string { return "" })},
	{name: "with the end of the request at once", write: writes(func(p *partialReply) string { return p.close() })},
	{name: "with the end of the request at once, and the rest of the reply", write: writes(func(p *partialReply) string {
		return p.close() + p.reply.text[p.block.end:]
	})},
	{name: "with another argument instead", write: writes(func(p *partialReply) string { return p.lead() + p.other(p.otherName()) + p.after() })},
	{name: "with another argument and the end of the request", write: writes(func(p *partialReply) string {
		return p.reply.form.separator() + p.other(p.otherName()) + p.close()
	})},
	{name: "with another argument first", write: writes(func(p *partialReply) string {
		return p.reply.form.separator() + p.other(p.otherName()) + p.reply.form.separator() + strings.TrimLeft(p.rest, ", \n")
	})},
	{name: "with another call in the block", write: writes(func(p *partialReply) string { return p.reply.form.otherCall(p.before()) })},
	{name: "with another call after the end of the request", write: writes(func(p *partialReply) string {
		if p.field == nil {
			return p.rest // the request is whole, so this would be the next one
		}
		return p.close() + "\n" + p.newBlock(p.otherCall())
	})},
	{name: "with another call in its place", write: writes(func(p *partialReply) string {
		return "\n" + p.newBlock(p.otherCall())
	})},
	{name: "with a call of the same method that lacks what was lost", write: writes(func(p *partialReply) string {
		return "\nAgain:\n" + p.newBlock(writtenCall{p.method(), []argument{{p.otherName(), "other"}}})
	})},
	{name: "with another method", write: writes(func(p *partialReply) string {
		other := map[string]string{"a": "b", "b": "a", "write": "run", "run": "write"}[p.method()]
		if p.field != nil && !p.field.argument {
			return p.lead() + strings.Replace(p.fieldText(), p.method(), other, 1) + p.after()
		}
		return strings.Replace(p.reply.text[p.block.start:p.end], "t_"+p.method(), "t_"+other, 1) + p.rest
	})},
	{name: "truncated again in the field, and then as it should", write: func(p *partialReply) (string, bool) {
		if p.asked > 1 || p.field == nil {
			return p.rest, false
		}
		return p.rest[:(p.field.value+p.field.end)/2-p.end], true
	}},
	{name: "truncated again after the field, and then as it should", write: func(p *partialReply) (string, bool) {
		if p.asked > 1 || p.field == nil {
			return p.rest, false
		}
		return p.rest[:min(len(p.rest), p.field.end-p.end+12)], true
	}},
	{name: "truncated again, and then with the end of the request at once", write: func(p *partialReply) (string, bool) {
		if p.asked > 1 || p.field == nil {
			return p.close(), false
		}
		return p.rest[:(p.field.value+p.field.end)/2-p.end], true
	}},
	{name: "truncated at once, and then as it should", write: func(p *partialReply) (string, bool) {
		if p.asked > 1 {
			return p.rest, false
		}
		return "", true
	}},
	{name: "truncated three times", write: func(p *partialReply) (string, bool) { return p.rest[:len(p.rest)/2], true }},
	{
		name:    "with the wrong end of the value",
		write:   writes((*partialReply).closedWrongly),
		variant: func(p *partialReply) string { return p.shown + p.closedWrongly() }, // the greedy level repairs such an end
	},
	{name: "with the argument twice", write: writes(func(p *partialReply) string {
		return p.lead() + p.fieldText() + p.reply.form.separator() + p.fieldText() + p.after()
	})},
	{name: "with the argument twice, with different values", write: writes(func(p *partialReply) string {
		return p.lead() + p.changedValue() + p.reply.form.separator() + p.fieldText() + p.after()
	})},
	{name: "with an argument that it has written, with another value", write: writes(func(p *partialReply) string {
		return p.reply.form.separator() + p.other(p.before().name) + p.rest
	})},
	{name: "in another order", write: writes(func(p *partialReply) string {
		next, _ := p.reply.fieldAt(p.end + len(p.lead()) + len(p.fieldText()))
		if p.field == nil || next == nil || next.call != p.field.call || !next.argument || !p.field.argument {
			return p.rest
		}
		text := p.reply.text
		return p.lead() + text[next.start:next.end] + text[p.field.end:next.start] + p.fieldText() + text[next.end:]
	})},
	{name: "with the next field instead", write: writes(func(p *partialReply) string { return p.after() })},
	{name: "with the next number", write: writes(func(p *partialReply) string {
		return p.lead() + p.renamed(func(name string) string {
			bare := strings.TrimRight(name, "0123456789")
			n, _ := strconv.Atoi(name[len(bare):])
			return bare + strconv.Itoa(n+1)
		}) + p.after()
	})},
	{name: "with the number 0", write: writes(func(p *partialReply) string {
		return p.lead() + p.renamed(func(name string) string { return strings.TrimRight(name, "0123456789") + "0" }) + p.after()
	})},
	{name: "with a longer name", write: writes(func(p *partialReply) string {
		return p.lead() + p.renamed(func(name string) string { return name + "_more" }) + p.after()
	})},
	{name: "with a shorter name", write: writes(func(p *partialReply) string {
		return p.lead() + p.renamed(func(name string) string { return name[:(len(name)+1)/2] }) + p.after()
	})},
	{name: "with the name in another case", write: writes(func(p *partialReply) string {
		return p.lead() + p.renamed(strings.ToUpper) + p.after()
	})},
	{name: "with the field commented out", write: writes(func(p *partialReply) string { return p.lead() + "// " + p.fieldText() + p.after() })},
	{
		name:    "with another value",
		write:   writes(func(p *partialReply) string { return p.lead() + p.changedValue() + p.after() }),
		variant: func(p *partialReply) string { return p.shown + p.lead() + p.changedValue() + p.after() },
	},
}
