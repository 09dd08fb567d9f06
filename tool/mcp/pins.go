package mcp

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/vcpgo/vcp/tool"
)

// Pins remember the definitions of tools, so that a changed definition is noticed. They are safe
// for concurrent use.
type Pins interface {
	// See records the definitions of a server's tools, by name, that are not pinned yet. It returns
	// the pins that hold now for the tools in seen. A tool without a pin could not be recorded, and
	// the error says why.
	See(server string, seen map[string]Pin) (map[string]Pin, error)
	// Accept replaces the pin of a tool, because a person approved a call of it.
	Accept(server, name string, pin Pin) error
}

// Pin is what is remembered of one definition: hashes of its parts.
type Pin struct {
	Time        time.Time `json:"time"` // when it was recorded
	Title       string    `json:"title"`
	Description string    `json:"description"`
	Parameters  string    `json:"parameters"`
	Risk        tool.Risk `json:"risk"` // what the server's annotations mean
}

const (
	// maxMethods limits the methods of one server.
	maxMethods = 1000
	// maxPins limits the pins of one server, since a server may offer other names each day.
	maxPins = 4 * maxMethods
)

// same reports whether two pins are of one definition.
func (p Pin) same(other Pin) bool {
	p.Time = other.Time
	return p == other
}

type memoryPins struct {
	mu     sync.Mutex
	pinned pinTable
}

// NewMemoryPins returns pins that are kept in memory only.
func NewMemoryPins() Pins { return &memoryPins{} }

// See implements Pins.
func (m *memoryPins) See(server string, seen map[string]Pin) (map[string]Pin, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	missing, err := m.pinned.missing(server, seen)
	for _, name := range missing {
		m.pinned.add(pinRecord{Server: server, Tool: name, Pin: seen[name]})
	}
	return m.pinned.of(server, seen), err
}

// Accept implements Pins.
func (m *memoryPins) Accept(server, name string, pin Pin) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pinned.add(pinRecord{Server: server, Tool: name, Accepted: true, Pin: pin})
	return nil
}

// pinRecord says that a definition was seen, or that a person accepted it.
type pinRecord struct {
	Server   string `json:"server"`
	Tool     string `json:"tool"`
	Accepted bool   `json:"accepted,omitempty"`
	Pin
}

// pinTable has the pins of tools, by server and name. The zero value has none.
type pinTable map[string]map[string]Pin

// add adds a record. The first definition that was seen of a tool is its pin, until a person
// accepts another.
func (p *pinTable) add(r pinRecord) {
	if *p == nil {
		*p = pinTable{}
	}
	tools := (*p)[r.Server]
	if tools == nil {
		tools = map[string]Pin{}
		(*p)[r.Server] = tools
	}
	if _, known := tools[r.Tool]; !known || r.Accepted {
		tools[r.Tool] = r.Pin
	}
}

// missing returns the names of the tools in seen without a pin, sorted. If the server has too many
// names, missing omits some, and the error says so.
func (p pinTable) missing(server string, seen map[string]Pin) (names []string, err error) {
	tools := p[server]
	for name := range seen {
		if _, known := tools[name]; !known {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if room := maxPins - len(tools); len(names) > room {
		names, err = names[:max(room, 0)], fmt.Errorf("the server has offered more than %d different names", maxPins)
	}
	return names, err
}

// of returns the pins of those tools that have one.
func (p pinTable) of(server string, seen map[string]Pin) map[string]Pin {
	found := map[string]Pin{}
	for name := range seen {
		if pin, ok := p[server][name]; ok {
			found[name] = pin
		}
	}
	return found
}
