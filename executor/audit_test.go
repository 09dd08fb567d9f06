package executor_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// records gathers audit records.
type records struct {
	mu   sync.Mutex
	list []executor.AuditRecord
}

func (r *records) take(_ context.Context, record executor.AuditRecord) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, record)
	return nil
}

const secret = "hush-hush-hush"

// vault returns a registry with the tool "vault". Its methods have the secret parameter "token".
// Each method is named for what its calls do.
func vault(t testing.TB) *tool.Registry {
	t.Helper()
	schema := json.RawMessage(`{"type":"object","properties":{
		"path":{"type":"string"},"token":{"type":"string","minLength":3},
		"count":{"type":"integer"},"auth":{"type":"object"}},"additionalProperties":false}`)
	secretToken := tool.SecretParameters("token")
	var methods []tool.Method
	for name, h := range map[string]tool.Handler{
		"open": func(context.Context, *tool.Call) (tool.Output, error) {
			time.Sleep(time.Second)
			return tool.Output{Text: "opened"}, nil
		},
		"fail": func(context.Context, *tool.Call) (tool.Output, error) {
			return tool.Output{}, errors.New("wrong token " + secret)
		},
		"panic": func(_ context.Context, c *tool.Call) (tool.Output, error) { panic(string(c.Arguments)) },
		"dump":  says(numbered(1000)),
		"hang":  workFor(time.Hour),
	} {
		m, err := tool.Raw(name, "does "+name, schema, h, tool.AgentCallable(), secretToken)
		require.NoError(t, err)
		methods = append(methods, m)
	}
	reg := tool.NewRegistry()
	require.NoError(t, reg.Register(tool.Tool{ID: "vault", Methods: methods}))
	return reg
}

var askAll = policy.Policy{Approve: policy.ApproveAsk}

