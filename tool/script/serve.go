package script

import (
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"modernc.org/quickjs"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/text"
)

//go:embed prelude.js
var prelude string

// maxDepth limits how deep calls of functions are nested in a script. The stack of the
// interpreter is measured in calls, not in bytes.
const maxDepth = 2000

// overrunTime is how long a script may compute beyond its limit. Then the process ends, because a
// single function of the interpreter, such as indexOf, cannot be interrupted.
const overrunTime = 5 * time.Second

// Serve runs one script in this process. It reads the script from input, and writes calls of
// methods and the result to output. It limits the memory and the time of the process, and may end
// the process, so call it in a process that does nothing else, with standard input and output. The
// error says that the input is not a script, or that output cannot be written. A failure of the
// script is a part of the result.
func Serve(input io.Reader, output io.Writer) error {
	s := &server{input: json.NewDecoder(input), output: json.NewEncoder(output)}
	s.output.SetEscapeHTML(false) // an escape would count six bytes of maxMessage
	if err := s.input.Decode(&s.start); err != nil {
		return err
	}
	limitProcess(s.start.Limits)
	s.overrun = time.AfterFunc(s.start.Limits.Compute+overrunTime, func() {
		_ = s.end(errInterrupted) // an error means that nobody reads the result
		os.Exit(1)
	})
	err := s.run()
	s.overrun.Stop()
	return s.end(err)
}

// errInterrupted is the error of a script that computed for too long. The interpreter uses the same
// words.
var errInterrupted = errors.New("InternalError: interrupted")

// server runs a script in this process.
type server struct {
	start   startMessage
	input   *json.Decoder
	overrun *time.Timer // ends the process; it runs while the script computes

	mu      sync.Mutex // for output and printed
	output  *json.Encoder
	printed strings.Builder
	failed  error // output could not be written, or the script printed more than is allowed

	waiting  int   // calls without a result
	finished bool  // the script's function has returned or thrown
	thrown   error // what the function threw; nil if it returned
}

// end writes the result of the script, which is an error if err is not nil. It keeps mu, so that
// nothing is written after the result.
func (s *server) end(err error) error {
	s.mu.Lock()
	result := outcome{Output: s.printed.String()}
	if err != nil {
		result.Error = s.explain(err).In(s.start.Language)
	}
	return s.output.Encode(workerMessage{End: &result})
}

// run runs the script to its end.
func (s *server) run() error {
	vm, err := quickjs.NewVM()
	if err != nil {
		return err
	}
	defer vm.Close() //nolint:errcheck // the process ends
	vm.SetMemoryLimit(uintptr(s.start.Limits.MemoryBytes))
	vm.SetMaxStackSize(maxDepth)
	if err := vm.SetEvalTimeout(s.start.Limits.Compute); err != nil {
		return err
	}
	for name, fn := range map[string]quickjs.HostFunc{
		"hostPrint": s.hostPrint, "hostCall": s.hostCall, "hostEnd": s.hostEnd,
	} {
		if err := vm.RegisterHostFunc(name, fn); err != nil {
			return err
		}
	}
	names, err := json.Marshal(s.start.Methods)
	if err != nil {
		return err
	}
	host, err := vm.EvalValue("("+prelude+")("+string(names)+", "+s.preludeTexts()+")", quickjs.EvalGlobal)
	if err != nil {
		return err
	}
	defer host.Free()
	body, err := vm.EvalValue("(async () => {\n"+s.start.Code+"\n})", quickjs.EvalGlobal)
	if err != nil {
		return err
	}
	defer body.Free()
	if _, err := host.Call(quickjs.UndefinedValue, "run", body); err != nil {
		return err
	}
	for {
		// After the end of the script, an error in what it left behind does not count.
		if _, err := vm.ExecutePendingJobs(); err != nil && !s.finished {
			return err
		}
		switch {
		case s.failed != nil:
			return s.failed
		case s.finished:
			return s.thrown
		case s.waiting == 0:
			return errorf("the script waits for a promise that nothing will settle; " +
				"there are no timers, so only calls of methods are worth waiting for")
		}
		var r resultMessage
		s.overrun.Stop()
		if err := s.input.Decode(&r); err != nil {
			return err
		}
		s.overrun.Reset(s.start.Limits.Compute + overrunTime)
		s.waiting--
		if _, err := host.Call(quickjs.UndefinedValue, "settle", r.ID, r.Text, r.Error); err != nil {
			return err
		}
	}
}

