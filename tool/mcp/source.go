package mcp

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/backoff"
	"github.com/vcpgo/vcp/internal/process"
	"github.com/vcpgo/vcp/internal/redact"
	"github.com/vcpgo/vcp/tool"
)

// waits are the pauses between attempts to connect.
var waits = backoff.Policy{First: 500 * time.Millisecond, Longest: time.Minute}

const (
	// stableTime is the time after which a connection counts as stable: if it is lost later, the
	// next pause is short again.
	stableTime = time.Minute
	// settleTime is the time between the announcement of a change and the request for the new
	// lists. A server may announce several changes at once.
	settleTime = 100 * time.Millisecond
	// shownProblems is how many problems with tools the reason of the health lists.
	shownProblems = 3
)

// Source is a tool.Source for one MCP server. It offers one provider and one tool, both with the
// server's name. Use New to create a Source.
type Source struct {
	endpoint
	catalog catalog
}

// New returns the source of a server. It copies c. The source connects when Run is called. The
// error is a *ConfigError.
func New(c Config) (*Source, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	s := &Source{endpoint: endpoint{config: c.clone(), link: newLink()}}
	s.redactor = redact.New(s.config.secrets()...)
	s.catalog.endpoint, s.catalog.pins, s.catalog.accepted = &s.endpoint, c.Pins, make(chan struct{}, 1)
	if c.Pins == nil {
		s.catalog.pins = NewMemoryPins()
	}
	return s, nil
}

// Name implements tool.Source.
func (s *Source) Name() string { return "mcp " + s.config.Name }

// Files implements tool.SourceWithFiles. It returns the program and the files that the command line
// names.
func (s *Source) Files() []string { return process.Files(s.config.Command, s.config.Dir) }

// Run implements tool.Source. It connects to the server, and connects again when the connection is
// lost, until ctx ends.
func (s *Source) Run(ctx context.Context, offers tool.Offers) error {
	name := s.config.Name
	offers.Set(tool.Provider{Name: name, Health: tool.HealthStarting, Reason: "the server has not answered yet"})
	defer s.link.update(nil, errRemoved)
	for failed := 0; ; { // failed counts the attempts since the last stable connection
		begun := time.Now()
		connected, err := s.serve(ctx, offers)
		if ctx.Err() != nil {
			return nil
		}
		if connected && time.Since(begun) > stableTime {
			failed = 0
		}
		failed++
		wait := waits.Wait(failed)
		reason := fmt.Sprintf("%v; the next attempt to connect is in %v", err, wait.Round(100*time.Millisecond))
		if connected {
			s.link.update(nil, nil) // makes calls wait for the next attempt
		} else {
			s.link.update(nil, err)
		}
		offers.SetHealth(name, tool.HealthDown, reason)
		if !backoff.Sleep(ctx, wait) {
			return nil
		}
	}
}

// serve connects to the server and offers its tools until the connection is lost or ctx ends.
// connected reports whether the tools were offered. The error says why serve returned.
func (s *Source) serve(ctx context.Context, offers tool.Offers) (connected bool, err error) {
	limited, cancel := context.WithTimeout(ctx, s.config.ConnectTimeout)
	defer cancel()
	conn, err := connect(limited, &s.config, s.redactor)
	if err != nil {
		return false, err
	}
	defer conn.disconnect()
	list, err := s.catalog.read(limited, conn)
	if err != nil {
		return false, conn.explain(limited, &delivery{}, errorf("request for its tools"), err)
	}
	offers.Set(s.provider(conn, list))
	s.link.update(conn, nil)
	updateHealth := func() {
		health, reason := s.health(conn, list)
		offers.SetHealth(s.config.Name, health, reason)
	}
	noticed := conn.output.noticed
	for {
		select {
		case <-ctx.Done():
			return true, ctx.Err()
		case <-conn.life.Done():
			conn.disconnect() // waits for the exit status, which explains the loss
			reason := conn.explain(ctx, &delivery{}, nil, context.Cause(conn.life))
			return true, fmt.Errorf("the connection was lost: %w", reason)
		case <-noticed:
			noticed = nil
			updateHealth()
		case <-s.catalog.accepted:
			updateHealth()
		case <-conn.changed:
			if !backoff.Sleep(ctx, settleTime) {
				continue
			}
			if next, err := s.relist(ctx, conn); err != nil {
				reason := fmt.Sprintf("the server changed its tools, and the new list cannot be read: %v", err)
				offers.SetHealth(s.config.Name, tool.HealthDegraded, reason)
			} else if !next.equal(list) {
				list = next
				offers.Set(s.provider(conn, list))
			}
		}
	}
}

// relist reads the lists again after the server announced a change.
func (s *Source) relist(ctx context.Context, conn *session) (*offeredMethods, error) {
	limited, cancel := context.WithTimeout(ctx, s.config.ConnectTimeout)
	defer cancel()
	d := &delivery{}
	requestCtx, end := conn.requestContext(limited, d)
	defer end()
	list, err := s.catalog.read(requestCtx, conn)
	if err != nil {
		return nil, conn.explain(limited, d, errorf("request for its tools"), err)
	}
	return list, nil
}

// provider returns the provider with the methods of list.
func (s *Source) provider(conn *session, list *offeredMethods) tool.Provider {
	p := tool.Provider{Name: s.config.Name}
	p.Health, p.Reason = s.health(conn, list)
	if len(list.methods) == 0 {
		p.Health, p.Reason = tool.HealthDegraded, strings.Join(nonEmpty("the server offers no tools", p.Reason), "; ")
		return p
	}
	t := tool.Tool{ID: s.config.Name, Methods: list.methods, Secrets: s.config.storedSecrets()}
	info := conn.InitializeResult()
	t.Description = clean(info.Instructions, maxDescription)
	if info.ServerInfo != nil {
		t.Title = clean(cmp.Or(info.ServerInfo.Title, info.ServerInfo.Name), maxTitle)
	}
	p.Tools = []tool.Tool{t}
	return p
}

// health returns the health of a server that is connected.
func (s *Source) health(conn *session, list *offeredMethods) (tool.Health, string) {
	var reasons []string
	if warning := conn.output.warning(s.redactor); warning != "" {
		reasons = append(reasons, warning)
	}
	if warning := s.catalog.warning(); warning != "" {
		reasons = append(reasons, warning)
	}
	notes := list.notes()
	reasons = append(reasons, notes[:min(len(notes), shownProblems)]...)
	if more := len(notes) - shownProblems; more > 0 {
		reasons = append(reasons, fmt.Sprintf("and %d more", more))
	}
	if len(reasons) == 0 {
		return tool.HealthUp, ""
	}
	return tool.HealthDegraded, strings.Join(reasons, "; ")
}
