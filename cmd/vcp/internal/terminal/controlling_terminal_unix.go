//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package terminal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"golang.org/x/sys/unix"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

const (
	// tick is the interval at which the terminal is polled. Not every system can wait for /dev/tty
	// and be interrupted (kqueue of macOS cannot), but all can poll.
	tick = 10 * time.Millisecond
	// quietTicks is how many ticks without input mean that all earlier input has arrived. A paste
	// arrives in pieces.
	quietTicks = 3
	// maxTicks limits the wait for quietTicks.
	maxTicks = 1000
	// maxAnswer is about the largest answer, in bytes.
	maxAnswer = 64 << 10
	// maxTransfer limits what is read or written at once, in bytes.
	maxTransfer = 4096
)

// terminal is the controlling terminal. Questions and answers use it, not the standard streams. It
// is not safe for concurrent use.
type terminal struct {
	fd      int
	resumed chan os.Signal // receives a signal when the program continues after it was stopped
}

// checkControllingTerminal returns an error if stream is not the controlling terminal.
func checkControllingTerminal(stream any) error {
	f, ok := stream.(*os.File)
	if !ok || !cli.IsTerminal(f) {
		return errorf("standard input is not a terminal")
	}
	// Only the controlling terminal has a foreground process group.
	if _, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPGRP); err != nil {
		return errorf("standard input is not the controlling terminal of this process")
	}
	return nil
}

// openTerminal opens the controlling terminal. The caller closes it.
func openTerminal() (*terminal, error) {
	fd, err := unix.Open("/dev/tty", unix.O_RDWR|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("the controlling terminal cannot be opened: %w", err)
	}
	t := &terminal{fd: fd, resumed: make(chan os.Signal, 1)}
	signal.Notify(t.resumed, unix.SIGCONT)
	return t, nil
}

func (t *terminal) close() {
	signal.Stop(t.resumed)
	_ = unix.Close(t.fd)
}

// size returns the size of the screen, or zero if the size is unknown.
func (t *terminal) size() screen {
	size, err := unix.IoctlGetWinsize(t.fd, unix.TIOCGWINSZ)
	if err != nil {
		return screen{}
	}
	return screen{rows: int(size.Row), columns: int(size.Col)}
}

// ask writes question and prompt, and returns the line that is typed after them, without its end.
// Input before the prompt is dropped. The error is io.EOF for Ctrl-D, errResumed if the program was
// stopped meanwhile, and ctx's error when ctx ends.
func (t *terminal) ask(ctx context.Context, question, prompt string) (string, error) {
	select {
	case <-t.resumed: // a signal from before this question
	default:
	}
	if err := t.waitForQuiet(ctx); err != nil {
		return "", err
	}
	if err := t.write(ctx, question); err != nil {
		return "", err
	}
	// The call is on the screen now. Dropping input after the prompt would drop a quick answer too.
	if err := discardInput(t.fd); err != nil {
		return "", fmt.Errorf("what was typed before the question cannot be dropped: %w", err)
	}
	if err := t.write(ctx, prompt); err != nil {
		return "", err
	}
	line, err := t.readLine(ctx)
	// A line that was typed while the program was stopped may arrive before the signal that the
	// program continues.
	for i := 0; i < quietTicks && err == nil; i++ {
		err = t.wait(ctx)
	}
	if err != nil {
		_, _ = unix.Write(t.fd, []byte("\n")) // end the row of the question, if the terminal accepts output
		return "", err
	}
	return line, nil
}

// waitForQuiet drops input until none arrives.
func (t *terminal) waitForQuiet(ctx context.Context) error {
	if err := t.checkLineMode(); err != nil {
		return err
	}
	var buffer [maxTransfer]byte
	for quiet, ticks := 0, 0; quiet < quietTicks; ticks++ {
		if ticks == maxTicks {
			return errors.New("the terminal does not stop sending input")
		}
		if err := discardInput(t.fd); err != nil {
			return fmt.Errorf("what was typed before the question cannot be dropped: %w", err)
		}
		if err := t.wait(ctx); err != nil {
			return err
		}
		quiet++
		if n, err := unix.Read(t.fd, buffer[:]); err == nil && n > 0 {
			quiet = 0
		}
	}
	return nil
}

// checkLineMode returns an error if the terminal delivers single keys. Then another program, such
// as a pager, reads from it, and a key for that program could answer the question.
func (t *terminal) checkLineMode() error {
	mode, err := unix.IoctlGetTermios(t.fd, readTermios)
	if err != nil {
		return fmt.Errorf("the mode of the terminal is not known: %w", err)
	}
	if mode.Lflag&unix.ICANON == 0 {
		return errors.New("another program is using the terminal (it is not in line mode)")
	}
	return nil
}

// readLine returns the next line without its end.
func (t *terminal) readLine(ctx context.Context) (string, error) {
	var (
		line   []byte
		buffer [maxTransfer]byte
	)
	for {
		n, err := unix.Read(t.fd, buffer[:])
		switch {
		case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.EINTR):
			if err := t.wait(ctx); err != nil {
				return "", err
			}
			continue
		case err != nil:
			return "", fmt.Errorf("cannot read from the terminal: %w", err)
		case n <= 0:
			return "", io.EOF
		}
		line = append(line, buffer[:n]...)
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			return string(line[:end]), nil
		}
		if len(line) > maxAnswer {
			return "", fmt.Errorf("the answer is over %d bytes long", maxAnswer)
		}
	}
}

// write writes all of text.
func (t *terminal) write(ctx context.Context, text string) error {
	for text != "" {
		n, err := unix.Write(t.fd, []byte(text[:min(len(text), maxTransfer)]))
		switch {
		case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.EINTR):
			if err := t.wait(ctx); err != nil {
				return err
			}
		case err != nil:
			return fmt.Errorf("cannot write to the terminal: %w", err)
		default:
			text = text[n:]
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// wait waits for one tick. It returns errResumed if the program was stopped and continues, because
// the screen may have changed.
func (t *terminal) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.resumed:
		return errResumed
	case <-time.After(tick):
	}
	select {
	case <-t.resumed:
		return errResumed
	default:
		return ctx.Err()
	}
}
