package executor_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"html"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// A secret that a person typed, and that the tool repeats in its error, is masked for the model.
func TestEditedSecretIsHidden(t *testing.T) {
	const secret = "p@ss & <hush>/\"é\""
	quoted := func(text string) string {
		escaped, err := json.Marshal(text) // escapes &, < and >
		require.NoError(t, err)
		return string(escaped)
	}
	for name, repeat := range map[string]func(c *tool.Call) string{
		"as it is":                     func(*tool.Call) string { return "refused " + secret },
		"in the arguments":             func(c *tool.Call) string { return "refused " + string(c.Arguments) },
		"in an address":                func(*tool.Call) string { return "GET /?q=" + url.QueryEscape(secret) },
		"in a path":                    func(*tool.Call) string { return "GET /" + url.PathEscape(secret) },
		"as Go quotes it":              func(*tool.Call) string { return "open " + strconv.Quote(secret) },
		"in ASCII":                     func(*tool.Call) string { return "open " + strconv.QuoteToASCII(secret) },
		"in JSON that escapes < and &": func(*tool.Call) string { return "server said " + quoted(secret) },
		"in quoted JSON":               func(*tool.Call) string { return "server said " + quoted(quoted(secret)) },
		"in HTML":                      func(*tool.Call) string { return "<p>" + html.EscapeString(secret) },
		"as a user name":               func(*tool.Call) string { return "GET //" + url.User(secret).String() + "@host/" },
		"as a password":                func(*tool.Call) string { return "GET //" + url.UserPassword("eve", secret).String() + "@host/" },
		"as a whole path":              func(*tool.Call) string { return "GET " + (&url.URL{Path: "/" + secret}).String() },
	} {
		t.Run(name, func(t *testing.T) {
			o := askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
				return q.Edit(json.RawMessage(`{"text":` + quoted(secret) + `}`)), nil
			})
			h := func(_ context.Context, c *tool.Call) (tool.Output, error) {
				return tool.Output{}, errors.New(repeat(c))
			}
			x := executor.New(registry(t, method(t, "tool", h, tool.SecretParameters("text"))), o)
			r := execute(t, x, request("1", "t_tool", "text", "x"))
			require.Equal(t, executor.ErrorExecutionFailed, r.ErrorType)
			note, failure, _ := strings.Cut(r.ToolResult.Result, "\n")
			require.Equal(t, `[The user changed the arguments of this call to {"text":"[secret]"}]`, note)
			require.NotContains(t, failure, "hush")
			require.NotContains(t, failure, "ss") // the end of p@ss, which no spelling escapes
			require.Contains(t, failure, tool.Masked)
		})
	}
}

func TestMaskedSecretKeepsItsValue(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"user":{"type":"string"},"password":{"type":"string"}}}`)
	var ran string
	m, err := tool.Raw("login", "", schema, func(_ context.Context, c *tool.Call) (tool.Output, error) {
		ran = string(c.Arguments)
		return tool.Output{}, nil
	}, tool.AgentCallable(), tool.SecretParameters("password"))
	require.NoError(t, err)
	x := executor.New(registry(t, m), askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
		shown := string(q.Method.MaskArguments(q.Arguments))
		return q.Edit(json.RawMessage(strings.Replace(shown, "eve", "bob", 1))), nil
	}))
	q := request("1", "t_login", "user", "eve", "password", "hush")
	r := execute(t, x, q)
	require.Equal(t, protocol.StatusSuccess, r.Status, r.ToolResult.Result)
	require.JSONEq(t, `{"user":"bob","password":"hush"}`, ran)
	require.NotContains(t, r.ToolResult.Result, "hush")
}

func TestRefusedEditHidesSecrets(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"token":{"type":"string","pattern":"^A"}}}`)
	m, err := tool.Raw("run", "", schema, says("ok"), tool.AgentCallable(), tool.SecretParameters("token"))
	require.NoError(t, err)
	var log bytes.Buffer
	var problems []string
	o := askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
		problems = append(problems, q.Problem)
		return q.Edit(json.RawMessage(`{"token":"hush-hush"}`)), nil
	})
	o.Logger = slog.New(slog.NewTextHandler(&log, nil))
	r := execute(t, executor.New(registry(t, m), o), request("1", "t_run", "token", "A"))
	require.Equal(t, executor.ErrorPermissionDenied, r.ErrorType)
	require.Len(t, problems, 5)
	require.Equal(t, "invalid arguments: token: expected text that matches ^A, got [secret]", problems[1])
	require.Contains(t, log.String(), "got [secret]")
	require.NotContains(t, log.String(), "hush")
	require.NotContains(t, r.ToolResult.Result, "hush")
}

