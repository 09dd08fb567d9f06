package tool

import (
	"maps"
	"time"
)

// An Option sets a property of a method.
type Option func(*Method)

// AgentCallable lets models discover and call the method. Without it, only the application uses the
// method.
func AgentCallable() Option { return func(m *Method) { m.AgentCallable = true } }

// Title sets the name that people see.
func Title(title string) Option { return func(m *Method) { m.Title = title } }

// Alias adds other names for the method, which a request may use as its command. Empty names are
// ignored.
func Alias(names ...string) Option {
	return func(m *Method) {
		for _, name := range names {
			if name != "" {
				m.Aliases = append(m.Aliases, name)
			}
		}
	}
}

// Tags adds tags, which group methods for people and for search.
func Tags(tags ...string) Option { return func(m *Method) { m.Tags = append(m.Tags, tags...) } }

// WithRisk says what a call may do. The default is RiskWrite.
func WithRisk(r Risk) Option { return func(m *Method) { m.Risk = r } }

// Idempotent allows retries, as Method.Idempotent says.
func Idempotent() Option { return func(m *Method) { m.Idempotent = true } }

// Cacheable allows results to be reused for d, as Method.CacheFor says.
func Cacheable(d time.Duration) Option { return func(m *Method) { m.CacheFor = d } }

// Concurrency limits how many calls of the method run at once; 0 means no limit.
func Concurrency(n int) Option { return func(m *Method) { m.Concurrency = n } }

// Uses names a resource that calls must not use at the same time. arguments name the arguments that
// identify one of several such resources.
func Uses(resource string, arguments ...string) Option {
	return func(m *Method) { m.Resources = append(m.Resources, Resource{Name: resource, Arguments: arguments}) }
}

// AlwaysAsk makes every call need approval, as Method.AlwaysAsk says.
func AlwaysAsk() Option { return func(m *Method) { m.AlwaysAsk = true } }

// Composite marks a method whose handler calls other methods, as Method.Composite says.
func Composite() Option { return func(m *Method) { m.Composite = true } }

// OptIn hides the method until a toggle names it or its tool.
func OptIn() Option { return func(m *Method) { m.OptIn = true } }

// Timeout limits the time of one call; 0 means the executor's timeout.
func Timeout(d time.Duration) Option { return func(m *Method) { m.Timeout = d } }

// ResultTokens limits what one result puts into the model's context, as Method.ResultTokens says.
func ResultTokens(tokens int) Option { return func(m *Method) { m.ResultTokens = tokens } }

// SecretParameters adds the names of arguments, and of members at any depth of other arguments,
// whose values are masked wherever calls are recorded. A name that the parameters do not declare is
// refused, unless they allow any name.
func SecretParameters(names ...string) Option {
	return func(m *Method) { m.SecretParameters = append(m.SecretParameters, names...) }
}

// Example adds the arguments of a complete request. The method's schema must accept them.
func Example(args map[string]any) Option {
	return func(m *Method) { m.Examples = append(m.Examples, args) }
}

// Translate adds the texts of the definition in a language, as Method.Translations says.
func Translate(language string, texts map[string]string) Option {
	return func(m *Method) {
		m.Translations = maps.Clone(m.Translations)
		if m.Translations == nil {
			m.Translations = map[string]map[string]string{}
		}
		m.Translations[language] = texts
	}
}

// FullName sets the name by which models call the method, for sources with names of their own.
func FullName(name string) Option { return func(m *Method) { m.FullName = name } }
