package mcp

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/vcpgo/vcp/internal/process"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/internal/poll"
)

// FileOptions set up a FileSource.
type FileOptions struct {
	// Lookup returns the value of an environment variable and whether it is set; nil means
	// os.LookupEnv.
	Lookup func(name string) (string, bool)
	// Pins is the Config.Pins of each server.
	Pins Pins
}

// FileSource offers the servers of a file in the form that other MCP clients use: a JSON object
// with the member mcpServers, or servers. Variables are expanded as Config.Expand does. Unknown
// members are ignored, and so are members that allow calls, such as autoApprove. Each server is a
// provider; if the server cannot be used, the provider's reason says why.
//
// The file is read again when it changes. Then new servers are started, removed servers are
// stopped, and servers with a changed entry are restarted. If the changed file cannot be read, the
// servers of its last good version keep running. Use NewFileSource to create a FileSource.
type FileSource struct {
	path    string
	options FileOptions

	mu    sync.Mutex
	named []string // the files that the command lines of the last good version name
}

var _ tool.SourceWithFiles = (*FileSource)(nil)

// NewFileSource returns the source of the file with the given path.
func NewFileSource(path string, o FileOptions) *FileSource {
	if o.Lookup == nil {
		o.Lookup = os.LookupEnv
	}
	return &FileSource{path: path, options: o}
}

// interval is the time between two checks of the file for changes.
const interval = time.Second

// Name returns "mcpServers" and the path.
func (s *FileSource) Name() string { return "mcpServers " + s.path }

// Files implements tool.SourceWithFiles. It returns the file, and the programs and files that the
// command lines in it name.
func (s *FileSource) Files() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{s.path}, s.named...)
}

// Run implements tool.Source.
func (s *FileSource) Run(ctx context.Context, offers tool.Offers) error {
	f := &fileServers{source: s, offers: offers, running: map[string]*runningServer{}}
	poll.Watch(ctx, interval, func() string { return poll.Stamp(s.path) }, func() { f.update(ctx) })
	f.stop(slices.Collect(maps.Keys(f.running))...)
	return nil
}

// fileServers keeps the running servers up to date with the file.
type fileServers struct {
	source  *FileSource
	offers  tool.Offers
	running map[string]*runningServer // by the provider's name
	loaded  bool                      // the file could be read at least once
}

// runningServer is an entry of the file and the goroutine that runs its server. The goroutine of an
// entry that cannot be used ends at once.
type runningServer struct {
	server fileServer
	cancel context.CancelFunc
	ended  chan struct{} // closed when the goroutine has ended
}

// update reads the file, stops the servers whose entries were removed or changed, and starts the
// new ones.
func (f *fileServers) update(ctx context.Context) {
	servers, err := readFile(f.source.path, f.source.options.Lookup, f.source.options.Pins)
	fileProvider := "the file " + filepath.Base(f.source.path) // contains spaces, which no name of a running server does
	if err != nil {
		p := tool.Provider{Name: fileProvider, Health: tool.HealthDown, Reason: err.Error()}
		if f.loaded {
			p.Health, p.Reason = tool.HealthDegraded, p.Reason+"; the last good version is in use"
		}
		f.offers.Set(p)
		return
	}
	f.loaded = true
	var named []string
	for _, s := range servers {
		named = append(named, process.Files(s.config.Command, s.config.Dir)...)
	}
	f.source.mu.Lock()
	f.source.named = named
	f.source.mu.Unlock()
	f.offers.Remove(fileProvider)
	listed := map[string]fileServer{}
	for _, s := range servers {
		listed[s.name] = s
	}
	var gone []string
	for name, r := range f.running {
		if s, ok := listed[name]; !ok || !r.server.equal(s) {
			gone = append(gone, name)
		}
	}
	f.stop(gone...)
	var starting []tool.Provider
	for _, s := range servers {
		if f.running[s.name] == nil {
			starting = append(starting, s.provider())
		}
	}
	f.offers.Set(starting...) // in one call, so that no reader sees only some of them
	for _, s := range servers {
		if f.running[s.name] == nil {
			f.running[s.name] = f.start(ctx, s)
		}
	}
}

// start starts a goroutine that runs a server until stop is called.
func (f *fileServers) start(ctx context.Context, s fileServer) *runningServer {
	r := &runningServer{server: s, ended: make(chan struct{})}
	ctx, r.cancel = context.WithCancel(ctx)
	go func() {
		defer close(r.ended)
		if s.err != nil {
			return
		}
		source, err := New(s.config)
		if err == nil {
			err = source.Run(ctx, f.offers)
		}
		if err != nil {
			f.offers.Set(tool.Provider{Name: s.name, Health: tool.HealthDown, Reason: err.Error()})
		}
	}()
	return r
}

// stop stops servers, and removes their providers when they have ended.
func (f *fileServers) stop(names ...string) {
	for _, name := range names {
		f.running[name].cancel() // all at once, since some take time to stop
	}
	for _, name := range names {
		<-f.running[name].ended
		delete(f.running, name)
	}
	f.offers.Remove(names...)
}
