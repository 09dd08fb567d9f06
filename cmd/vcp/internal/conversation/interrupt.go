package conversation

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// interrupts counts Ctrl-C: the first stops the turn, a second one with nothing typed in between
// quits.
type interrupts struct {
	signals chan os.Signal
	done    chan struct{}
	// quit is called when a person or another program asks the program to end.
	quit func(person bool)
	// idle is called on the first Ctrl-C while no turn is under way.
	idle func()

	mu      sync.Mutex
	pressed bool
	cancel  context.CancelCauseFunc // of the turn under way
}

func watchInterrupts(quit func(person bool), idle func()) *interrupts {
	i := &interrupts{signals: make(chan os.Signal, 4), done: make(chan struct{}), quit: quit, idle: idle}
	signal.Notify(i.signals, os.Interrupt, syscall.SIGTERM)
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
	switch turn, again := i.press(); {
	case again:
		i.quit(true)
	case !turn:
		i.idle()
	}
}

// press counts one Ctrl-C, and stops the turn that is under way. turn reports whether there was
// one, and again whether nothing was typed since another Ctrl-C.
func (i *interrupts) press() (turn, again bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	again, i.pressed = i.pressed, true
	if i.cancel != nil {
		i.cancel(cli.ErrInterrupted)
		turn = true
	}
	return turn, again
}

// forget makes the next Ctrl-C the first again.
func (i *interrupts) forget() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.pressed = false
}

// turn returns a context that the next Ctrl-C ends, and a function to call at the end of the turn.
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
