package model_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
)

func TestInvalidResponsesAreErrors(t *testing.T) {
	request := "<<<[TOOL_REQUEST]>>>\ntool_name:「始」x「末」\n<<<[END_TOOL_REQUEST]>>>"
	tests := []struct {
		name  string
		reply modelserver.Reply
		kind  model.Kind
		says  string // a part of the error
		text  string // the text of the reply that came before the error
	}{
		{
			"a web page", modelserver.Raw("text/html", "<!DOCTYPE html><pre>"+request+"</pre>"), model.KindResponse,
			"web page", "",
		},
		{
			"a web page with the content type of events",
			modelserver.RawStream("\n<html>data: " + pieceHi + "\ndata: " + endStop + "\n</html>"),
			model.KindResponse, "web page", "",
		},
		{"plain text", modelserver.Raw("text/plain", request), model.KindResponse, "not an event stream", ""},
		{"nothing at all", modelserver.RawStream(""), model.KindResponse, "empty response", ""},
		{"blank lines alone", modelserver.RawStream("\n\n\n"), model.KindResponse, "empty response", ""},
		{"comments alone", modelserver.RawStream(": hello\n\n"), model.KindResponse, "empty response", ""},
		{"DONE alone", modelserver.RawStream("data: [DONE]\n\n"), model.KindResponse, "without a reply", ""},
		{
			"an error event",
			modelserver.RawStream("event: error\ndata: {\"error\":{\"message\":\"out of memory\"}}\n\n"),
			model.KindServer,
			"out of memory", "",
		},
		{
			"an error event of plain text", modelserver.RawStream("event: error\ndata: out of memory\n\n"),
			model.KindServer, "out of memory", "",
		},
		{
			"an error event after some text",
			modelserver.RawStream("data: " + pieceHi + "\n\nevent: error\ndata: {\"message\":\"gone\"}\n\n"),
			model.KindServer, "gone", "hi",
		},
		{
			"a truncated error event", modelserver.RawStream("data: " + pieceHi + "\n\nevent: error\n"),
			model.KindServer, "no reason", "hi",
		},
		{
			"an error event whose name comes last",
			modelserver.RawStream("data: " + pieceHi + "\n\ndata: {\"message\":\"gone\"}\nevent: error\n\n"),
			model.KindServer,
			"reports an error: gone", "hi",
		},
		{
			"an error event of plain text whose name comes last",
			modelserver.RawStream("data: out of memory\nid: 1\nevent: error\n\n"),
			model.KindServer, "reports an error: out of memory", "",
		},
		{
			"an error event whose name comes last, at the end of the stream",
			modelserver.RawStream("data: {\"message\":\"gone\"}\nevent: error"),
			model.KindServer, "reports an error: gone", "",
		},
		{
			"an error event of several lines",
			modelserver.RawStream("event: error\ndata: {\"message\":\ndata: \"gone\"}\n\n"),
			model.KindServer, "reports an error: gone", "",
		},
		{
			"an error event of several lines of plain text",
			modelserver.RawStream("event: error\ndata: out of\ndata: memory\n\n"),
			model.KindServer, "reports an error: out of memory", "",
		},
		{
			"an error event whose lines end in CR", modelserver.RawStream("event: error\rdata: gone\r\r"),
			model.KindServer, "reports an error: gone", "",
		},
		{
			"data of several lines that is not JSON",
			modelserver.RawStream("data: hello\ndata: world\n\n"), model.KindResponse,
			"not part of a reply: \"hello world\"", "",
		},
		{
			"a JSON string of several lines",
			modelserver.RawStream("data: {\"choices\":[{\"delta\":{\"content\":\"h\ndata: i\"}}]}\n\n"),
			model.KindResponse, "not part of a reply", "",
		},
		{
			"data that is not JSON, at the end of the stream", modelserver.RawStream("data: hello\n"), model.KindResponse,
			"not part of a reply: \"hello\"", "",
		},
		{
			"an endless event",
			modelserver.RawStream(strings.Repeat("data: "+strings.Repeat("x", 1<<20)+"\n", 5)), model.KindResponse,
			"one piece", "",
		},
		{"an endless error event", modelserver.RawStream("event: error\n" +
			strings.Repeat("data: "+strings.Repeat("x", 1<<20)+"\n", 5)), model.KindResponse, "one piece", ""},
		{
			"an error object among the data", events(pieceHi, `{"error":{"message":"overloaded","code":503}}`),
			model.KindServer, "overloaded", "hi",
		},
		{
			"an error as a string among the data", events(pieceHi, `{"error":"overloaded"}`), model.KindServer,
			"overloaded", "hi",
		},
		{
			"an error among the data without a message", events(pieceHi, `{"error":{"message":" ","code":3}}`),
			model.KindServer, `"code":3`, "hi",
		},
		{
			"an error as the whole response", modelserver.Raw("application/json", `{"error":{"message":"overloaded"}}`),
			model.KindServer, "overloaded", "",
		},
		{
			`the finish reason "error"`, events(pieceHi, `{"choices":[{"delta":{},"finish_reason":"error"}]}`),
			model.KindServer, "error", "hi",
		},
		{
			"an object of another kind",
			modelserver.Raw("application/json", `{"detail":"Not Found"}`), model.KindResponse,
			"without a reply", "",
		},
		{"an array", modelserver.Raw("application/json", `[{}]`), model.KindResponse, "not part of a reply", ""},
		{
			"broken JSON as the whole response", modelserver.Raw("application/json", `{"choices":[`),
			model.KindResponse, "broken JSON", "",
		},
		{"broken JSON in a line", events(pieceHi, `{"choices":[`), model.KindResponse, "not part of a reply", "hi"},
		{
			"content that is neither text nor parts", events(pieceHi, `{"choices":[{"delta":{"content":7}}]}`),
			model.KindResponse, "not part of a reply", "hi",
		},
		{"a native call, although the request offered no tools", events(`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f"}}]}}]}`,
			`{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}`), model.KindResponse, `native call of "f"`, ""},
		{
			"an endless line", modelserver.RawStream("data: " + strings.Repeat("x", 5<<20)), model.KindResponse,
			"one piece", "",
		},
		{
			"a connection that breaks before the first byte", modelserver.Text("hello").BrokenAfter(0),
			model.KindTruncated, "broke off", "",
		},
		{
			"status 400", modelserver.Failure(400, "context too long"), model.KindStatus,
			"refuses the request (400 Bad Request): context too long", "",
		},
		{"status 401", modelserver.Failure(401, "who are you"), model.KindStatus, "no API key was sent", ""},
		{"status 403", modelserver.Failure(403, "not you"), model.KindStatus, "check the API key", ""},
		{
			"a quota that is used up",
			modelserver.Reply{Status: 429, Raw: `{"error":{"message":"pay","code":"insufficient_quota"}}`},
			model.KindStatus, "quota is used up (429 Too Many Requests): pay; look at the account's plan", "",
		},
		{
			"status 404",
			modelserver.Reply{Status: 404, ContentType: "text/plain", Raw: "404 page not found"},
			model.KindModel, "no model", "",
		},
		{"status 429", modelserver.Failure(429, "slow down"), model.KindStatus, "slow down; try again later", ""},
		{
			"status 500", modelserver.Failure(500, "boom"), model.KindStatus,
			"failed (500 Internal Server Error): boom", "",
		},
		{
			"status 502 with a web page",
			modelserver.Reply{Status: 502, ContentType: "text/html", Raw: "<html>bad</html>"},
			model.KindStatus, "(502 Bad Gateway); its log", "",
		},
		{"status 422 as validators write it", modelserver.Reply{
			Status: 422,
			Raw:    `{"detail":[{"msg":"field required"}]}`,
		}, model.KindStatus, "field required", ""},
		{
			"status 422 with an empty error",
			modelserver.Reply{Status: 422, Raw: `{"error":{},"message":"field required"}`},
			model.KindStatus, "field required", "",
		},
		{"status 304", modelserver.Reply{Status: 304}, model.KindStatus, "304", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := modelserver.Start(t, tt.reply)
			s.SetModels()
			got, err := ask(t.Context(), newClient(t, model.Options{BaseURL: s.URL, Model: "scripted"}), hello)
			e := requireError(t, err)
			require.Equal(t, reply{Text: tt.text}, got)
			require.Equal(t, tt.kind, e.Kind, e)
			require.Contains(t, e.Error(), tt.says)
			require.Contains(t, e.Error(), s.URL)
			if tt.reply.Status != 0 {
				require.Equal(t, tt.reply.Status, e.Status)
			}
			require.Equal(t, "chat", e.Op)
		})
	}
}
