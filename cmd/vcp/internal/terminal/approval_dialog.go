package terminal

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/orderedjson"
)

// ApproveHelp explains the values of --approve.
const ApproveHelp = `--approve says which tool calls run without approval, by the risk of their methods. A method that declares no
risk counts as writing:
  ask    none; each call needs approval
  never  none; each call is denied, and nobody is asked
  read   those that only read; the others need approval (this is the default)
  write  those that read or write; the dangerous ones need approval
  all    all of them
Calls of the shell, plug-ins and MCP servers need approval even with write and all, unless the configuration says otherwise.
If nobody can be asked, the model is not shown the methods that would need approval.
Rules for single tools and methods (approveRules in the file that --config names) win over --approve.`

// dialog asks a person about one call.
type dialog struct {
	*terminal
	phrases
	lineMode func() (restore func()) // makes the terminal read whole lines
	call     executor.Question
}

// decide asks until the person allows, changes or denies the call. A call is allowed only if all of
// it was shown, or if the person has written all of its arguments.
func (d *dialog) decide(ctx context.Context) (executor.Answer, error) {
	q := question{
		phrases: d.phrases,
		method:  d.call.Method.FullName, risk: d.call.Method.Risk(),
		arguments: d.call.Method.MaskArguments(d.call.Arguments), preview: d.call.Preview,
		warnings: d.warningsOf(&d.call),
	}
	if d.call.Problem != "" {
		q.note = d.Say("The arguments were not accepted: %s", d.call.Problem)
	}
	whole := false // show the whole call, in any number of rows
	for {
		var shown shownQuestion
		line, err := d.ask(ctx, func(s screen) (body, prompt string, err error) {
			if shown, err = q.fit(s); whole && err == nil {
				shown = q.whole(s)
			}
			return shown.body, shown.prompt, err
		})
		if err != nil {
			return executor.Answer{}, err
		}
		q.note = ""
		word, rest := firstWord(line)
		switch word = strings.ToLower(word); word {
		case "", "n", "no":
			return d.call.Deny(withoutBecause(rest)), nil
		case "show":
			whole = true
			continue
		case "y", "yes", "a", "always", "e", "edit":
			edit := word == "e" || word == "edit"
			switch {
			case edit && rest != "":
				return d.call.Edit(json.RawMessage(rest)), nil
			case rest != "":
				q.note = d.Say("Write y or always without other words. Nothing was allowed.")
			case shown.omitted > 0:
				q.note = d.Say("Nothing was allowed. show displays what is missing here.")
			case edit:
				return d.edit(ctx)
			case word == "y" || word == "yes":
				return d.call.Allow(), nil
			default:
				note := d.Say("From now on this runs without asking: %s.", d.granted())
				_ = d.write(ctx, d.Say("[note] ")+note+"\n") // the answer counts even if this cannot be written
				return d.call.AllowForConversation(), nil
			}
		default:
			_ = d.write(ctx, d.help()) // if this write fails, the next question fails too
		}
		whole = false
	}
}

// ask shows the question that render makes for the size of the screen. If the program was stopped
// while the question was open, ask shows the question again. ask returns the typed line without the
// blanks around it.
func (d *dialog) ask(ctx context.Context, render func(s screen) (body, prompt string, err error)) (string, error) {
	for {
		body, prompt, err := render(d.size())
		if err != nil {
			return "", err
		}
		line, err := d.terminal.ask(ctx, body, prompt)
		if !errors.Is(err, errResumed) {
			return strings.TrimSpace(line), err
		}
		d.lineMode() // again, since the shell may have changed the mode while the program was stopped
	}
}

// help explains the answers.
func (d *dialog) help() string {
	return d.Say(`  y         allows this call
  always    also allows %s until the conversation ends
  edit      changes its arguments one by one
  edit {…}  replaces all of its arguments
  show      displays the whole call
  no        denies it; the model gets the words after no as the reason
Lines with ! say what changed in the method, and which words came from a tool, a file, an import or another person.
`, d.granted())
}

// granted describes the calls that the answer always allows.
func (d *dialog) granted() string {
	name := Visible(d.call.Method.FullName)
	if d.call.GrantsMethod {
		return d.Say("all calls of %s", name)
	}
	return d.Say("all calls of %s with these arguments", name)
}

// edit asks for new values of the arguments, one after the other.
func (d *dialog) edit(ctx context.Context) (executor.Answer, error) {
	var values, masked map[string]json.RawMessage
	shown := d.call.Method.MaskArguments(d.call.Arguments)
	if err := errors.Join(json.Unmarshal(d.call.Arguments, &values), json.Unmarshal(shown, &masked)); err != nil {
		return executor.Answer{}, err
	}
	names, types := parametersOf(d.call, values)
	hint := d.Say("[edit] Enter keeps the value in brackets. Write lists and objects as JSON.") + "\n"
	for _, name := range names {
		value := d.Say("not set")
		if v, ok := masked[name]; ok {
			value = valueText(v, math.MaxInt)
		}
		line, err := d.ask(ctx, func(s screen) (body, prompt string, err error) {
			return hint, editPrompt(s, name, value), nil
		})
		if err != nil {
			return executor.Answer{}, err
		}
		if line != "" {
			values[name] = typedValue(line, types[name])
		}
		hint = ""
	}
	object, err := json.Marshal(values)
	return d.call.Edit(object), err
}

// parametersOf returns the declared types by name, and all names: first the declared parameters,
// then the arguments in values that the method does not declare.
func parametersOf(q executor.Question, values map[string]json.RawMessage) (names []string, types map[string]string) {
	types = map[string]string{}
	for _, p := range q.Method.Method.Parameters.Properties() {
		names = append(names, p.Name)
		types[p.Name] = p.Type
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, types
}

// typedValue returns a person's input as the JSON value of an argument. If the declared type is
// "string", or the input is not JSON, the value is a string.
func typedValue(line, declaredType string) json.RawMessage {
	if declaredType != "string" && json.Valid([]byte(line)) {
		return json.RawMessage(line)
	}
	return orderedjson.String(line)
}

// firstWord splits a line into its first word and the rest. It drops blanks, commas and colons
// between them. A brace belongs to the rest, as in edit{"a":1}.
func firstWord(line string) (word, rest string) {
	i := strings.IndexFunc(line, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",:{，：", r) })
	if i < 0 {
		return line, ""
	}
	return line[:i], strings.TrimLeft(line[i:], " \t,:，：")
}

// withoutBecause returns the reason in "because REASON", or all of the text.
func withoutBecause(text string) string {
	if word, rest := firstWord(text); strings.EqualFold(word, "because") {
		return rest
	}
	return text
}
