package mcp

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/vcpgo/vcp/internal/redact"
)

const (
	// keptOutput limits what is kept of a server's standard error, in bytes. The last bytes are
	// kept.
	keptOutput = 4 << 10
	// shownOutput limits a foreign text in an error, in bytes. The reason of a failed connection
	// may have twice as many.
	shownOutput = 400
	// maxNoise limits what a server writes to its standard output besides messages, in bytes.
	maxNoise = 1 << 20
)

// output records what a server in a child process wrote besides messages, and how it exited. It is
// safe for concurrent use.
type output struct {
	noticed chan struct{} // closed at the first text on the standard output that is not a message

	mu         sync.Mutex
	stderr     []byte // the last keptOutput bytes
	noiseBytes int    // counts what is not a message on the standard output
	firstNoise string // the first line that is not a message
	exit       string // "" while the child runs
}

func newOutput() *output { return &output{noticed: make(chan struct{})} }

// Write implements io.Writer. It keeps the last keptOutput bytes of the standard error.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stderr = append(o.stderr, p[max(0, len(p)-keptOutput):]...)
	if extra := len(o.stderr) - keptOutput; extra > 0 {
		o.stderr = append(o.stderr[:0], o.stderr[extra:]...)
	}
	return len(p), nil
}

// noise counts a line of the standard output that is not a message. It returns an error after more
// than maxNoise bytes of such lines.
func (o *output) noise(line []byte) error {
	if len(line) == 0 {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.noiseBytes == 0 {
		o.firstNoise = string(line[:min(len(line), keptOutput)])
		close(o.noticed)
	}
	if o.noiseBytes += len(line); o.noiseBytes > maxNoise {
		return errorf("the server wrote more than %d MiB to its standard output that are not messages", maxNoise>>20)
	}
	return nil
}

// exited records how the server exited. err is the result of exec.Cmd.Wait.
func (o *output) exited(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.exit = "exit status 0"
	if err != nil {
		o.exit = err.Error()
	}
}

// warning returns a sentence for people if the standard output contains text that is not a message,
// and otherwise "".
func (o *output) warning(r *redact.Redactor) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.noiseBytes == 0 {
		return ""
	}
	return fmt.Sprintf("the server writes text to its standard output, which is for messages only; "+
		"such lines are ignored (first: %q)", r.Line(o.firstNoise, shownOutput))
}

// exitReport returns how the server exited, for an explanation; nil if it still runs.
func (o *output) exitReport() []error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.exit == "" {
		return nil
	}
	return []error{errorf("the server exited (%s)", o.exit)}
}

// report returns what the server wrote besides messages, for an explanation. The texts contain no
// secrets.
func (o *output) report(r *redact.Redactor) (parts []error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if text := bytes.TrimSpace(o.stderr); len(text) > 0 {
		text = bytes.TrimLeft(text[max(0, len(text)-shownOutput):], "\uFFFD") // without half a character
		parts = append(parts, errorf("the end of its standard error is %q", r.Line(string(text), shownOutput)))
	}
	if o.firstNoise != "" {
		noise := r.Line(o.firstNoise, shownOutput)
		parts = append(parts, errorf("its standard output contains text that is not a message, first %q", noise))
	}
	return parts
}
