package eval

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"sync"

	"github.com/vcpgo/vcp/tool"
)

// A ScriptedTool is a method whose results the suite contains.
type ScriptedTool struct {
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	// Changes means that a call changes something, so that an unexpected call counts as wrong.
	Changes bool             `json:"changes"`
	Results []ScriptedResult `json:"results"`

	method tool.Method // compiled once; each try has its own handler
}

// ScriptedResult is a result of a scripted tool. If several results fit a call, the first is given.
// In Result, Log, Error, File and Content, {NAME} stands for the value of the argument NAME.
type ScriptedResult struct {
	// When contains regular expressions, by the names of the arguments that must match them as a
	// whole.
	When map[string]string `json:"when"`
	// Times is how often the result is given; 0 means any number.
	Times  int    `json:"times"`
	Result string `json:"result"`
	Log    *Log   `json:"log"`   // in place of Result
	Error  string `json:"error"` // in place of Result and Log
	// File is the path of a file that is written with Content; "" writes none.
	File    string `json:"file"`
	Content string `json:"content"`
}

// compile checks the tool and makes its method, with a handler that does nothing.
func (s *ScriptedTool) compile(name string) error {
	risk := tool.RiskRead
	if s.Changes {
		risk = tool.RiskWrite
	}
	if _, err := newScript(s.Results, nil); err != nil {
		return err
	}
	nothing := func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, nil }
	method, err := tool.Raw(name, s.Description, s.Parameters, nothing,
		tool.FullName(name), tool.AgentCallable(), tool.WithRisk(risk))
	s.method = method
	return err
}

// script is the handler of one scripted tool in one try. It is safe for concurrent use.
type script struct {
	write   func(file, content string) error
	results []ScriptedResult
	when    []map[string]*regexp.Regexp // the compiled ScriptedResult.When of each result

	mutex sync.Mutex
	given []int // how often each result was given
}

// newScript checks the results and compiles their conditions. write writes a file in the directory
// of the try; it may be nil if run is never called.
func newScript(results []ScriptedResult, write func(file, content string) error) (*script, error) {
	s := &script{write: write, results: results, given: make([]int, len(results))}
	for i, r := range results {
		when := map[string]*regexp.Regexp{}
		for name, pattern := range r.When {
			compiled, err := regexp.Compile("^(?:" + pattern + ")$")
			if err != nil {
				return nil, patternError(fmt.Sprintf("results[%d].when.%s", i, name), err)
			}
			when[name] = compiled
		}
		if r.Log != nil {
			if _, err := r.Log.size(nil); err != nil {
				return nil, fmt.Errorf("results[%d].log: %w", i, err)
			}
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
			file, fileErr := filled(r.File, texts)
			content, err := filled(r.Content, texts)
			if err = cmp.Or(fileErr, err); err == nil {
				err = s.write(file, content)
			}
			if err != nil {
				return tool.Output{}, err
			}
		}
		if r.Error != "" {
			text, err := filled(r.Error, texts)
			return tool.Output{}, cmp.Or(err, errors.New(text))
		}
		text, err := filled(r.Result, texts)
		if r.Log != nil {
			text, err = r.Log.text(texts)
		}
		return tool.Output{Text: text}, err
	}
	return tool.Output{}, fmt.Errorf("no result fits the arguments %s", call.Arguments)
}

// fits reports whether all patterns match the arguments. An absent argument counts as "".
func fits(when map[string]*regexp.Regexp, arguments map[string]string) bool {
	for name, pattern := range when {
		if !pattern.MatchString(arguments[name]) {
			return false
		}
	}
	return true
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
