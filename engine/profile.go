package engine

import (
	"context"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// Profile describes the quirks of a model: how its replies are read, and how tools are described to
// it. The zero value suits an unknown model.
type Profile struct {
	// Reading says how replies are read. The engine sets its Finish and TakesArgument.
	Reading parser.Options
	// Prompt shapes the part of the prompt that describes tools.
	Prompt protocol.PromptOptions
}

// A ProfiledModel knows its own Profile.
type ProfiledModel interface {
	Model
	// Profile returns the profile of the model. The engine calls it at the start of each run and
	// each ProcessCycle. There it may query the model's server, and an error ends the run. At other
	// times the engine calls it with a ctx that has ended. Then Profile must not query the server,
	// but returns at once: with the profile if it is known already, or with an error.
	Profile(ctx context.Context) (Profile, error)
}
