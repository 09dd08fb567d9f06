package model_test

import (
	"encoding/json"
	"strings"
)

// answered returns an HTTP response.
func answered(status, header, body string) string {
	return "HTTP/1.1 " + status + "\r\n" + header + "Connection: close\r\n\r\n" + body
}

const (
	jsonHead  = "Content-Type: application/json\r\n"
	eventHead = "Content-Type: text/event-stream\r\n"
	textHead  = "Content-Type: text/plain\r\n"
)

// quoted returns text in quotes without escapes, even if that is not valid JSON.
func quoted(text string) string { return `"` + text + `"` }

// inString returns text as a JSON string.
func inString(text string) string {
	raw, _ := json.Marshal(text) // a string always encodes
	return string(raw)
}

// places are the places in a response at which a server may write something.
var places = []struct {
	name  string
	write func(said string) string
}{
	{"the status line", func(s string) string { return answered("400 "+noLine(s), "", "") }},
	{"no status line at all", func(s string) string { return s }},
	{"a status that is not a number", func(s string) string { return answered(noLine(s)+" Bad", "", "") }},
	{"the version", func(s string) string { return "HTTP/" + noLine(s) + " 200 OK\r\n\r\n" }},
	{"the name of a header", func(s string) string { return answered("400 Bad", noLine(s)+": x\r\n", "") }},
	{"a line among the headers", func(s string) string { return answered("400 Bad", noLine(s)+"\r\n", "") }},
	{
		"the value of a header",
		func(s string) string { return answered("400 Bad", "X-Request-Id: "+noLine(s)+"\r\n", "") },
	},
	{"WWW-Authenticate", func(s string) string {
		return answered("401 No", "WWW-Authenticate: Bearer error=\""+noLine(s)+"\"\r\n", "")
	}},
	{"Retry-After", func(s string) string { return answered("400 Bad", "Retry-After: "+noLine(s)+"\r\n", "") }},
	{"the length", func(s string) string { return answered("200 OK", "Content-Length: "+noLine(s)+"\r\n", "{}") }},
	{
		"the encoding of the transfer",
		func(s string) string { return answered("200 OK", "Transfer-Encoding: "+noLine(s)+"\r\n", "{}") },
	},
	{
		"a chunk's length",
		func(s string) string { return answered("200 OK", "Transfer-Encoding: chunked\r\n", noLine(s)+"\r\n") },
	},
	{"the content type", func(s string) string { return answered("200 OK", "Content-Type: "+noLine(s)+"\r\n", "x") }},
	{
		"the host of a redirect",
		func(s string) string { return answered("307 Go", "Location: http://"+noLine(s)+"/v1\r\n", "") },
	},
	{
		"the path of a redirect",
		func(s string) string { return answered("302 Go", "Location: /v1/"+noLine(s)+"\r\n", "") },
	},
	{
		"the query of a redirect",
		func(s string) string { return answered("303 Go", "Location: /v1?key="+noLine(s)+"\r\n", "") },
	},
	{"the user of a redirect", func(s string) string {
		return answered("307 Go", "Location: http://user:"+noLine(s)+"@h.example/v1\r\n", "")
	}},
	{
		"the scheme of a redirect",
		func(s string) string { return answered("307 Go", "Location: "+noLine(s)+"://h.example/\r\n", "") },
	},
	{
		"the message of a failure",
		func(s string) string { return answered("400 Bad", jsonHead, `{"error":{"message":`+inString(s)+`}}`) },
	},
	{
		"the message of a failure, without escapes",
		func(s string) string { return answered("400 Bad", jsonHead, `{"error":{"message":`+quoted(s)+`}}`) },
	},
	{
		"the type of a failure",
		func(s string) string { return answered("400 Bad", jsonHead, `{"error":{"type":`+inString(s)+`}}`) },
	},
	{
		"the code of a failure",
		func(s string) string { return answered("429 Bad", jsonHead, `{"error":{"code":`+inString(s)+`}}`) },
	},
	{
		"a failure that is a text",
		func(s string) string { return answered("500 Bad", jsonHead, `{"error":`+inString(s)+`}`) },
	},
	{
		"a detail of a failure",
		func(s string) string { return answered("422 Bad", jsonHead, `{"detail":[{"msg":`+inString(s)+`}]}`) },
	},
	{"a failure of another shape", func(s string) string { return answered("403 Bad", jsonHead, `[`+inString(s)+`]`) }},
	{"the name of a member", func(s string) string { return answered("403 Bad", jsonHead, `{`+inString(s)+`:1}`) }},
	{"a failure in text", func(s string) string { return answered("503 Bad", textHead, s) }},
	{
		"a page of a failure",
		func(s string) string { return answered("502 Bad", "Content-Type: text/html\r\n", "<p>"+s+"</p>") },
	},
	{
		"a page in place of a reply",
		func(s string) string { return answered("200 OK", "Content-Type: text/html\r\n", "<p>"+s+"</p>") },
	},
	{"text in place of a reply", func(s string) string { return answered("200 OK", textHead, s) }},
	{"broken JSON in place of a reply", func(s string) string { return answered("200 OK", jsonHead, "{"+s) }},
	{
		"a value that is not part of a reply",
		func(s string) string { return answered("200 OK", eventHead, "data: "+noLine(s)+"\n\n") },
	},
	{
		"a value of the wrong kind",
		func(s string) string { return answered("200 OK", eventHead, `data: {"choices":`+inString(s)+"}\n\n") },
	},
	{
		"a line that is not of an event stream",
		func(s string) string { return answered("200 OK", eventHead, noLine(s)+"\n\n") },
	},
	{"an error among the data", func(s string) string {
		return answered("200 OK", eventHead, `data: {"error":{"message":`+inString(s)+"}}\n\n")
	}},
	{"an error among the data, without escapes", func(s string) string {
		return answered("200 OK", eventHead, `data: {"error":{"message":`+quoted(noLine(s))+"}}\n\n")
	}},
	{
		"an error event",
		func(s string) string { return answered("200 OK", eventHead, "event: error\ndata: "+noLine(s)+"\n\n") },
	},
	{"an error event of several lines", func(s string) string {
		return answered("200 OK", eventHead, "event: error\ndata: "+strings.ReplaceAll(s, "\n", "\ndata: ")+"\n\n")
	}},
	{"the finish reason", func(s string) string {
		return answered("200 OK", eventHead,
			`data: {"choices":[{"delta":{"content":"x"},"finish_reason":`+inString(s)+"}]}\n\n")
	}},
	{"the name of a call that was not offered", func(s string) string {
		return answered("200 OK", eventHead, `data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":`+inString(s)+
			`}}]},"finish_reason":"stop"}]}`+"\n\n")
	}},
	{
		"the id of the only model",
		func(s string) string { return answered("200 OK", jsonHead, `{"data":[{"id":`+inString(s)+`}]}`) },
	},
	{"the ids of models", func(s string) string {
		return answered("200 OK", jsonHead, `{"data":[{"id":"a"},{"id":`+inString(s)+`},{"id":`+quoted(s)+`}]}`)
	}},
	{
		"something else than models",
		func(s string) string { return answered("200 OK", jsonHead, `{"models":`+inString(s)+`}`) },
	},
}

// noLine returns text without line breaks, which would end a line of HTTP.
func noLine(text string) string { return strings.NewReplacer("\r", " ", "\n", " ").Replace(text) }