func TestProblemsHideSecrets(t *testing.T) {
	parameters := json.RawMessage(`{"type":"object","properties":{
		"token":{"type":"string","pattern":"^A"},
		"login":{"type":"object","properties":{"token":{"type":"integer"}},"additionalProperties":false},
		"name":{"type":"integer"}},"required":["name"]}`)
	m, err := tool.Raw("run", "", parameters, says("ok"), tool.AgentCallable(), tool.SecretParameters("token"))
	require.NoError(t, err)
	x := executor.New(registry(t, m), executor.Options{Logger: quiet})
	for _, tt := range []struct {
		name, argument, value, want string
	}{
		{"a secret that does not fit its schema", "token", "hush-hush", `token: expected`},
		{
			"a secret in another argument", "login", `{"token":"hush-hush"}`,
			"login.token: expected integer (digits only), got [secret]",
		},
		{
			"a secret in a value that does not fit", "login", `[{"token":"hush-hush"}]`,
			"login: expected object, written as JSON, with token (integer), got [secret]",
		},
		{"a secret in a value that cannot be read", "login", `{"token":"hush-hush"`, "login: expected"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := execute(t, x, request("1", "t_run", tt.argument, tt.value))
			require.Equal(t, executor.ErrorInvalidArguments, r.ErrorType)
			text := r.ToolResult.Result
			require.NotContains(t, text, "hush")
			require.Contains(t, text, tt.want)
			require.Contains(t, text, "name: missing, expected integer", "problems of other arguments are shown")
			for _, p := range r.Problems {
				require.NotContains(t, p.Received, "hush")
			}
		})
	}
}

func TestSecretCommandIsMasked(t *testing.T) {
	parameters := json.RawMessage(`{"type":"object","properties":{"command":{"type":"string"}}}`)
	m, err := tool.Raw("run", "", parameters, says("ok"), tool.AgentCallable(), tool.SecretParameters("command"))
	require.NoError(t, err)
	var b bytes.Buffer
	x := executor.New(registry(t, m), executor.Options{Logger: quiet, Audit: executor.AuditJSON(&b)})
	r := execute(t, x,
		executor.Request{ID: "1", ToolRequest: protocol.ToolRequest{ToolName: "t_run", Command: "hush-hush"}})
	require.Equal(t, protocol.StatusSuccess, r.Status, r.ToolResult.Result)
	require.NotContains(t, b.String(), "hush")
	require.Contains(t, b.String(), `"command":"[secret]"`)
}

func TestValuesThatMentionASecretsNameAreShown(t *testing.T) {
	parameters := json.RawMessage(
		`{"type":"object","properties":{"command":{"type":"string"},"api_key":{"type":"string"}}}`)
	m, err := tool.Raw("run", "", parameters, says("ok"), tool.AgentCallable(), tool.SecretParameters(secretName))
	require.NoError(t, err)
	for _, command := range []string{
		`rm -rf / # api_key`, `{ rm -rf /; } # "api_key"`, `echo '"api_key":"'; rm -rf / #"`,
		`curl -d '{"api_key":1}' example.org`, `api_key={ rm -rf /`,
	} {
		var shown string
		x := executor.New(registry(t, m),
			askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
				shown = string(q.Method.MaskArguments(q.Arguments))
				return q.Allow(), nil
			}))
		executeAll(t, x, request("1", "t_run", "command", command))
		var got struct{ Command string }
		require.NoError(t, json.Unmarshal([]byte(shown), &got))
		require.Equal(t, command, got.Command, "a command that only mentions the name of a secret is shown whole")
	}
}
