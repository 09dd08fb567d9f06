package executor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/vcpgo/vcp/internal/text"
)

// maxSummaries limits the calls of ResultLimit.Summarize that run at once, over all executors on
// one registry. Those that nobody waits for any more count, too, because a function that ignores
// its context must not pile up goroutines. Beyond the limit, results are shortened to excerpts.
const maxSummaries = 16

var (
	errTooManySummaries = fmt.Errorf("%d summaries are being made already", maxSummaries)
	errSummaryEnded     = errors.New("the summarizer ended its goroutine")
	errSummaryEmpty     = errors.New("the summary is empty")
	errSummaryLate      = errors.New("the summary was late")
)

// A summary is the outcome of calling ResultLimit.Summarize.
type summary struct {
	text  string
	err   error
	stack []byte // of a panic
}

// run calls Summarize and sets s, unless Summarize ends the goroutine.
func (s *summary) run(ctx context.Context, limit *ResultLimit, full FullResult) {
	defer recoverHook(&s.err, &s.stack)
	written, err := limit.Summarize(ctx, full, full.budget.limit)
	*s = summary{text: strings.TrimSpace(text.Valid(written)), err: err}
	if s.err == nil && s.text == "" {
		s.err = errSummaryEmpty
	}
}
