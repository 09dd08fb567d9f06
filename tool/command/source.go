package command

import (
	"context"
	"path/filepath"
	"time"

	"github.com/vcpgo/vcp/internal/poll"
	"github.com/vcpgo/vcp/tool"
)

// Source offers the tools of a file. It reads the file again when it changes. If the file is bad
// then, the tools of its last good version stay, and the health is degraded. NewSource makes one.
type Source struct {
	path string
}

var _ tool.Source = (*Source)(nil)

// NewSource returns the source of the file at path.
func NewSource(path string) *Source { return &Source{path} }

// interval is how often the file is looked at.
const interval = time.Second

// Name returns "commands" and the path.
func (s *Source) Name() string { return "commands " + s.path }

// Run implements tool.Source. The file is one provider, named for it.
func (s *Source) Run(ctx context.Context, offers tool.Offers) error {
	name := filepath.Base(s.path)
	loaded := false // there is a good version
	load := func() {
		tools, err := Load(s.path)
		switch {
		case err == nil:
			offers.Set(tool.Provider{Name: name, Tools: tools})
			loaded = true
		case loaded:
			offers.SetHealth(name, tool.HealthDegraded, err.Error()+"; the last good version is in use")
		default:
			offers.Set(tool.Provider{Name: name, Health: tool.HealthDown, Reason: err.Error()})
		}
	}
	stamp := func() string { return poll.Stamp(s.path) }
	first := stamp()
	load()
	poll.Changes(ctx, interval, first, stamp, load)
	return ctx.Err()
}
