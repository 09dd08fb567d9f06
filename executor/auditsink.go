package executor

import (
	"context"
	"io"
	"log/slog"
	"sync"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// AuditJSON returns an AuditFunc that writes each record as one line of JSON, in one Write. Nobody else may write to w meanwhile.
func AuditJSON(w io.Writer) AuditFunc {
	var mu sync.Mutex
	return func(_ context.Context, r AuditRecord) error {
		line, err := orderedjson.Encode(r)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		_, err = w.Write(append(line, '\n'))
		return err
	}
}

// AuditLog returns an AuditFunc that logs each record at level Info, as a message "tool call" with the fields of the record's JSON
// as attributes.
func AuditLog(l *slog.Logger) AuditFunc {
	return func(ctx context.Context, r AuditRecord) error {
		attrs := make([]slog.Attr, 0, 24)
		text := func(name, value string) {
			if value != "" {
				attrs = append(attrs, slog.String(name, value))
			}
		}
		text("session", r.Session)
		text("requestId", r.RequestID)
		text("label", r.Label)
		text("toolName", r.ToolName)
		text("command", r.Command)
		text("method", r.Method)
		text("arguments", string(r.Arguments))
		text("decision", string(r.Decision))
		text("decidedBy", string(r.DecidedBy))
		text("status", string(r.Status))
		text("errorType", r.ErrorType)
		attrs = append(attrs, slog.Time("asked", r.Asked))
		if !r.Decided.IsZero() {
			attrs = append(attrs, slog.Time("decided", r.Decided))
		}
		if !r.Started.IsZero() {
			attrs = append(attrs, slog.Time("started", r.Started))
		}
		attrs = append(attrs, slog.Time("done", r.Done), slog.Duration("duration", r.Duration),
			slog.Int("rawBytes", r.RawBytes), slog.Int("bytes", r.Bytes), slog.Int("tokens", r.Tokens))
		text("reduced", string(r.Reduced))
		if r.Edited {
			attrs = append(attrs, slog.Bool("edited", true))
		}
		if r.Retries > 0 {
			attrs = append(attrs, slog.Int("retries", r.Retries))
		}
		if r.Cached {
			attrs = append(attrs, slog.Bool("cached", true))
		}
		l.LogAttrs(ctx, slog.LevelInfo, "tool call", attrs...)
		return nil
	}
}
