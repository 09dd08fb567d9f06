package tool

import "context"

// Source provides tools that change while an application runs, such as those of a file, a folder
// of plug-ins or a server. Sources keeps a registry up to date with it.
type Source interface {
	// Name identifies the source, as in "plugins ./Plugin". It is the Owner of the tools that the
	// source offers.
	Name() string
	// Run offers tools until ctx ends, and then stops everything that it has started. It calls
	// offers.Set as soon as it knows its providers, even if there are none, because Sources.Wait
	// waits for this call. If Run returns before ctx ends, the source has ended: its tools remain
	// if the error is nil, and are removed otherwise. Run is called once.
	Run(ctx context.Context, offers Offers) error
}

// Offers receives what a source offers. It is safe for concurrent use, and it may be used from
// handlers of the source's tools. After Run has returned it does nothing.
type Offers interface {
	// Set adds providers, and replaces those of the same names, in one change of the registry.
	// Providers that are not named keep their tools. The tools are copied.
	Set(providers ...Provider)
	// SetHealth changes the health of a provider and the reason for it. The provider keeps its
	// tools, so calls under way continue. It does nothing if there is no provider of that name.
	SetHealth(name string, health Health, reason string)
	// Remove removes providers with their tools. Unknown names do nothing.
	Remove(names ...string)
}

// Provider is one part of a source that comes and goes as a whole: a plug-in, a server, or a file
// of tools.
type Provider struct {
	// Name identifies the provider within its source.
	Name string
	// Health says whether the tools can be used; "" means HealthUp.
	Health Health
	// Reason says for people why Health is not HealthUp, and what to do. It may contain foreign
	// text and must not contain secrets.
	Reason string
	// Tools may be empty. Their Owner is ignored. A tool that cannot be registered is omitted, and
	// Sources.Providers says why.
	Tools []Tool
}

// Health says whether the tools of a provider can be used.
type Health string

const (
	// HealthStarting is a provider whose tools are not known yet, such as those of a server that
	// has not answered.
	HealthStarting Health = "starting"
	// HealthUp is a provider that works.
	HealthUp Health = "up"
	// HealthDegraded is a provider that works, but not as it should: some of its tools are missing,
	// or they are those of an older version.
	HealthDegraded Health = "degraded"
	// HealthDown is a provider whose tools cannot be called. If it has tools, calls fail.
	HealthDown Health = "down"
	// HealthOff is a provider that is not meant to run here: a person has switched it off, or it
	// has nothing to call.
	HealthOff Health = "off"
)
