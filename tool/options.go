package tool

import (
	"maps"
	"time"
)

// An Option sets a property of a method.
type Option func(*Method)

// AgentCallable lets models discover and call the method. Without it, only the application can use
// the method.
func AgentCallable() Option { return func(m *Method) { m.AgentCallable = true } }

// Title sets the name that people see.
func Title(title string) Option { return func(m *Method) { m.Title = title } }

// Alias adds other names for the method; see Method.Aliases. Empty names are ignored.
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

// WithRisk sets the risk of a call. The default is RiskWrite.
func WithRisk(r Risk) Option { return func(m *Method) { m.Risk = r } }

// Idempotent allows retries; see Method.Idempotent.
func Idempotent() Option { return func(m *Method) { m.Idempotent = true } }

// Cacheable allows results to be reused for the given time; see Method.CacheFor.
func Cacheable(d time.Duration) Option { return func(m *Method) { m.CacheFor = d } }

// Concurrency limits how many calls of the method run at once; 0 means no limit.
func Concurrency(n int) Option { return func(m *Method) { m.Concurrency = n } }

// Uses adds a resource that calls must not use at the same time; see Resource.
func Uses(resource string, arguments ...string) Option {
	return func(m *Method) { m.Resources = append(m.Resources, Resource{Name: resource, Arguments: arguments}) }
}

// AlwaysAsk makes calls need approval, whatever their risk; see Method.AlwaysAsk.
func AlwaysAsk() Option { return func(m *Method) { m.AlwaysAsk = true } }

// Composite marks a method whose handler calls other methods; see Method.Composite.
func Composite() Option { return func(m *Method) { m.Composite = true } }

// OptIn hides the method until a toggle names it or its tool; see Method.OptIn.
func OptIn() Option { return func(m *Method) { m.OptIn = true } }

// Timeout limits the time of one call; 0 means the executor's timeout.
func Timeout(d time.Duration) Option { return func(m *Method) { m.Timeout = d } }

// ResultTokens limits how much of a result the model sees; see Method.ResultTokens.
func ResultTokens(tokens int) Option { return func(m *Method) { m.ResultTokens = tokens } }

// SecretParameters adds names of arguments, and of members at any depth of other arguments, whose
// values are masked wherever calls are recorded. A name that the parameters do not declare is an
// error, unless they allow any name.
func SecretParameters(names ...string) Option {
	return func(m *Method) { m.SecretParameters = append(m.SecretParameters, names...) }
}

// Example adds the arguments of a complete request. The method's schema must accept them.
func Example(args map[string]any) Option {
	return func(m *Method) { m.Examples = append(m.Examples, args) }
}

// Translate adds the texts of the definition in a language; see Method.Translations.
func Translate(language string, texts map[string]string) Option {
	return func(m *Method) {
		m.Translations = maps.Clone(m.Translations)
		if m.Translations == nil {
			m.Translations = map[string]map[string]string{}
		}
		m.Translations[language] = texts
	}
}

// FullName sets the name by which models call the method; see Method.FullName.
func FullName(name string) Option { return func(m *Method) { m.FullName = name } }
