package executor_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// secretName is the name of the secret parameter in all generated schemas, and secretSpellings are
// the spellings that count as this name.
const secretName = "api_key"

var secretSpellings = []string{secretName, "apiKey", "API-KEY", "Api Key"}

// secretArguments generates a schema, and arguments for it that contain secrets.
type secretArguments struct {
	t       *rapid.T
	open    bool     // objects take members that they do not declare
	secrets []string // the secrets in the arguments
	names   int      // how many names were generated
}

// token returns a random text.
func (s *secretArguments) token(label string) string {
	letters := []rune("abcdefghijkmnpqrstuvwxyzACDEFGHJKLMNPQRSTUVWXYZ23456789")
	odd := []rune(`"\/<>&é '密:,{}[]=%🔑` + "\n\t")
	var b strings.Builder
	for range rapid.IntRange(8, 24).Draw(s.t, label+" length") {
		if rapid.IntRange(0, 7).Draw(s.t, "odd") == 0 {
			b.WriteRune(rapid.SampledFrom(odd).Draw(s.t, "character"))
		} else {
			b.WriteRune(rapid.SampledFrom(letters).Draw(s.t, "letter"))
		}
	}
	return b.String()
}

// secret returns a value that must not be shown. depth limits its nested lists and objects.
func (s *secretArguments) secret(depth int) any {
	switch kind := rapid.IntRange(0, 6).Draw(s.t, "secret"); {
	case kind == 0:
		n := rapid.Int64Range(1e12, 1e15).Draw(s.t, "number")
		s.secrets = append(s.secrets, fmt.Sprint(n))
		return json.Number(fmt.Sprint(n))
	case kind == 1 && depth > 0:
		members := map[string]any{}
		for range rapid.IntRange(1, 3).Draw(s.t, "members") {
			name := s.token("name")
			s.secrets = append(s.secrets, name)
			members[name] = s.secret(depth - 1)
		}
		return members
	case kind == 2 && depth > 0:
		return []any{s.secret(depth - 1), s.secret(depth - 1)}
	case kind == 3 && depth > 0:
		return s.text(s.secret(depth - 1))
	}
	text := s.token("value")
	s.secrets = append(s.secrets, text)
	return text
}

// text returns a value as JSON, in one of several spellings.
func (s *secretArguments) text(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(rapid.Bool().Draw(s.t, "escape HTML"))
	if rapid.Bool().Draw(s.t, "indent") {
		e.SetIndent("", " ")
	}
	if err := e.Encode(v); err != nil {
		s.t.Fatal(err)
	}
	text := strings.TrimSpace(b.String())
	if rapid.IntRange(0, 3).Draw(s.t, "escape the name") == 0 {
		text = strings.ReplaceAll(text, "api", `\u0061p\u0069`)
	}
	return text
}

func (s *secretArguments) name() string {
	s.names++
	return fmt.Sprint("field", s.names)
}

// object returns a schema of an object, and a value for it. depth limits its nested objects.
func (s *secretArguments) object(depth int) (schema, value map[string]any) {
	properties, value := map[string]any{}, map[string]any{}
	for range rapid.IntRange(1, 3).Draw(s.t, "properties") {
		name := s.name()
		switch kind := rapid.IntRange(0, 4).Draw(s.t, "property"); {
		case kind == 0 && depth > 0:
			properties[name], value[name] = s.object(depth - 1)
		case kind == 1 && depth > 0:
			items, item := s.object(depth - 1)
			properties[name], value[name] = map[string]any{"type": "array", "items": items}, []any{item}
		case kind == 2:
			properties[name], value[name] = map[string]any{"type": "string"}, s.stringWithSecret(2)
		case kind == 3:
			properties[name] = map[string]any{"type": "object"}
			spelling := rapid.SampledFrom(secretSpellings).Draw(s.t, "spelling")
			value[name] = map[string]any{spelling: s.secret(2), "seen": "ok"}
		default:
			properties[secretName] = rapid.SampledFrom([]any{
				true, map[string]any{"description": "any"},
			}).Draw(s.t, "schema of the secret")
			value[secretName] = s.secret(2)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "additionalProperties": s.open}, value
}

// stringWithSecret returns a string that contains JSON with a secret, perhaps in a string of that
// JSON.
func (s *secretArguments) stringWithSecret(depth int) string {
	name := rapid.SampledFrom(secretSpellings).Draw(s.t, "spelling")
	if depth > 0 && rapid.Bool().Draw(s.t, "deeper") {
		return s.text(map[string]any{"inner": s.stringWithSecret(depth - 1), "list": []any{1, s.stringWithSecret(0)}})
	}
	return s.text(map[string]any{name: s.secret(1), "seen": "ok"})
}

// spoil changes parts of a value at random, so that its schema may refuse it. It keeps the secrets.
func (s *secretArguments) spoil(value map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(value)) {
		switch v := value[name].(type) {
		case string:
			if name != secretName && rapid.Bool().Draw(s.t, "a list for a string") {
				value[name] = []any{v}
			}
		case map[string]any:
			if name != secretName && rapid.Bool().Draw(s.t, "a string for an object") {
				value[name] = s.text(v) + rapid.SampledFrom([]string{"", "}", " x", `"`}).Draw(s.t, "damage")
			} else if name != secretName {
				s.spoil(v)
			}
		}
	}
	if rapid.Bool().Draw(s.t, "unknown") {
		value["nothing like it"] = s.secretArgument()
	}
}

func (s *secretArguments) secretArgument() any { return map[string]any{secretName: s.secret(2)} }

