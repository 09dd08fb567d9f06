package markdown_test

import (
	"encoding/json"
	"fmt"
	"html/template"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/markdown"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
)

var page = template.Must(template.New("").Parse(`<!doctype html>
<meta charset="utf-8">
<title>A conversation</title>
<link rel="stylesheet" href="/style.css">
<main>
{{.}}</main>
`))

// Example renders a conversation as a page.
func Example() {
	renderer, err := markdown.New(markdown.Options{Protocols: []protocol.Protocol{vcp.Protocol{}}})
	if err != nil {
		log.Fatal(err)
	}
	history := []chat.Message{
		{Role: protocol.RoleUser, Content: "How is the weather in *Rome*?"},
		{
			Role: protocol.RoleAssistant, Protocol: "vcp", Text: "Let me look.\n",
			Content: "Let me look.\n<<<[TOOL_REQUEST]>>>\ntool_name:「始」weather_now「末」,\ncity:「始」Rome「末」\n<<<[END_TOOL_REQUEST]>>>",
			ToolCallsRequested: []chat.ToolCallRequest{{
				RequestID: "1.1-abc", ToolName: "weather_now", Method: "weather_now", Status: chat.RequestAnswered,
				Arguments: json.RawMessage(`{"city":"Rome"}`),
			}},
		},
		{Role: protocol.RoleUser, Outcomes: []chat.Outcome{{
			RequestID: "1.1-abc", Method: "weather_now",
			Status: protocol.StatusSuccess, Result: "sunny",
		}}},
		{
			Role: protocol.RoleAssistant, Content: "It is sunny. ![](https://evil.example/?q=Rome)",
			Text: "It is sunny. ![](https://evil.example/?q=Rome)",
		},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /style.css", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css")
		fmt.Fprint(w, markdown.Style)
	})
	mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) {
		markdown.Security(w.Header())
		// The HTML of a Renderer needs no further escaping.
		body := template.HTML(renderer.AppendConversation(nil, history))
		if err := page.Execute(w, body); err != nil {
			log.Print(err)
		}
	})
	response := httptest.NewRecorder()
	mux.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/", http.NoBody))
	fmt.Print(response.Body)
	// Output:
	// <!doctype html>
	// <meta charset="utf-8">
	// <title>A conversation</title>
	// <link rel="stylesheet" href="/style.css">
	// <main>
	// <div class="vcp-conversation" role="log">
	// <article class="vcp-message vcp-user" aria-label="User">
	// <p>How is the weather in <em>Rome</em>?</p>
	// </article>
	// <article class="vcp-message vcp-assistant" aria-label="Assistant">
	// <p>Let me look.</p>
	// <div class="vcp-card vcp-request" role="group" aria-label="Request weather_now: answered" data-vcp-id="1.1-abc" data-vcp-status="answered"><p class="vcp-head"><span class="vcp-kind">Request</span> <code class="vcp-name">weather_now</code> <span class="vcp-status">answered</span></p>
	// <dl class="vcp-arguments"><dt>city</dt><dd><pre>Rome</pre></dd>
	// </dl>
	// <details class="vcp-folded"><summary>As written</summary><pre>&lt;&lt;&lt;[TOOL_REQUEST]&gt;&gt;&gt;
	// tool_name:「始」weather_now「末」,
	// city:「始」Rome「末」
	// &lt;&lt;&lt;[END_TOOL_REQUEST]&gt;&gt;&gt;</pre></details>
	// </div>
	// </article>
	// <article class="vcp-message vcp-tools" aria-label="Tools">
	// <div class="vcp-card vcp-result" role="group" aria-label="Result weather_now: success" data-vcp-id="1.1-abc" data-vcp-status="success"><p class="vcp-head"><span class="vcp-kind">Result</span> <code class="vcp-name">weather_now</code> <span class="vcp-status">success</span></p>
	// <pre class="vcp-body">sunny</pre>
	// </div>
	// </article>
	// <article class="vcp-message vcp-assistant" aria-label="Assistant">
	// <p>It is sunny. <a href="https://evil.example/?q=Rome" rel="nofollow noreferrer noopener" target="_blank">Image: </a> <span class="vcp-host">(evil.example)</span></p>
	// </article>
	// </div>
	// </main>
}
