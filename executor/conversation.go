package executor

import (
	"encoding/json"
	"sync"

	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// Conversation is what the calls of one conversation share: what they may use, the grants of
// earlier approvals, and host-run calls that wait. Only one call at a time asks for approval. In a
// zero Conversation no method is visible. It must not be copied. It is safe for concurrent use.
type Conversation struct {
	// Session and Owner are the id of the conversation and the user to whom it belongs, as the
	// application names them. Audit records repeat them. Conversations of one Owner share cached
	// results; without an Owner, a conversation has cached results of its own.
	Session, Owner string
	// Visible reports whether a method is enabled in the conversation; nil means that no method is.
	// It is called again right before each run, and must be safe for concurrent use.
	Visible func(*tool.Entry) bool
	// WhyHidden names what hides a method that Visible hides, for people, as in "toolToggles: files
	// is false". If WhyHidden is nil, no reason is given. It must be safe for concurrent use.
	WhyHidden func(*tool.Entry) string
	// Policy returns the policy that applies now; nil means Options.Policy. It is called again
	// right before each run. A call does not run if the policy now denies it. Neither does it if
	// the policy now asks about it and no person has approved it. Policy must be safe for
	// concurrent use.
	Policy func() policy.Policy
	// CopiedFrom returns the source of a foreign text that contains the same request, or nil if no
	// foreign text does. Text is foreign if it comes from a tool, a file, an import or another
	// person. A copied request does not run without approval, whatever the policy allows. The
	// request is valid, and digest returns the digest of its call. If CopiedFrom is nil, no request
	// counts as copied. It must be safe for concurrent use.
	CopiedFrom func(req Request, method *tool.Entry, digest func() Digest) *protocol.Source
	// ForeignArguments returns those values of a call's arguments that occur in foreign text, and
	// in no text of the user or the application. masked are the arguments, with secrets masked. If
	// ForeignArguments is nil, no values are reported. It must be safe for concurrent use.
	ForeignArguments func(method *tool.Entry, masked json.RawMessage) []ForeignArgument
	// Language returns the language of failures and notes, "en" or "zh"; nil means "en". It must be
	// safe for concurrent use.
	Language func() string

	questions lockTable
	hostRuns  hostRuns

	mu     sync.Mutex
	grants map[grant]bool
	open   *openQuestion // nil if no question is open
}

// HostRunCalls returns the host-run calls that wait for a result, the one with the earliest
// deadline first.
func (c *Conversation) HostRunCalls() []HostRunCall { return c.hostRuns.list() }

// Complete gives a host-run call its result: output or, if err is not nil, a failure. The model
// sees the text of err. Only the first result of a call counts: after it, and after the call timed
// out or was canceled, Complete returns a *NotWaitingError.
func (c *Conversation) Complete(id string, output tool.Output, err error) error {
	return c.hostRuns.complete(id, hostResult{output, err})
}

func (c *Conversation) language() string {
	if c.Language == nil {
		return ""
	}
	return c.Language()
}

// isVisible reports whether models may call the method in this conversation.
func (c *Conversation) isVisible(method *tool.Entry) bool {
	return method.Method.AgentCallable && c.Visible != nil && c.Visible(method)
}

func (c *Conversation) whyHidden(method *tool.Entry) string {
	if c.WhyHidden == nil {
		return ""
	}
	return c.WhyHidden(method)
}

// maxGrants limits the grants of a conversation, of about 50 bytes each. Further approvals are not
// remembered, so their calls are asked about again.
const maxGrants = 10_000

// A grant is an approval for the conversation. It contains the entry, not its name: a method that
// replaces another needs its own approval.
type grant struct {
	method *tool.Entry
	digest Digest // of the only call that the grant covers; "" if it covers all calls of the method
}

func (g grant) coversMethod() bool { return g.digest == "" }

func (c *Conversation) granted(g grant) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.grants[g]
}

// addGrant remembers a grant, unless there are too many.
func (c *Conversation) addGrant(g grant) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.grants == nil {
		c.grants = map[grant]bool{}
	}
	if len(c.grants) < maxGrants {
		c.grants[g] = true
	}
}
