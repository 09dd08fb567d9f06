package executor

import (
	"sync"

	"github.com/vcpgo/vcp/tool"
)

// Memory is what the executor remembers of one conversation: the calls that a person has allowed for the rest of it, which question
// is open, results that may be given again, and calls that wait for the application's answer. The zero value is ready for use. It is safe for concurrent use.
type Memory struct {
	questions gate
	outputs   outputs

	mu        sync.Mutex
	grants    map[grant]bool
	handedOut map[string]*handedOut // by the request's id
}

// A Rememberer is a Scope whose conversation has a Memory. In a Scope that is none, each Execute is a conversation of its own.
type Rememberer interface {
	Scope
	Memory() *Memory
}

// grant is what AllowForConversation has allowed. It hangs on the entry, not on its name: a method that takes another's place in
// the registry has to be asked for anew.
type grant struct {
	method *tool.Entry
	digest Digest // of the call, where the method is dangerous; else zero
}

func grantFor(method *tool.Entry, d Digest) grant {
	if method.Risk() == tool.RiskDangerous {
		return grant{method, d}
	}
	return grant{method: method}
}

// maxGrants is how many answers one conversation remembers, of some 50 bytes each. A call that is allowed after that is asked for again.
const maxGrants = 10_000

func (m *Memory) granted(g grant) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.grants[g]
}

func (m *Memory) allow(g grant) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.grants == nil {
		m.grants = map[grant]bool{}
	}
	if len(m.grants) < maxGrants {
		m.grants[g] = true
	}
}
