package engine_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
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
	began   bool     // it has written the truncated reply
}

func (c *continuer) Stream(_ context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		text, finish := "Done.", protocol.FinishStop
		n := len(req.Messages)
		switch {
		case n == 2 && !c.began: // the prompt and the question
			c.began = true
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
			var truncated bool
			text, truncated = c.manner.write(p)
			if truncated {
				finish = protocol.FinishLength
			}
			if c.manner.variant != nil {
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

// lastShownField returns the last field of the block that the model was shown, or the first field
// of the block if it was shown none.
func (p *partialReply) lastShownField() *writtenField {
	for i := len(p.block.fields) - 1; i >= 0; i-- {
		if f := &p.block.fields[i]; f.end <= p.end {
			return f
		}
	}
	return &p.block.fields[0]
}

// textAfterField returns the text of the whole reply after the field.
func (p *partialReply) textAfterField() string {
	if p.field == nil {
		return p.rest
	}
	return p.reply.text[p.field.end:]
}

// textBeforeField returns the text between the end of what the model was shown and the field.
func (p *partialReply) textBeforeField() string {
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

// method returns the method of the call that the model continues.
func (p *partialReply) method() string {
	if p.field != nil {
		return p.field.method
	}
	return p.lastShownField().method
}

// has reports whether a call of the block has the argument with that name.
func (p *partialReply) has(name string) bool {
	return slices.ContainsFunc(p.block.fields, func(f writtenField) bool {
		return strings.TrimRight(f.name, "0123456789") == name
	})
}

// otherField returns a field with the given name and another value than that of the reply.
func (p *partialReply) otherField(name string) string {
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

// requestEnd returns the text that ends the request after the last field that the model was shown.
func (p *partialReply) requestEnd() string { return p.lastShownField().close }
