package mcp

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/vcpgo/vcp/tool"
)

// Pins store one Pin for each tool, so that a changed definition is noticed. They are safe for
// concurrent use.
type Pins interface {
	// See stores the pins of a server's tools that have none yet, and returns the stored pins of
	// the tools in seen, for the caller to compare. seen has a pin of each tool's current
	// definition, by the tool's name. If a pin cannot be stored, it is missing in the result, and
	// the error says why.
	See(server string, seen map[string]Pin) (map[string]Pin, error)
	// Accept replaces the pin of a tool. It is called when a person has approved a call of the
	// changed tool.
	Accept(server, name string, pin Pin) error
}

// Pin identifies one version of a tool's definition. Title, Description and Parameters are hashes.
type Pin struct {
	Time        time.Time `json:"time"` // when the version was first seen or accepted
	Title       string    `json:"title"`
	Description string    `json:"description"`
	Parameters  string    `json:"parameters"`
	Risk        tool.Risk `json:"risk"` // as the server's annotations imply it
}

const (
	// maxMethods limits the methods of one server.
	maxMethods = 1000
	// maxPins limits the pins of one server, because a server could offer new names every day.
	maxPins = 4 * maxMethods
)

// same reports whether two pins identify the same definition.
func (p Pin) same(other Pin) bool {
	p.Time = other.Time
	return p == other
}

type memoryPins struct {
	mu     sync.Mutex
	pinned pinTable
}

// NewMemoryPins returns pins that are stored in memory only.
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

// pinRecord records that a definition was seen, or that a person accepted it.
type pinRecord struct {
	Server   string `json:"server"`
	Tool     string `json:"tool"`
	Accepted bool   `json:"accepted,omitempty"`
	Pin
}

// pinTable contains the pins of tools, by server and name. The zero value is ready to use.
type pinTable map[string]map[string]Pin

// add adds a record. The pin of a tool is the first one that was seen, until a person accepts
// another one.
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

// missing returns the sorted names of the tools in seen that have no pin. If the server would have
// more than maxPins pins, missing omits some names, and the error says so.
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

// of returns the pins of the tools in seen. It omits tools without a pin.
func (p pinTable) of(server string, seen map[string]Pin) map[string]Pin {
	found := map[string]Pin{}
	for name := range seen {
		if pin, ok := p[server][name]; ok {
			found[name] = pin
		}
	}
	return found
}
