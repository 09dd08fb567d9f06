package executor

import (
	"context"
	"time"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

const (
	// maxPreview limits a preview, in bytes.
	maxPreview = 16 << 10
	// previewTime is how long a method has to say what a call would do.
	previewTime = 10 * time.Second
)

// previewOutcome is the outcome of asking a method what a call would do.
type previewOutcome struct {
	text  string
	err   error
	stack []byte // of a panic
}

// run calls the method's Preview and sets p, unless Preview ends the goroutine.
func (p *previewOutcome) run(ctx context.Context, call tool.Call) {
	defer recoverHook(&p.err, &p.stack)
	p.text, p.err = call.Method.Method.Preview(tool.WithCall(ctx, &call), call.Arguments)
	p.text = text.TruncateBytes(text.Valid(p.text), maxPreview-len("…")) // TruncateBytes adds the ellipsis
}
