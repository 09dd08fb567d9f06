// Package protocoltest checks that a protocol keeps the promises of package protocol, so that the
// parser and everything built on it work with it. A protocol's own tests call Run:
//
//	func TestProtocol(t *testing.T) { protocoltest.Run(t, mine.Protocol{}) }
//
// The checks do not know the protocol's syntax. Their input is text that the protocol wrote itself,
// whole, truncated and combined with other text. Each run makes the same checks. docs/protocols.md
// explains how to write a protocol.
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
	// check returns an error that shows how the promise is broken, or nil if it is kept.
	check func(s *subject) error
}

var rules = []rule{
	{
		"it names itself, its repairs and its errors",
		"configuration names protocols and repairs, and a model without an error message cannot correct its request",
		introduces,
	},
	{
		"requests read back as they were written",
		"a request that a program writes must mean the same to every reader at every level",
		roundTrip,
	},
	{
		"requests that cannot be read back are refused",
		"a program must get an error instead of text that reads back as something else",
		refusesOrReadsBack,
	},
	{
		"clean requests read the same at every level",
		"a level says how much damage is repaired, and clean input has none",
		sameAtEveryLevel,
	},
	{
		"a truncated request never runs",
		"the missing part may change the meaning, and only clear requests run",
		truncatedNeverRuns,
	},
	{
		"a request that is shown is not run",
		"a model that explains a call in fenced code has not asked for it",
		shownNeverRuns,
	},
	{
		"reading does not depend on how the input is split",
		"the pieces of a stream are arbitrary, so the events and the reply must not depend on them",
		anySplit,
	},
	{
		"every byte is accounted for once",
		"each byte of a reply is text, reasoning, a request or dropped for a reason: nothing is lost, and nothing is shown twice",
		conserves,
	},
	{
		"no input makes it fail",
		"a reply is foreign text, and a failure loses all its requests",
		neverFails,
	},
	{
		"a JSON value that runs is JSON",
		"tools get the value as it is",
		runsValidJSON,
	},
	{
		"a request with a key over the limit does not run",
		"a program that sets a limit relies on it",
		limitsKeys,
	},
	{
		"a scanner does not change its input",
		"the text belongs to the caller: a change would change what is shown and run, or end the program",
		changesNothing,
	},
	{
		"events stay true",
		"people have already seen the events of an argument",
		eventsMatchReply,
	},
	{
		"a request that runs has each argument once",
		"a person might approve one value, and the tool get the other",
		oneOfEach,
	},
	{
		"text is not held back",
		"people read the stream, so fewer than 128 bytes are held back",
		holdsNothingBack,
	},
	{
		"the work grows with the input",
		"a hostile reply must not freeze the parser, so each byte is examined a limited number of times",
		linearWork,
	},
	{
		"results contain no request",
		"a tool's result is foreign text, and must not become a call, even if a model repeats it",
		neutralizes,
	},
	{
		"results contain no result but their own",
		"a tool's result must not forge another one",
		containsOneResult,
	},
	{
		"neutralized text contains no request",
		"an application shows such text to the model, which may repeat it",
		neutralizesText,
	},
	{
		"neutralized text contains no result",
		"foreign text must not forge the result of a call, even if a model repeats it",
		neutralizesResults,
	},
	{
		"a result that a model writes is dropped",
		"a person would take it for a real one",
		dropsOwnResults,
	},
	{
		"a request in a value that ends early does not run",
		"a model may forget an escape, and the value may be foreign text",
		doubtsEarlyEnds,
	},
	{
		"definitions contain no request but their examples",
		"a tool's description is foreign text, and a model may repeat it",
		definitionsContainNone,
	},
	{
		"at most four texts stop a reply, and no request contains one",
		"a model server accepts at most four, and an empty one would stop every reply",
		stops,
	},
	{
		"results read back as they were written",
		"a result must reach the model whole, and tests and imports must read it back",
		resultsReadBack,
	},
	{
		"definitions name every method and parameter",
		"a model can call only methods that it knows",
		definesAll,
	},
	{
		"definitions read back as they were written",
		"tests and imports read them",
		definitionsReadBack,
	},
	{
		"the same input writes the same text",
		"model servers cache prompts by their text, so a changed prompt costs again",
		deterministic,
	},
	{
		"replies that are read at the same time do not mix",
		"one protocol serves all conversations of a program",
		interleaved,
	},
}

// Run checks each rule in its own subtest. A failure names the rule, says why it exists, and shows
// an input that breaks it. Run starts no goroutines, so it does not find data races.
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

// verdict checks the rule for a protocol. A panic of the protocol breaks the rule. The error
// errUncounted means that the rule was not checked.
func (r *rule) verdict(p protocol.Protocol) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case failure:
			err = x.error
		default:
			err = fmt.Errorf("the protocol panicked: %v", x)
		}
		if err != nil && !errors.Is(err, errUncounted) {
			err = fmt.Errorf("rule %q is broken: %w\nit is a rule because %s", r.name, err, r.why)
		}
	}()
	return r.check(newSubject(p))
}
