// Package process runs child processes for tools. A child is started from a list of arguments,
// which no shell interprets. Its output, its time and its environment are limited, and its process
// group ends with it.
package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/vcpgo/vcp/internal/text"
)

// Command is a child process to run. Argv and Env are required.
type Command struct {
	// Argv is the program and its arguments. Program returns the path of a program.
	Argv []string
	// Dir is the working directory; "" means that of this process.
	Dir string
	// Env is the whole environment of the child. Environment returns a safe one.
	Env []string
	// Input is written to standard input, which is then closed.
	Input []byte
	// MaxOutput limits standard output in bytes; 0 means 4 MiB. A child that prints more is ended,
	// and its output has no incomplete character at the end.
	MaxOutput int
	// OnErrorLine, if set, receives the lines of standard error while the child runs, without empty
	// ones, and each with at most 4 KiB. One goroutine calls it, and not after Run has returned.
	OnErrorLine func(line string)
	// Until, if set, is called with the output so far after each piece of output. It must not keep
	// the slice. When it returns true, Run returns. The child continues in the background until it
	// ends, Linger has passed or Background ends; its further output is dropped.
	Until func(output []byte) bool
	// Linger and Background limit how long a child may continue after Until has returned true. A
	// nil Background never ends.
	Linger     time.Duration
	Background context.Context
}

const (
	// defaultMaxOutput is the default of Command.MaxOutput.
	defaultMaxOutput = 4 << 20
	// drainTime is how long output may still arrive after the child and its group have ended. A
	// process that left the group could keep the pipe open forever.
	drainTime = time.Second
)

// Result is the output of a child, and how the child ended.
type Result struct {
	Output []byte // standard output; the beginning of it if the error is an *OutputError
	Errors string // the last 16 KiB of standard error
	// ExitCode is the status of a child that exited, and -1 if a signal ended it or it still runs
	// in the background.
	ExitCode int
	// State describes the end of the child, as in "exit status 2" or "signal: killed".
	State string
}

// Explanation returns the end of what the child printed: its errors, or else its output. limit is
// in bytes. If the text is longer, "…" replaces its beginning.
func (r Result) Explanation(limit int) string {
	printed := strings.TrimSpace(r.Errors)
	if printed == "" {
		printed = strings.TrimSpace(string(r.Output))
	}
	printed = strings.ToValidUTF8(printed, "\uFFFD")
	if len(printed) <= limit {
		return printed
	}
	return "…" + strings.ToValidUTF8(printed[len(printed)-limit:], "")
}

// OutputError is the error for a child that printed more than is allowed, and was killed.
type OutputError struct {
	Limit int // bytes
}

func (e *OutputError) Error() string {
	return fmt.Sprintf("the program printed more than %d bytes and was ended", e.Limit)
}

// StartError is the error for a child that could not be started.
type StartError struct {
	Program string
	Err     error
}

func (e *StartError) Error() string {
	reason := e.Err
	if path := new(os.PathError); errors.As(reason, &path) {
		reason = path.Err // the rest of the error repeats the program's name
	}
	return fmt.Sprintf("the program %q cannot be started: %v", e.Program, reason)
}

// Unwrap returns Err.
func (e *StartError) Unwrap() error { return e.Err }

// Run runs a child until it ends or Until returns true. When the child ends, Run ends the rest of
// its process group. The error is a *StartError, an *OutputError, or the cause of ctx if ctx ended
// first; then the child was killed. A child that exits with a status other than 0 is not an error.
// No goroutine of Run outlives it, except for a child that continues in the background.
func Run(ctx context.Context, c Command) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{ExitCode: -1}, context.Cause(ctx)
	}
	r := &runner{Command: c}
	if r.MaxOutput == 0 {
		r.MaxOutput = defaultMaxOutput
	}
	if err := r.start(); err != nil {
		return Result{ExitCode: -1}, &StartError{c.Argv[0], err}
	}
	return r.wait(ctx)
}

// runner is one child.
type runner struct {
	Command
	cmd   *exec.Cmd
	pipes []*os.File // this process's ends of the pipes

	exited  chan error    // the result of Wait
	tooLong chan struct{} // closed when the output exceeds MaxOutput
	until   chan struct{} // closed when Until returns true
	readers chan struct{} // closed when both outputs are read to their end
	printed []byte        // standard output; other goroutines read it after readers or until is closed
	tail    tail          // of standard error

	lines    sync.Mutex // held while OnErrorLine runs
	returned bool       // Run has returned while the child runs, so OnErrorLine is not called; guarded by lines
}

