package parser

import (
	"fmt"
	"log/slog"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// Options configure a Parser. The zero value reads at level safe, skips quoted requests and ignores
// those in reasoning.
type Options struct {
	Tolerance scan.Tolerance
	// Disabled names repairs to switch off. A name that the protocol does not know is an error.
	Disabled  []string
	Quoted    QuotedPolicy
	Reasoning ReasoningPolicy
	Limits    Limits
	// StopAtResult ends the reading at a result that the model fabricated. The text after its
	// opening mark is dropped and not read, so it does not matter how much of that text arrived.
	StopAtResult bool
	// Finish is the finish reason for ParseToolRequests and Events; a Parser takes it in Close. The
	// words of model servers mean what protocol.ParseFinishReason says, and are kept in
	// Reply.Finish.
	Finish protocol.FinishReason
	// TakesArgument is passed on to the scanner. If it panics, that counts as a panic of the
	// protocol.
	TakesArgument func(toolName, argument string) bool
	// Logger receives a protocol's failures; nil is slog.Default.
	Logger *slog.Logger
}

// maxKeyBytes is the largest limit of a key. A scanner that looks back for the start of a key sees
// only scan.History bytes. Half of them are for the rest of the field: decoration, separator,
// opener.
const maxKeyBytes = scan.History / 2

// check returns an error for an option that is not allowed. Disabled is checked with the protocol.
func (o *Options) check() error {
	switch {
	case o.Tolerance > scan.Greedy:
		return fmt.Errorf("parser: tolerance is %v; allowed are safe, strict and greedy", o.Tolerance)
	case o.Limits.KeyBytes > maxKeyBytes:
		return fmt.Errorf("parser: the limit of a key's size is %d bytes; allowed are up to %d", o.Limits.KeyBytes, maxKeyBytes)
	case int(o.Quoted) >= len(quotedPolicies):
		return fmt.Errorf("parser: the policy for quoted requests is %v; allowed are skip, run and auto", o.Quoted)
	case int(o.Reasoning) >= len(reasoningPolicies):
		return fmt.Errorf(
			"parser: the policy for requests in reasoning is %v; allowed are ignore, run and run_if_nothing_else", o.Reasoning,
		)
	}
	return nil
}

// Limits limit what one reply may cost; 0 or less means the default.
type Limits struct {
	BlockBytes int // bytes of a block; the default is scan.MaxBlockBytes
	Blocks     int // blocks of a reply; the default is scan.MaxBlocks
	Fields     int // fields of a block; the default is scan.MaxFields
	KeyBytes   int // bytes of a key, at most 512; the default is scan.MaxKeyBytes
}

// setDefaults sets the default limits, except KeyBytes, which the scanner sets.
func (l *Limits) setDefaults() {
	if l.BlockBytes <= 0 {
		l.BlockBytes = scan.MaxBlockBytes
	}
	if l.Blocks <= 0 {
		l.Blocks = scan.MaxBlocks
	}
	if l.Fields <= 0 {
		l.Fields = scan.MaxFields
	}
}
