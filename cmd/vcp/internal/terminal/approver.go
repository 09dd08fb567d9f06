package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// Approver asks a person for approval on the controlling terminal. The call, the question and the
// answer use that terminal, not the standard streams.
type Approver struct {
	// Unavailable says why nobody can be asked. It is nil if a person can be asked.
	Unavailable error
	// Missed is the method of the last call that was denied because nobody could be asked, or nil
	// if there was no such call.
	Missed *tool.Entry
	// Quiet keeps other output off the terminal until release is called.
	Quiet func() (release func())
	// LineMode puts the terminal into the mode in which lines are typed, until restore is called.
	LineMode func() (restore func())

	phrases phrases
	reading sync.Mutex // held while reading from the terminal
}

// NewApprover returns an approver that asks in a language. It can ask only if standard input is the
// controlling terminal. Otherwise keys of that terminal may be meant for another program, such as
// an editor that runs this one.
func NewApprover(std cli.Streams, language string) *Approver {
	unchanged := func() func() { return func() {} }
	return &Approver{
		Unavailable: checkControllingTerminal(std.In), Quiet: unchanged, LineMode: unchanged, phrases: phrasesIn(language),
	}
}

// Approve asks a person. Enter alone and Ctrl-D deny. The error says why nobody could be asked.
func (a *Approver) Approve(ctx context.Context, q executor.Question) (executor.Answer, error) {
	if a.Unavailable != nil {
		a.Missed = q.Method
		return executor.Answer{}, fmt.Errorf("%w: %w", executor.ErrNobodyToAsk, a.Unavailable)
	}
	a.reading.Lock()
	defer a.reading.Unlock()
	if err := ctx.Err(); err != nil {
		return executor.Answer{}, err
	}
	t, err := openTerminal()
	if err != nil {
		return executor.Answer{}, err
	}
	defer t.close()
	defer a.Quiet()()
	defer a.LineMode()()
	d := &dialog{terminal: t, phrases: a.phrases, lineMode: a.LineMode, call: q}
	answer, err := d.decide(ctx)
	if errors.Is(err, io.EOF) {
		return q.Deny(""), nil
	}
	return answer, err
}

// Alone waits until no question is open, and calls read. No question opens until read returns. A
// question may still be open when its turn has ended.
func (a *Approver) Alone(read func() (string, error)) (string, error) {
	a.reading.Lock()
	defer a.reading.Unlock()
	return read()
}
