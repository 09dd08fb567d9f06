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
	// maxSearchedPreview limits how much of a preview is searched for secrets, in bytes. It is more
	// than maxPreview, since a part of a secret at the end of a text may not be recognized.
	maxSearchedPreview = 4 * maxPreview
	// previewTime is how long a method has to say what a call would do.
	previewTime = 10 * time.Second
)

// previewOutcome is the outcome of asking a method what a call would do.
type previewOutcome struct {
	text  string // without secrets
	err   error
	stack []byte // of a panic
}

// run calls the method's Preview and sets p, unless Preview ends the goroutine. The text is masked
// before it is shortened.
func (p *previewOutcome) run(ctx context.Context, call tool.Call, secrets *tool.CallSecrets) {
	defer recoverHook(&p.err, &p.stack)
	shown, err := call.Method.Method.Preview(tool.WithCall(ctx, &call), call.Arguments)
	shown = secrets.MaskText(text.Valid(text.TruncateBytes(shown, maxSearchedPreview)))
	p.text, p.err = text.TruncateBytes(shown, maxPreview-len("…")), err // TruncateBytes adds the ellipsis
}
