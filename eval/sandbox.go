package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
)

// sandbox is the directory of one try at a task, and its tools. Nothing outside of it is reached.
type sandbox struct {
	dir      string
	root     *os.Root
	registry *tool.Registry
}

// newSandbox makes the directory and the tools of a task. The caller closes it.
func (t *Task) newSandbox() (*sandbox, error) {
	dir, err := os.MkdirTemp("", "vcp-eval-")
	if err != nil {
		return nil, err
	}
	box := &sandbox{dir: dir, registry: tool.NewRegistry()}
	if box.root, err = os.OpenRoot(dir); err == nil {
		err = errors.Join(t.writeFiles(box), t.registerTools(box))
	}
	if err != nil {
		box.close()
		return nil, err
	}
	return box, nil
}

func (b *sandbox) close() {
	if b.root != nil {
		_ = b.root.Close() // what it was used for is done
	}
	_ = os.RemoveAll(b.dir) // a directory of ours, below that for temporary files
}

// write writes a file, and makes the directories that it is in.
func (b *sandbox) write(name, content string) error {
	if dir := path.Dir(name); dir != "." {
		if err := b.root.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	return b.root.WriteFile(name, []byte(content), 0o600)
}

// read returns the content of a file; ok is false if there is none.
func (b *sandbox) read(name string) (content string, ok bool, err error) {
	data, err := b.root.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	return string(data), err == nil, err
}

func (t *Task) writeFiles(box *sandbox) error {
	for name, content := range t.Files {
		if err := box.write(name, content); err != nil {
			return err
		}
	}
	for _, log := range t.Logs {
		if err := box.write(log.Path, log.text()); err != nil {
			return err
		}
	}
	return nil
}

func (l *LogFile) text() string {
	var b strings.Builder
	for n := 1; n <= l.Lines; n++ {
		number := strconv.Itoa(n)
		line, ok := l.At[number]
		if !ok {
			line = strings.ReplaceAll(l.Line, "{n}", number)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

func (t *Task) registerTools(box *sandbox) error {
	var scripted []tool.Method
	for _, name := range t.Tools {
		var (
			own tool.Tool
			err error
		)
		switch name {
		case "files":
			own, err = builtin.Files(box.root)
		case "calculator":
			own, err = builtin.Calculator()
		case "clock":
			own, err = builtin.Clock()
		default:
			var results *script
			method := t.suite.Tools[name].method
			if results, err = newScript(t.suite.Tools[name].Results, box); err == nil {
				method.Handler = results.run
			}
			scripted = append(scripted, method)
		}
		if err == nil && own.ID != "" {
			err = box.registry.Register(own)
		}
		if err != nil {
			return err
		}
	}
	if len(scripted) == 0 {
		return nil
	}
	return box.registry.Register(tool.Tool{ID: "scripted", Methods: scripted})
}

// script gives the results of one scripted tool. It is safe for concurrent use.
type script struct {
	box     *sandbox
	results []Scripted
	when    []map[string]*regexp.Regexp

	mutex sync.Mutex
	given []int // how often each result was given
}

func newScript(results []Scripted, box *sandbox) (*script, error) {
	s := &script{box: box, results: results, given: make([]int, len(results))}
	for _, r := range results {
		when := map[string]*regexp.Regexp{}
		for name, pattern := range r.When {
			compiled, err := regexp.Compile("^(?:" + pattern + ")$")
			if err != nil {
				return nil, err
			}
			when[name] = compiled
		}
		s.when = append(s.when, when)
	}
	return s, nil
}

// run is the handler of the method.
func (s *script) run(_ context.Context, call *tool.Call) (tool.Output, error) {
	var arguments map[string]any
	if err := decodeNumbers(call.Arguments, &arguments); err != nil {
		return tool.Output{}, err
	}
	texts := map[string]string{}
	for name, value := range arguments {
		texts[name] = textOf(value)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for i, r := range s.results {
		if r.Times > 0 && s.given[i] >= r.Times || !fits(s.when[i], texts) {
			continue
		}
		s.given[i]++
		if r.File != "" {
			if err := s.box.write(filled(r.File, texts), filled(r.Content, texts)); err != nil {
				return tool.Output{}, err
			}
		}
		if r.Error != "" {
			return tool.Output{}, errors.New(filled(r.Error, texts))
		}
		return tool.Output{Text: filled(r.Result, texts)}, nil
	}
	return tool.Output{}, fmt.Errorf("nothing is known for %s", call.Arguments)
}

func fits(when map[string]*regexp.Regexp, arguments map[string]string) bool {
	for name, pattern := range when {
		if !pattern.MatchString(arguments[name]) {
			return false
		}
	}
	return true
}

// filled returns a text with the values in place of {NAME}.
func filled(text string, values map[string]string) string {
	pairs := make([]string, 0, 2*len(values))
	for name, value := range values {
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// textOf returns a value as text: strings without quotation marks, and anything else as JSON.
func textOf(value any) string {
	if s, ok := value.(string); ok {
		return s
	}
	data, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(data)
}
