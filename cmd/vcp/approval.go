package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
)

// approveHelp says what the values of --approve mean.
const approveHelp = `--approve says which tool calls run without asking, by what their methods may do; one that does not say counts as writing:
  ask    none; each call is asked for
  never  none, and nobody is asked; each call is denied
  read   those that only read; the others are asked for
  write  those that read or write; the dangerous ones are asked for (this is the default)
  all    all of them
Rules for single tools and methods (approveRules in the file that --config names) win over it.`

const (
	question = "Allow this call? y, always, edit, or no and why [no] "
	editHint = "One argument after the other: Enter keeps what stands in brackets; what is not plain text is written as JSON."
)

// callText shows a call with all of its arguments: who allows it has to see what it does. Secrets are nobody's business on a screen.
func callText(q executor.Approval) string {
	return "[tool] " + visible(q.Method.FullName) + argumentsText(q.Method.MaskArguments(q.Arguments), 0)
}

// Approve has a person answer. Whoever says nothing, or leaves with Ctrl-D, denies.
func (a *asker) Approve(ctx context.Context, q executor.Approval) (executor.Answer, error) {
	if !a.possible {
		a.missed = q.Method
		return q.Deny("there is no terminal to ask on."), nil
	}
	if q.Problem != "" {
		a.show("[note] the arguments cannot be taken: " + visible(q.Problem))
	}
	a.show(callText(q))
	for {
		line, err := a.line(ctx, question)
		if errors.Is(err, io.EOF) {
			return q.Deny(""), nil
		}
		if err != nil {
			return executor.Answer{}, err
		}
		word, rest := firstWord(line)
		word = strings.ToLower(word)
		if rest != "" && (word == "y" || word == "yes" || word == "a" || word == "always") {
			a.show("[note] y and always stand alone: nothing was allowed.")
			continue
		}
		switch word {
		case "y", "yes":
			return q.Allow(), nil
		case "a", "always":
			a.show("[note] runs without asking from now on: " + granted(q))
			return q.AllowForConversation(), nil
		case "e", "edit":
			return a.edit(ctx, q, rest)
		case "", "n", "no":
			return q.Deny(withoutBecause(rest)), nil
		}
		a.show("[note] y allows this call. always also allows, for the rest of this conversation, " + granted(q) +
			". edit changes its arguments, edit {…} all of them at once. no denies it; what follows no is told to the model.")
	}
}

// granted says what always allows.
func granted(q executor.Approval) string {
	name := visible(q.Method.FullName)
	if q.GrantsMethod {
		return name
	}
	return name + " with these very arguments"
}

// edit has the arguments changed: all at once, as the JSON in text, or one after the other.
func (a *asker) edit(ctx context.Context, q executor.Approval, text string) (executor.Answer, error) {
	if text != "" {
		return q.Edit(json.RawMessage(text)), nil
	}
	a.show("[note] " + editHint)
	var values, masked map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(q.Arguments, &values), json.Unmarshal(q.Method.MaskArguments(q.Arguments), &masked)); err != nil {
		return executor.Answer{}, err
	}
	names, types := parametersOf(q, values)
	for _, name := range names {
		shown := "left out"
		if value, ok := masked[name]; ok {
			shown = valueText(value, 0)
		}
		line, err := a.line(ctx, fmt.Sprintf("%s [%s] ", visible(name), shown))
		if errors.Is(err, io.EOF) {
			return q.Deny(""), nil
		}
		if err != nil {
			return executor.Answer{}, err
		}
		if line != "" {
			values[name] = typedValue(line, types[name])
		}
	}
	object, err := json.Marshal(values)
	return q.Edit(object), err
}

// parametersOf returns what a method takes, as it declares it, and then what the call has besides; and the declared types.
func parametersOf(q executor.Approval, values map[string]json.RawMessage) (names []string, types map[string]string) {
	types = map[string]string{}
	for _, p := range q.Method.Method.Parameters.Properties() {
		names = append(names, p.Name)
		types[p.Name] = p.Type
	}
	var others []string
	for name := range values {
		if !slices.Contains(names, name) {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	return append(names, others...), types
}

// typedValue is the JSON value that a person has typed for an argument: text as it is where the method takes text.
func typedValue(line, kind string) json.RawMessage {
	if kind != "string" && json.Valid([]byte(line)) {
		return json.RawMessage(line)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(line) // a string always encodes
	return bytes.TrimSpace(b.Bytes())
}

// firstWord splits a line after its first word, and a comma or a colon behind that.
func firstWord(line string) (word, rest string) {
	i := strings.IndexFunc(line, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",:{", r) })
	if i < 0 {
		return line, ""
	}
	return line[:i], strings.TrimLeft(line[i:], " \t,:")
}

// withoutBecause returns the reason in "because REASON", or all of the text.
func withoutBecause(text string) string {
	if word, rest := firstWord(text); strings.EqualFold(word, "because") {
		return rest
	}
	return text
}

// line has one line typed, and returns it without the blanks around it.
func (a *asker) line(ctx context.Context, question string) (string, error) {
	line, err := a.alone(func() (string, error) { return a.ask(ctx, question) })
	return strings.TrimSpace(line), err
}

// mayAsk refuses to begin where calls would be asked for and nobody can be asked. file is that of the configuration, if there is one.
func mayAsk(a *asker, e *engine.Engine, file string) error {
	if a.possible || e.Config().Mode == engine.ModeManual {
		return nil
	}
	policy := e.Config().Policy()
	for _, m := range e.NewSession("").Methods() {
		if policy.Decide(m) == executor.DecisionAsk {
			return cannotAsk(m, policy, file)
		}
	}
	return nil
}

// cannotAsk says why a call would be asked for, and how it need not be.
func cannotAsk(m *tool.Entry, policy executor.Policy, file string) error {
	if i := askingRule(m, policy.Rules); i >= 0 {
		return usagef("calls of %s are to be asked for by approveRules[%d] (%s) in %s, and standard input is no terminal to ask on; rules win "+
			"over --approve, so take this one out, or have it allow or deny", m.FullName, i, visible(ruleText(policy.Rules[i])), file)
	}
	return usagef("calls of %s are to be asked for, and standard input is no terminal to ask on; say with --approve what may run "+
		"without asking, or that nothing may with --approve never", m.FullName)
}

// askingRule returns the rule by which calls of a method are asked for; -1 where none decides.
func askingRule(m *tool.Entry, rules []executor.Rule) int {
	for i, r := range rules {
		if r.Decision != executor.DecisionAsk {
			continue
		}
		// If all others were to allow, it alone would ask, where none is narrower.
		others := slices.Clone(rules)
		for j := range others {
			if j != i {
				others[j].Decision = executor.DecisionAllow
			}
		}
		if (executor.Policy{Approve: executor.ApproveAll, Rules: others}).Decide(m) == executor.DecisionAsk {
			return i
		}
	}
	return -1
}