// start starts the child and the goroutines that read from it and write to it.
func (r *runner) start() (err error) {
	r.cmd = exec.Command(r.Argv[0], r.Argv[1:]...) //nolint:gosec // running what the user has configured is the purpose
	r.cmd.Dir, r.cmd.Env = r.Dir, r.Env
	OwnGroup(r.cmd)
	var childEnds []*os.File // closed here, because the child has copies
	defer func() {
		for _, f := range childEnds {
			_ = f.Close()
		}
		if err != nil {
			r.closePipes()
		}
	}()
	pipe := func() (read, write *os.File) {
		if err == nil {
			read, write, err = os.Pipe()
		}
		return read, write
	}
	output, childOutput := pipe()
	errs, childErrors := pipe()
	childInput, input := pipe()
	r.pipes, childEnds = []*os.File{output, errs, input}, []*os.File{childOutput, childErrors, childInput}
	if err != nil {
		return err
	}
	r.cmd.Stdin, r.cmd.Stdout, r.cmd.Stderr = childInput, childOutput, childErrors
	if err := r.cmd.Start(); err != nil {
		return err
	}
	r.exited, r.tooLong = make(chan error, 1), make(chan struct{})
	r.until, r.readers = make(chan struct{}), make(chan struct{})
	go func() {
		_, _ = input.Write(r.Input) // an error is normal: a child may end without reading its input
		_ = input.Close()
	}()
	go r.read(output, errs)
	go func() { r.exited <- r.cmd.Wait() }()
	return nil
}

// read reads both outputs to their end.
func (r *runner) read(output, errs io.Reader) {
	defer close(r.readers)
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.tail.copy(errs, r.reportLine)
	}()
	r.readOutput(output)
	<-done
}

// reportLine passes a line of standard error to OnErrorLine.
func (r *runner) reportLine(line string) {
	r.lines.Lock()
	defer r.lines.Unlock()
	if r.OnErrorLine != nil && !r.returned {
		r.OnErrorLine(line)
	}
}

// readOutput collects standard output. It also reads, and drops, the output after Until returned
// true or MaxOutput was exceeded, so that the child does not block.
func (r *runner) readOutput(output io.Reader) {
	piece, until, dropped := make([]byte, 32<<10), r.Until, false
	for {
		n, err := output.Read(piece)
		switch {
		case dropped:
		case len(r.printed)+n > r.MaxOutput:
			r.printed = text.WholeRunes(append(r.printed, piece[:r.MaxOutput-len(r.printed)]...))
			dropped = true
			close(r.tooLong)
		default:
			r.printed = append(r.printed, piece[:n]...)
			if until != nil && n > 0 && until(r.printed) {
				dropped = true
				close(r.until)
			}
		}
		if err != nil {
			return
		}
	}
}

// wait waits until the child ends or must end.
func (r *runner) wait(ctx context.Context) (Result, error) {
	select {
	case err := <-r.exited:
		return r.finish(err), r.tooLongError()
	case <-r.until:
		r.lines.Lock()
		r.returned = true
		r.lines.Unlock()
		go r.linger()
		return Result{Output: bytes.Clone(r.printed), ExitCode: -1, State: "still running"}, nil
	case <-r.tooLong:
	case <-ctx.Done():
	}
	KillGroup(r.cmd)
	result := r.finish(<-r.exited)
	if err := r.tooLongError(); err != nil {
		return result, err
	}
	return result, context.Cause(ctx)
}

// tooLongError returns an *OutputError if the output exceeded MaxOutput.
func (r *runner) tooLongError() error {
	select {
	case <-r.tooLong:
		return &OutputError{r.MaxOutput}
	default:
		return nil
	}
}

// finish ends the rest of the group and collects the output. err is the result of Wait.
func (r *runner) finish(err error) Result {
	KillGroup(r.cmd)
	// Processes that left the group may keep the pipe open, so reading has a time limit.
	t := time.AfterFunc(drainTime, r.closePipes)
	<-r.readers
	t.Stop()
	r.closePipes()
	state := "exit status 0"
	if err != nil {
		state = err.Error()
	}
	return Result{Output: r.printed, Errors: r.tail.String(), ExitCode: r.cmd.ProcessState.ExitCode(), State: state}
}

// linger waits in the background until the child ends, or ends it at its limits.
func (r *runner) linger() {
	background := r.Background
	if background == nil {
		background = context.Background()
	}
	ctx, cancel := context.WithTimeout(background, r.Linger)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { KillGroup(r.cmd) })
	err := <-r.exited
	stop()
	r.finish(err)
}

func (r *runner) closePipes() {
	for _, f := range r.pipes {
		_ = f.Close() // also ends a read or a write that waits; f is nil if no pipe could be made
	}
}
