package tool

import "context"

// Source provides tools that change while an application runs, such as the tools of a file, a
// folder of plug-ins or a server. Sources keeps a registry up to date with the tools of its
// sources.
type Source interface {
	// Name identifies the source, as in "plugins ./Plugin". It is the Owner of the tools that the
	// source offers.
	Name() string
	// Run offers tools until ctx ends, then stops everything that it has started, and returns. It
	// calls offers.Set as soon as it knows its providers, even if there are none, because
	// Sources.Wait waits for this call. If Run returns before ctx ends, the source has ended: its
	// tools remain if the error is nil, and are removed otherwise. Run is called once.
	Run(ctx context.Context, offers Offers) error
}

// SourceWithFiles is a Source that depends on files: what they contain decides which programs it
// runs. A tool that writes files should not change them; see Sources.Files.
type SourceWithFiles interface {
	Source
	// Files returns the files and directories. They need not exist. A relative path begins at the
	// working directory of this process. Files is safe for concurrent use.
	Files() []string
}

// Offers receives the providers that a source offers. It is safe for concurrent use, and handlers
// of the source's tools may use it. After Source.Run has returned, its methods do nothing.
type Offers interface {
	// Set adds providers, and replaces providers of the same names, in one change of the registry.
	// Other providers keep their tools. The tools are copied.
	Set(providers ...Provider)
	// SetHealth changes the health of a provider and the reason for it. The provider keeps its
	// tools, so calls under way continue. It does nothing if no provider has the name.
	SetHealth(name string, health Health, reason string)
	// Remove removes providers with their tools. It ignores unknown names.
	Remove(names ...string)
}

// Provider is a group of tools that a source offers and removes together: those of a plug-in, a
// server or a file.
type Provider struct {
	// Name identifies the provider within its source.
	Name string
	// Health says whether the tools can be used; "" means HealthUp.
	Health Health
	// Reason says for people why Health is not HealthUp, and what they can do. It may contain
	// foreign text and must not contain secrets.
	Reason string
	// Tools are the tools; there may be none. Their Owner is ignored. A tool that cannot be
	// registered is omitted, and the result of Sources.Providers says why.
	Tools []Tool
}

// Health says whether the tools of a provider can be used.
type Health string

const (
	// HealthStarting means that the tools are not known yet, for example because the server has not
	// answered.
	HealthStarting Health = "starting"
	// HealthUp means that the provider works.
	HealthUp Health = "up"
	// HealthDegraded means that the provider works, but not as it should: for example, some of its
	// tools are missing, or they are those of an older version.
	HealthDegraded Health = "degraded"
	// HealthDown means that calls of the provider's tools fail, or that it has no tools because it
	// does not work.
	HealthDown Health = "down"
	// HealthOff means that the provider is not meant to run here: a person has switched it off, or
	// it has no methods.
	HealthOff Health = "off"
)