// repeats are the ways in which a handler repeats its arguments in an error.
var repeats = map[string]func(args string, cut int) error{
	"not at all": func(string, int) error { return nil },
	"as it is":   func(args string, _ int) error { return errors.New("cannot send " + args) },
	"quoted":     func(args string, _ int) error { return fmt.Errorf("cannot send %q", args) },
	"quoted twice": func(args string, _ int) error {
		return fmt.Errorf("%s said: %s", strconv.Quote("cannot"), strconv.Quote(strconv.Quote(args)))
	},
	"its beginning": func(args string, cut int) error { return fmt.Errorf("cannot send %.*q…", cut, args) },
	"a part":        func(args string, cut int) error { return errors.New("cannot send …" + args[min(cut, len(args)):]) },
	"decoded": func(args string, _ int) error {
		var v any
		_ = json.Unmarshal([]byte(args), &v)
		return fmt.Errorf("cannot send %v, that is %q", v, v)
	},
	"in an address": func(args string, _ int) error { return errors.New("GET /?" + url.QueryEscape(args)) },
	"as a problem": func(args string, cut int) error {
		return &schema.ArgumentsError{Problems: []schema.Problem{{
			Path: "field1", Expected: "better than " + args,
			Received: fmt.Sprintf("%.*s", cut, args),
		}}}
	},
	"in a panic": func(args string, _ int) error { panic("cannot send " + args) },
}

// pieceOf returns 8 consecutive bytes of the secret that occur in text, or "" if none do. It
// compares the two as they are, and then without their backslashes.
func pieceOf(secret, text string) string {
	bare := strings.NewReplacer(`\`, "")
	for _, pair := range [][2]string{{secret, text}, {bare.Replace(secret), bare.Replace(text)}} {
		for i := 0; i+8 <= len(pair[0]); i++ {
			if strings.Contains(pair[1], pair[0][i:i+8]) {
				return pair[0][i : i+8]
			}
		}
	}
	return ""
}

// TestLawSecretsAreHidden checks, with generated schemas and arguments, that no 8 consecutive bytes
// of a secret are shown, recorded or logged. (A law is a property that rapid checks with generated
// inputs.)
func TestLawSecretsAreHidden(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &secretArguments{t: t, open: rapid.Bool().Draw(t, "open")}
		parameters, value := s.object(2)
		parameters["properties"].(map[string]any)[secretName] = true // a secret parameter must be declared
		if rapid.Bool().Draw(t, "spoiled") {
			s.spoil(value)
		}
		document, err := json.Marshal(parameters)
		if err != nil {
			t.Fatal(err)
		}
		repeat := repeats[rapid.SampledFrom(slices.Sorted(maps.Keys(repeats))).Draw(t, "repeat")]
		cut := rapid.IntRange(10, 100).Draw(t, "cut")
		edit := rapid.IntRange(0, 3).Draw(t, "edit") == 0
		m, err := tool.Raw("tool", "", document, func(_ context.Context, c *tool.Call) (tool.Output, error) {
			return tool.Output{Text: "ok"}, repeat(string(c.Arguments), cut)
		}, tool.AgentCallable(), tool.SecretParameters(secretName))
		if err != nil {
			t.Fatal(err)
		}
		reg := tool.NewRegistry()
		if err := reg.Register(tool.Tool{ID: "t", Methods: []tool.Method{m}}); err != nil {
			t.Fatal(err)
		}
		req := executor.Request{ID: "1", ToolRequest: protocol.ToolRequest{ToolName: "t_tool"}}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			a := protocol.Argument{Name: name, Value: s.text(value[name]), Form: protocol.FormJSON}
			if text, ok := value[name].(string); ok && rapid.Bool().Draw(t, "plain text") {
				a.Value, a.Form = text, protocol.FormPlain
			}
			req.Arguments = append(req.Arguments, a)
		}
		var seen, log, audit bytes.Buffer
		fault := ""
		record := func(what string, v any) {
			text, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&seen, "%s: %s\n", what, text)
		}
		o := executor.Options{
			Policy: askAll, Logger: slog.New(slog.NewTextHandler(&log, nil)), Audit: executor.AuditJSON(&audit),
			Approver: func(_ context.Context, q executor.Question) (executor.Answer, error) {
				shown := q.Method.MaskArguments(q.Arguments)
				record("approval", shown)
				record("question", q)
				if back := q.Method.UnmaskArguments(shown, q.Arguments); string(back) != string(q.Arguments) {
					fault = fmt.Sprintf("%s\nunmasked is %s", q.Arguments, back)
				}
				switch {
				case q.Problem != "":
					return q.Deny(""), nil
				case edit:
					return q.Edit(append(json.RawMessage(`{"nothing like it, either":{"api key":`),
						append(q.Arguments, "}}"...)...)), nil
				}
				return q.Allow(), nil
			},
		}
		r := executor.New(reg, o).Execute(context.Background(), allVisible(), executor.Observer{},
			[]executor.Request{req})[0]
		if fault != "" {
			t.Fatal(fault)
		}
		record("result", r)
		record("details", r.Details)
		record("pending", executor.New(reg, o).Pending(allVisible(), req))
		entry, _ := reg.Lookup("t_tool")
		record("request", entry.MaskRequest(req.Arguments))
		for _, secret := range s.secrets {
			for _, out := range []*bytes.Buffer{&seen, &log, &audit} {
				if piece := pieceOf(secret, out.String()); piece != "" {
					t.Fatalf("%q of the secret %q is in\n%s\nSchema: %s\nArguments: %v", piece, secret, out, document,
						req.Arguments)
				}
			}
		}
	})
}
