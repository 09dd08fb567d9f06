package engine

import (
	"context"
	"fmt"
	"reflect"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// Profile says what is particular about a model: how its replies are read, and how tools are
// described to it. Both belong together, so they are set together. The zero value suits an unknown
// model.
type Profile struct {
	// Reading says how replies are read. The engine sets its Finish and TakesArgument.
	Reading parser.Options
	// Prompt shapes the part of the prompt that describes tools.
	Prompt protocol.PromptOptions
}

// A ProfiledModel knows its own Profile.
type ProfiledModel interface {
	Model
	// Profile returns the profile of the model. The engine asks once per run and per ProcessCycle, and
	// Profile may query the model's server. An error ends the run. If ctx has ended, Profile returns
	// at once: what it knows already, or an error.
	Profile(ctx context.Context) (Profile, error)
}

// profiled are the settings for a model with a profile of its own.
type profiled struct {
	base     *settings
	profile  Profile
	settings *settings
}

// settingsFor returns the current settings, with the profile of the model if it has one.
func (e *Engine) settingsFor(ctx context.Context) (*settings, error) {
	base := e.settings.Load()
	model, ok := e.options.Model.(ProfiledModel)
	if !ok || e.options.Profile != nil {
		return base, nil
	}
	profile, err := model.Profile(ctx)
	if err != nil {
		return nil, err
	}
	if last := e.profiled.Load(); last != nil && last.base == base && reflect.DeepEqual(last.profile, profile) {
		return last.settings, nil
	}
	set := *base
	if err := set.apply(&profile, e.options.Logger); err != nil {
		return nil, fmt.Errorf("engine: the profile of the model: %w", err)
	}
	e.profiled.Store(&profiled{base, profile, &set})
	return &set, nil
}

// knownSettings returns what settingsFor returns without asking the model's server.
func (e *Engine) knownSettings() *settings {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if set, err := e.settingsFor(ended); err == nil {
		return set
	}
	return e.settings.Load()
}
