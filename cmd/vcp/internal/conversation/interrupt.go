package conversation

import (
	"context"
	"os"
	"os/signal"
	"sync"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// interrupts handles Ctrl-C. The first Ctrl-C stops the turn. A second one quits if no line was
// entered in between.
type interrupts struct {
	signals chan os.Signal
	done    chan struct{} // closed when no signal is handled any more
	// quit ends the program. person is false if another program asked for the end.
	quit func(person bool)
	// idle is called on the first Ctrl-C if no turn is running.
	idle func()

	mu      sync.Mutex
	pressed bool                    // Ctrl-C was pressed since the last line was entered
	cancel  context.CancelCauseFunc // cancels the current turn; nil between turns
}

func watchInterrupts(quit func(person bool), idle func()) *interrupts {
	// The buffer is for signals that arrive while one is handled.
	i := &interrupts{signals: make(chan os.Signal, 4), done: make(chan struct{}), quit: quit, idle: idle}
	signal.Notify(i.signals, cli.EndSignals()...)
	go func() {
		defer close(i.done)
		for s := range i.signals {
			i.handle(s)
		}
	}()
	return i
}

// stop ends the watch.
func (i *interrupts) stop() {
	signal.Stop(i.signals)
	close(i.signals)
	<-i.done
}

func (i *interrupts) handle(s os.Signal) {
	if s != os.Interrupt {
		i.quit(false)
		return
	}
	switch inTurn, again := i.press(); {
	case again:
		i.quit(true)
	case !inTurn:
		i.idle()
	}
}

// press counts one Ctrl-C, and stops the running turn. inTurn reports whether a turn was running.
// again reports whether Ctrl-C was pressed before, and no line was entered since then.
func (i *interrupts) press() (inTurn, again bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	again, i.pressed = i.pressed, true
	if i.cancel != nil {
		i.cancel(cli.ErrInterrupted)
		inTurn = true
	}
	return inTurn, again
}

// forget makes the next Ctrl-C count as the first.
func (i *interrupts) forget() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.pressed = false
}

// turn begins a turn, and returns its context, which the next Ctrl-C cancels. The caller calls the
// returned function at the end of the turn.
func (i *interrupts) turn() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	i.mu.Lock()
	i.cancel = cancel
	i.mu.Unlock()
	return ctx, func() {
		i.mu.Lock()
		i.cancel = nil
		i.mu.Unlock()
		cancel(nil)
	}
}
