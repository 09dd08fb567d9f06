package terminal

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
)

// NewLogger returns a logger that writes warnings and errors for people.
func NewLogger(stderr io.Writer) *slog.Logger {
	return slog.New(&logHandler{out: stderr, writing: &sync.Mutex{}})
}

// logHandler writes each record as a line such as
//
//	vcp: toolToggles names no registered tool or method (name: clok, nearest: clock)
type logHandler struct {
	out     io.Writer
	writing *sync.Mutex
	prefix  string // the names of the groups, each with a dot
	attrs   []string
}

// Enabled implements slog.Handler.
func (*logHandler) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

// Handle implements slog.Handler.
func (h *logHandler) Handle(_ context.Context, r slog.Record) error {
	attrs := slices.Clone(h.attrs)
	r.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, h.text(a))
		return true
	})
	line := "vcp: " + Visible(OneLine(r.Message))
	if len(attrs) > 0 {
		line += " (" + strings.Join(attrs, ", ") + ")"
	}
	h.writing.Lock()
	defer h.writing.Unlock()
	_, err := io.WriteString(h.out, line+"\n")
	return err
}

func (h *logHandler) text(a slog.Attr) string {
	return Visible(OneLine(h.prefix + a.Key + ": " + a.Value.Resolve().String()))
}

// WithAttrs implements slog.Handler.
func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	with := *h
	with.attrs = slices.Clone(h.attrs)
	for _, a := range attrs {
		with.attrs = append(with.attrs, h.text(a))
	}
	return &with
}

// WithGroup implements slog.Handler.
func (h *logHandler) WithGroup(name string) slog.Handler {
	with := *h
	with.prefix += name + "."
	return &with
}
