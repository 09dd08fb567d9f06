package script

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"sync"
	"time"
)

// maxParallel limits how many calls of a script run at once.
const maxParallel = 16

// maxStderr limits what is kept of the child's standard error, in bytes. An error shows its first
// line.
const maxStderr = 16 << 10

// worker is the child process that runs a script.
type worker struct {
	ctx    context.Context
	cancel context.CancelFunc // ends the child
	cmd    *exec.Cmd
	output *bufio.Reader
	stderr bytes.Buffer

	mu    sync.Mutex // guards input
	input io.WriteCloser
}

// startWorker starts a child process and sends it a script.
func startWorker(ctx context.Context, argv []string, s startMessage) (*worker, error) {
	ctx, cancel := context.WithCancel(ctx)
	w := &worker{ctx: ctx, cancel: cancel}
	w.cmd = exec.CommandContext(ctx, argv[0], argv[1:]...) //nolint:gosec // the application names the program
	w.cmd.Env = []string{}
	w.cmd.Stderr = &limitedWriter{to: &w.stderr, left: maxStderr}
	w.cmd.WaitDelay = time.Second // in case another process keeps the pipes open
	input, inputErr := w.cmd.StdinPipe()
	output, outputErr := w.cmd.StdoutPipe()
	if err := errors.Join(inputErr, outputErr); err != nil {
		cancel()
		return nil, err
	}
	w.input, w.output = input, bufio.NewReader(output)
	if err := w.cmd.Start(); err != nil {
		cancel()
		return nil, errorf("scripts cannot run: %q does not start: %v", argv[0], err)
	}
	if err := w.send(s); err != nil {
		w.stop()
		return nil, err
	}
	return w, nil
}

// stop ends the child and waits for it.
func (w *worker) stop() {
	w.cancel()
	_ = w.cmd.Wait() // it was killed
}

// send writes a message to the child.
func (w *worker) send(message any) error {
	line, err := json.Marshal(message)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err = w.input.Write(append(line, '\n'))
	return err
}

// serve runs the calls of the script until the script ends. It returns the outcome of the script,
// and how many calls the script made. Before it returns, it cancels the calls that still run, and
// waits for their end.
func (w *worker) serve(run func(context.Context, call) (string, error), limits Limits) (outcome, int, error) {
	var running sync.WaitGroup
	defer running.Wait()
	defer w.stop()
	slots := make(chan struct{}, maxParallel)
	for calls := 0; ; {
		m, err := w.read()
		switch {
		case err != nil:
			return outcome{}, calls, w.failure(err)
		case m.End != nil:
			return *m.End, calls, nil
		case m.Call == nil:
			return outcome{}, calls, w.failure(errors.New("an unknown message"))
		case calls == limits.Calls:
			return outcome{}, calls, errorf("the script called more than %d methods and was stopped; "+
				"the calls before that ran; do less in one script", limits.Calls)
		}
		calls++
		running.Go(func() {
			select {
			case slots <- struct{}{}:
				defer func() { <-slots }()
			case <-w.ctx.Done():
				return
			}
			s := resultMessage{ID: m.Call.ID}
			if s.Text, err = run(w.ctx, *m.Call); err != nil {
				s.Text, s.Error = err.Error(), true
			}
			_ = w.send(s) // if the child has ended, read returns an error
		})
	}
}

// errLongMessage is the error for a message of more than maxMessage bytes.
var errLongMessage = errorf("the script was stopped: it passed more than %d bytes to a method at once, or threw as much; use less data",
	maxMessage)

// read reads the next message of the child.
func (w *worker) read() (m workerMessage, err error) {
	var line []byte
	for {
		piece, err := w.output.ReadSlice('\n')
		if line = append(line, piece...); len(line) > maxMessage {
			return m, errLongMessage
		}
		if err == nil {
			err = json.Unmarshal(line, &m)
			return m, err
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return m, err
		}
	}
}

// failure returns why a child ended without a result.
func (w *worker) failure(err error) error {
	if cause := context.Cause(w.ctx); cause != nil {
		return cause
	}
	w.stop()
	if errors.Is(err, errLongMessage) {
		return err
	}
	if text := bytes.TrimSpace(w.stderr.Bytes()); len(text) > 0 {
		first, _, _ := bytes.Cut(text, []byte("\n"))
		return errorf("the script was stopped: %s", first)
	}
	return errorf("the script was stopped (%v, %v); it may have used too much memory or time", err, w.cmd.ProcessState)
}

// limitedWriter writes the first bytes, and drops the rest.
type limitedWriter struct {
	to   io.Writer
	left int // how many bytes it still writes
}

func (l *limitedWriter) Write(b []byte) (int, error) {
	n := min(len(b), l.left)
	l.left -= n
	if _, err := l.to.Write(b[:n]); err != nil {
		return 0, err
	}
	return len(b), nil
}