func TestAuditRecordsEachCall(t *testing.T) {
	allow := func(_ context.Context, q executor.Question) (executor.Answer, error) {
		time.Sleep(time.Minute)
		return q.Allow(), nil
	}
	edit := func(_ context.Context, q executor.Question) (executor.Answer, error) {
		return q.Edit(json.RawMessage(`{"path":"b","token":"` + secret + `"}`)), nil
	}
	deny := func(_ context.Context, q executor.Question) (executor.Answer, error) {
		return q.Deny("too risky"), nil
	}
	fail := func(_ context.Context, q executor.Question) (executor.Answer, error) {
		return q.Allow(), errors.New("no line")
	}
	labeled := request("4.1", "vault_open", "path", "a<b", "token", secret)
	labeled.Label = "mine"
	byCommand := executor.Request{ID: "4.1", ToolRequest: protocol.ToolRequest{ToolName: "vault", Command: "open"}}
	for _, tt := range []struct {
		name    string
		req     executor.Request
		options executor.Options
		want    string // the JSON, with times as seconds since the request was taken
	}{
		{
			"a call that runs", labeled,
			executor.Options{},
			`{"requestId":"4.1","label":"mine","toolName":"vault_open","method":"vault_open",
				"arguments":{"path":"a<b","token":"[secret]"},"decision":"allow","decidedBy":"setting",
				"why":"approve: write","status":"success","asked":0,"decided":0,"started":0,"done":1,"durationMs":1000,
				"rawBytes":6,"bytes":6,"tokens":3}`,
		},
		{
			"a call by tool and command", byCommand,
			executor.Options{},
			`{"requestId":"4.1","toolName":"vault","command":"open","method":"vault_open","arguments":{},
				"decision":"allow","decidedBy":"setting","why":"approve: write","status":"success","asked":0,
				"decided":0,"started":0,"done":1,"durationMs":1000,"rawBytes":6,"bytes":6,"tokens":3}`,
		},
		{
			"a person allows", request("4.1", "vault_open"),
			executor.Options{Policy: askAll, Approver: allow},
			`{"requestId":"4.1","toolName":"vault_open","method":"vault_open","arguments":{},"decision":"allow",
				"decidedBy":"person","status":"success","asked":0,"decided":60,"started":60,"done":61,"durationMs":1000,
				"rawBytes":6,"bytes":6,"tokens":3}`,
		},
		{
			"a person changes the arguments", request("4.1", "vault_open", "path", "a"),
			executor.Options{Policy: askAll, Approver: edit},
			`{"requestId":"4.1","toolName":"vault_open","method":"vault_open",
				"arguments":{"path":"b","token":"[secret]"},"edited":true,"decision":"allow","decidedBy":"person",
				"status":"success","asked":0,"decided":0,"started":0,"done":1,"durationMs":1000}`,
		},
		{
			"a rule allows", request("4.1", "vault_open"),
			executor.Options{Policy: policy.Policy{Rules: []policy.Rule{{Tool: "vault", Decision: policy.Allow}}}},
			`{"requestId":"4.1","toolName":"vault_open","method":"vault_open","arguments":{},"decision":"allow",
				"decidedBy":"rule","why":"approveRules[0] (tool: vault, decision: allow)","status":"success","asked":0,
				"decided":0,"started":0,"done":1,"durationMs":1000}`,
		},
		{
			"a person denies", request("4.1", "vault_open"),
			executor.Options{Policy: askAll, Approver: deny},
			`{"requestId":"4.1","toolName":"vault_open","method":"vault_open","arguments":{},"decision":"deny",
				"decidedBy":"person","why":"too risky","status":"error","errorType":"permission_denied","asked":0,
				"decided":0,"done":0,"durationMs":0}`,
		},
		{
			"an approver that fails denies", request("4.1", "vault_open"),
			executor.Options{Policy: askAll, Approver: fail},
			`{"requestId":"4.1","toolName":"vault_open","method":"vault_open","arguments":{},"decision":"deny",
				"decidedBy":"approver","why":"no line","status":"error","errorType":"permission_denied","asked":0,
				"decided":0,"done":0,"durationMs":0}`,
		},
		{
			"the call is denied if nobody can be asked", request("4.1", "vault_open"),
			executor.Options{Policy: askAll},
			`{"requestId":"4.1","toolName":"vault_open","method":"vault_open","arguments":{},"decision":"deny",
				"decidedBy":"no_approver","why":"approve: ask","status":"error","errorType":"permission_denied",
				"asked":0,"decided":0,"done":0,"durationMs":0}`,
		},
		{
			"a tool that takes too long", request("4.1", "vault_hang"),
			executor.Options{},
			`{"requestId":"4.1","toolName":"vault_hang","method":"vault_hang","arguments":{},"decision":"allow",
				"decidedBy":"setting","why":"approve: write","status":"error","errorType":"timeout","asked":0,
				"decided":0,"started":0,"done":30,"durationMs":30000}`,
		},
		{
			"wrong arguments are recorded as the model wrote them",
			request("4.1", "vault_open", "count", "many", "token", "x"),
			executor.Options{Policy: askAll, Approver: allow},
			`{"requestId":"4.1","toolName":"vault_open","method":"vault_open",
				"arguments":{"count":"many","token":"[secret]"},"status":"error","errorType":"invalid_arguments",
				"asked":0,"done":0,"durationMs":0}`,
		},
		{
			"a call of an unknown method", request("4.1", "vault_opne", "tokn", secret),
			executor.Options{},
			`{"requestId":"4.1","toolName":"vault_opne","arguments":{"tokn":"[secret]"},"status":"error",
				"errorType":"method_not_found","asked":0,"done":0,"durationMs":0}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				tt.options.Audit, tt.options.Logger = executor.AuditJSON(&out), quiet
				start := time.Now()
				executor.New(vault(t), tt.options).Execute(t.Context(), allVisible(), executor.Observer{},
					[]executor.Request{tt.req})
				require.Equal(t, 1, strings.Count(out.String(), "\n"))
				require.NotContains(t, out.String(), `\u003c`)
				var got, want map[string]any
				require.NoError(t, json.Unmarshal(out.Bytes(), &got))
				require.NoError(t, json.Unmarshal([]byte(tt.want), &want))
				for _, name := range []string{"asked", "decided", "started", "done"} {
					if text, ok := got[name].(string); ok {
						at, err := time.Parse(time.RFC3339Nano, text)
						require.NoError(t, err)
						got[name] = at.Sub(start).Seconds()
					}
				}
				for _, name := range []string{"rawBytes", "bytes", "tokens"} {
					if _, ok := want[name]; !ok { // the row does not check the length of its message
						delete(got, name)
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("record (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestAuditNamesTheConversation(t *testing.T) {
	var record executor.AuditRecord
	x := executor.New(vault(t),
		executor.Options{Audit: func(_ context.Context, r executor.AuditRecord) error { record = r; return nil }})
	conversation := allVisible()
	conversation.Session, conversation.Owner = "one", "ann"
	executeIn(t, x, conversation, request("1", "vault_open"))
	require.Equal(t, []string{"one", "ann"}, []string{record.Session, record.Owner})
	x.Execute(t.Context(), nil, executor.Observer{}, []executor.Request{request("2", "vault_open")})
	require.Equal(t, "2", record.RequestID)
	require.Empty(t, record.Session+record.Owner)
}

func TestAuditCountsTheExcerpt(t *testing.T) {
	var r records
	x := executor.New(vault(t),
		executor.Options{Audit: r.take, Logger: quiet, ResultLimit: executor.ResultLimit{Tokens: 300}})
	results := executeAll(t, x, request("1", "vault_dump"))
	require.Len(t, r.list, 1)
	require.Equal(t, 32_000, r.list[0].RawBytes)
	require.Equal(t, len(results[0].ToolResult.Result), r.list[0].Bytes)
	require.Equal(t, results[0].Tokens, r.list[0].Tokens)
	require.True(t, r.list[0].Excerpted)
}

// No record and no log contains a secret, however a call ends. Only texts for the model may contain
// a secret that the model itself wrote.
func TestAuditContainsNoSecrets(t *testing.T) {
	var out bytes.Buffer
	var mu sync.Mutex
	shared := writer(func(p []byte) (int, error) { mu.Lock(); defer mu.Unlock(); return out.Write(p) })
	logger := slog.New(slog.NewJSONHandler(shared, &slog.HandlerOptions{Level: slog.LevelDebug}))
	args := [][]string{
		{"token", secret},
		{"Token", secret, "count", "x"},
		{"tokn", secret},
		{"auth", `{"a":[{"TOKEN":"` + secret + `"}]}`},
		{"auth", `{'token':'` + secret + `'`},
		{"token", secret, "path", "x", "path", "y"},
	}
	for _, options := range []executor.Options{{}, {Policy: askAll}, {Parallel: true}} {
		options.Audit, options.Logger = executor.AuditJSON(shared), logger
		var reqs []executor.Request
		for _, method := range []string{"open", "fail", "panic", "dump", "nothing"} {
			for _, a := range args {
				req := request(fmt.Sprint(len(reqs)), "vault_"+method, a...)
				if method != "nothing" { // without a method, nobody knows which value is secret
					req.Label = "with " + secret
				}
				reqs = append(reqs, req)
			}
		}
		synctest.Test(t, func(t *testing.T) {
			executor.New(vault(t), options).Execute(t.Context(), allVisible(), executor.Observer{}, reqs)
		})
	}
	require.Contains(t, out.String(), "[secret]")
	require.Contains(t, out.String(), "panic in a tool call")
	require.NotContains(t, out.String(), secret)
}
