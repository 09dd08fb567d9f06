package command

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/internal/poll"
)

// Source offers the tools of a file. It reads the file again when the file changes. If the new
// version has mistakes, the tools of the last good version stay, and the health is degraded.
type Source struct {
	path string

	mu    sync.Mutex
	named []string // the files that the last good version names
}

var _ tool.SourceWithFiles = (*Source)(nil)

// NewSource returns the source of the file with the given path.
func NewSource(path string) *Source { return &Source{path: path} }

// interval is how often a source checks whether its file has changed.
const interval = time.Second

// Name returns "commands" and the path.
func (s *Source) Name() string { return "commands " + s.path }

// Files implements tool.SourceWithFiles. It returns the file, and the programs and files that the
// command lines in it name.
func (s *Source) Files() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{s.path}, s.named...)
}

// Run implements tool.Source. The file is one provider, which has the name of the file.
func (s *Source) Run(ctx context.Context, offers tool.Offers) error {
	name := filepath.Base(s.path)
	loaded := false // a version of the file without mistakes was read
	read := func() {
		r, tools, err := load(s.path)
		switch {
		case err == nil:
			s.mu.Lock()
			s.named = r.files
			s.mu.Unlock()
			offers.Set(tool.Provider{Name: name, Tools: tools})
			loaded = true
		case loaded:
			offers.SetHealth(name, tool.HealthDegraded, err.Error()+"; the last good version is in use")
		default:
			offers.Set(tool.Provider{Name: name, Health: tool.HealthDown, Reason: err.Error()})
		}
	}
	poll.Watch(ctx, interval, func() string { return poll.Stamp(s.path) }, read)
	return ctx.Err()
}
