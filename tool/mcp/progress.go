package mcp

import (
	"strconv"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

// maxProgress limits one report of a call's progress, in bytes.
const maxProgress = 4 << 10

// progressTable finds the call that a notification about progress belongs to. It is safe for
// concurrent use.
type progressTable struct {
	mu        sync.Mutex
	lastToken int
	reports   map[string]func(string) // the functions that report progress, by token
}

// follow sets a new progress token in the params of a request. Progress with this token is reported
// to call until stop is called.
func (t *progressTable) follow(params interface{ SetProgressToken(any) }, call *tool.Call) (stop func()) {
	if call.Progress == nil {
		return func() {}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lastToken++
	token := strconv.Itoa(t.lastToken)
	params.SetProgressToken(token)
	if t.reports == nil {
		t.reports = map[string]func(string){}
	}
	t.reports[token] = call.Progress
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.reports, token)
	}
}

// report passes a notification to the call with the same token.
func (t *progressTable) report(p *sdk.ProgressNotificationParams) {
	token, _ := p.ProgressToken.(string)
	t.mu.Lock()
	defer t.mu.Unlock() // held during the report, so that nothing is reported after stop
	if report := t.reports[token]; report != nil {
		report(progressText(p))
	}
}

func progressText(p *sdk.ProgressNotificationParams) string {
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	line := number(p.Progress)
	if p.Total > 0 {
		line += " of " + number(p.Total)
	}
	if p.Message != "" {
		line += ": " + clean(p.Message, maxProgress)
	}
	return text.TruncateBytes(line, maxProgress)
}