// preludeTexts returns the error texts of prelude.js as JSON.
func (s *server) preludeTexts() string {
	texts, _ := json.Marshal(map[string]string{ // encoding texts cannot fail
		"noMethod":    errorf("there is no method %s", "%s").In(s.start.Language),
		"takesObject": errorf(`%s takes one object with the arguments, such as {path: "a.txt"}`, "%s").In(s.start.Language),
		"noCode": errorf("%s makes code from a text, which a script cannot do; write all code in the script, "+
			"and read data with JSON.parse", "%s").In(s.start.Language),
		"threw": errorf("the script threw %s", "%s").In(s.start.Language),
	})
	return string(texts)
}

// hostPrint adds a text to the output.
func (s *server) hostPrint(args []any) (any, error) {
	text, _ := args[0].(string)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.printed.Len()+len(text) > s.start.Limits.OutputBytes {
		s.failed = errorf("the script printed more than is allowed (%d bytes); print less, such as a summary", s.start.Limits.OutputBytes)
		return nil, s.failed
	}
	s.printed.WriteString(text)
	return nil, nil
}

// hostCall passes a call to the engine's process.
func (s *server) hostCall(args []any) (any, error) {
	id, _ := args[0].(int)
	method, _ := args[1].(string)
	arguments, _ := args[2].(string)
	s.waiting++
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.output.Encode(workerMessage{Call: &call{id, method, json.RawMessage(arguments)}}); err != nil {
		s.failed = err
		return nil, err
	}
	return nil, nil
}

// hostEnd is called when the script's function has returned or thrown. If it has thrown, args are
// the text and the stack trace of the error.
func (s *server) hostEnd(args []any) (any, error) {
	s.finished = true
	if len(args) == 2 {
		text, _ := args[0].(string)
		stack, _ := args[1].(string)
		s.thrown = &scriptError{text, stack}
	}
	return nil, nil
}

// scriptError is what a script threw.
type scriptError struct{ text, stack string }

func (e *scriptError) Error() string { return e.text }

// stackLine finds the line in a stack trace of the script.
var stackLine = regexp.MustCompile(`<(?:evalScript|input|script|eval)>:(\d+)`)

// maxShownLine limits what an error shows of a line of the script, in bytes.
const maxShownLine = 200

// explain returns what failed, at which line, and what to do.
func (s *server) explain(err error) *message.Text {
	stack, line := "", 0
	if thrown, ok := errors.AsType[*scriptError](err); ok {
		stack = thrown.stack
	} else if failure, ok := errors.AsType[*quickjs.Error](err); ok {
		stack, line = failure.Stack, failure.LineNumber
	}
	if m := stackLine.FindStringSubmatch(stack); m != nil && line == 0 {
		line, _ = strconv.Atoi(m[1])
	}
	located := err
	if line--; line > 0 && line <= 1+strings.Count(s.start.Code, "\n") { // the script begins in the second line
		source := strings.TrimSpace(strings.Split(s.start.Code, "\n")[line-1])
		located = errorf("%s (line %d: %s)", err, line, text.Prefix(source, maxShownLine))
	}
	return s.withHint(located, err.Error())
}

// withHint returns located with a hint on how to correct the code. text is the text of the error
// without the line.
func (s *server) withHint(located error, text string) *message.Text {
	l := s.start.Limits
	switch {
	case strings.Contains(text, "interrupted"):
		return errorf("%s; the script computed for more than %v without waiting for a method; look for an endless loop",
			located, l.Compute.Round(time.Millisecond))
	case text == "null", text == errorf("the script threw %s", "null").In(s.start.Language):
		// The script threw null, or there was no memory for the error itself.
		if text == "null" {
			located = errorf("the script threw %s", text)
		}
		return errorf("%s; if the code does not throw null, it used more than %d MiB; keep less data at once", located, l.MemoryBytes>>20)
	case strings.Contains(text, "out of memory"):
		return errorf("%s; a script may use %d MiB; keep less data at once", located, l.MemoryBytes>>20)
	case strings.Contains(text, "stack overflow"), strings.Contains(text, "Maximum call stack"):
		return errorf("%s; functions call each other too deeply; use a loop", located)
	case strings.Contains(text, "is not defined"):
		return errorf("%s; only JavaScript itself, print, call and the methods exist here", located)
	case strings.Contains(text, "SyntaxError"):
		return errorf("%s; the code is the body of an async function in JavaScript, without types and imports", located)
	}
	return errorf("%s", located)
}
