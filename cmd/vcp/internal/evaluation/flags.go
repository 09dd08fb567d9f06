// Package evaluation runs vcp eval, with recorded replies or with a live model.
package evaluation

import (
	"context"
	"math"

	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/protocol"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
	"github.com/vcpgo/vcp/cmd/vcp/internal/modelclient"
)

// Flags are the flags of vcp eval.
type Flags struct {
	protocols []protocol.Protocol
	maxWrong  int
	offline   offlineFlags
	live      liveFlags
}

// Add adds the flags.
func (e *Flags) Add(f *pflag.FlagSet) {
	f.Var(cli.NewChoices(&e.protocols, configuration.ProtocolOptions(), ""), "protocol",
		"the text protocols to read replies in, or to give the model")
	e.offline.add(f)
	e.maxWrong = -1 // below the minimum, so the flag has no default
	f.Var(cli.NewNumber(&e.maxWrong, 0), "max-wrong",
		"fail if more than N replies of a setting run something wrong, or with --live a variant makes more than N wrong calls; "+
			"by default any number is allowed")
	e.live.add(f)
}

// Run evaluates the files that args name or, with --live, a model.
func (e *Flags) Run(ctx context.Context, std cli.Streams, f *pflag.FlagSet, args []string) error {
	if err := e.check(f, args); err != nil {
		return err
	}
	if e.live.server.Preset.List {
		return modelclient.ListPresets(std.Out)
	}
	if e.maxWrong < 0 {
		e.maxWrong = math.MaxInt
	}
	if e.live.suite != "" {
		return e.live.evaluate(ctx, std, e.protocols, e.maxWrong)
	}
	return e.offline.evaluate(ctx, std, e.protocols, e.maxWrong, args)
}

// check returns an error if the arguments or the flags do not fit the kind of evaluation: with or
// without --live.
func (e *Flags) check(f *pflag.FlagSet, args []string) error {
	notHere := liveOnly
	if e.live.suite != "" {
		notHere = offlineOnly
		if len(args) > 0 {
			return cli.Usagef("--live takes its tasks from %s, and an argument was given: %q", e.live.suite, args[0])
		}
	} else if len(args) == 0 {
		return cli.Usagef(`name a FILE with replies, "-" for standard input, or a suite with --live`)
	}
	for _, name := range notHere {
		if f.Changed(name) && e.live.suite != "" {
			return cli.Usagef("--%s has no effect with --live", name)
		} else if f.Changed(name) {
			return cli.Usagef("--%s has an effect only with --live", name)
		}
	}
	return nil
}

// The flags that have an effect in one kind of evaluation only.
var (
	offlineOnly = []string{"tolerance", "quoted", "json"}
	liveOnly    = []string{
		"tries", "calls", "script", "base-url", "model", "api-key-env", "retries", "preset", "config", "no-config",
	}
)
