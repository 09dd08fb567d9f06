// Package protocoltest checks that a protocol keeps the promises of package protocol, so that the
// parser and everything built on it work with it. A protocol's own tests call Run:
//
//	func TestProtocol(t *testing.T) { protocoltest.Run(t, mine.Protocol{}) }
//
// The checks do not know the protocol's syntax. Their input is text that the protocol wrote itself:
// whole, truncated and combined. They are the same in each run. docs/protocols.md explains how to
// write a protocol.
package protocoltest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/vcpgo/vcp/protocol"
)

// A rule is one promise of a protocol. Its name reads as the promise.
type rule struct {
	name string
	why  string
	// check returns an error that shows how the promise is broken; nil if it is kept.
	check func(s *subject) error
}

var rules = []rule{
	{
		"it introduces itself", "configuration names protocols and repairs, and a model that is told nothing cannot mend its request", introduces,
	},
	{
		"requests read back as they were written", "what a program writes as a model would must mean the same to every reader, at every level", roundTrip,
	},
	{
		"what cannot be read back is refused", "a program that writes as a model would must learn what cannot be said, and not have it read as something else", refuses,
	},
	{
		"clean requests read the same at every level", "a level says how much damage is mended, and clean input has none", sameAtEveryLevel,
	},
	{
		"a request that is cut never runs", "what is missing may have changed what it means: nothing runs that was not clearly asked for", cutNeverRuns,
	},
	{
		"a request that is shown is not run", "a model that explains a call in fenced code has not asked for it", shownNeverRuns,
	},
	{
		"reading does not depend on how the input is cut", "a stream is cut by chance: the same reply must tell and mean the same", anyCut,
	},
	{
		"every byte is accounted for once", "what a model wrote is text, reasoning, a request or dropped for a reason: nothing is lost, and nothing is shown twice", conserves,
	},
	{
		"no input makes it fail", "a reply is foreign text, and a failure loses all requests of it", neverFails,
	},
	{
		"a scanner changes nothing of what it reads", "the text is the caller's: a change to it is a change to what is shown and run, or the end of the program", changesNothing,
	},
	{
		"what was told stays true", "what is told of an argument while it streams is for people, and they have seen it", toldStaysTrue,
	},
	{
		"a request that runs has each argument once", "of two values a person would approve the one, and the tool get the other", oneOfEach,
	},
	{
		"text is not held back", "people read along: 128 bytes are held back at most until it is known what they are", holdsNothingBack,
	},
	{
		"the work grows with the input", "a reply that is made to freeze a parser must not: each byte is looked at a bounded number of times", linearWork,
	},
	{
		"results hold no request", "a tool's result is foreign text: it may never become a call, be it read or repeated", neutralizes,
	},
	{
		"foreign text made safe holds no request", "an application shows such text to the model, which repeats it", neutralizesText,
	},
	{
		"definitions hold no request but their examples", "what a tool says of itself is foreign text, and a model repeats it", definitionsHoldNone,
	},
	{
		"a few texts stop a reply", "a model server takes four of them at most, and an empty one would stop every reply", stops,
	},
	{
		"results read back as they were written", "what a tool returned must reach the model whole, and imports and stand-ins for models must get it back", resultsReadBack,
	},
	{
		"definitions name every method and parameter", "a model can call only what it is told of", definesAll,
	},
	{
		"definitions read back as they were written", "imports and stand-ins for models learn from them what the model was told", definitionsReadBack,
	},
	{
		"the same input writes the same text", "a prompt that changes by itself is paid for again, since model servers keep what they have read by its text", deterministic,
	},
	{
		"it is safe for concurrent use", "one protocol serves all conversations of a program at once", concurrent,
	},
}

// Run checks each rule in its own subtest. A failure names the rule, says why it exists, and shows
// an input that breaks it. The race detector helps to check the last rule.
func Run(t *testing.T, p protocol.Protocol) {
	t.Helper()
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			switch err := r.verdict(p); {
			case errors.Is(err, errUncounted):
				t.Skip(err)
			case err != nil:
				t.Error(err)
			}
		})
	}
}

// verdict checks the rule for a protocol. A panic of the protocol breaks it. The error errUncounted
// means that the rule was not checked.
func (r *rule) verdict(p protocol.Protocol) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("the protocol panicked: %v", x)
		}
		if err != nil && !errors.Is(err, errUncounted) {
			err = fmt.Errorf("rule %q is broken: %w\nit is a rule because %s", r.name, err, r.why)
		}
	}()
	return r.check(newSubject(p))
}
