package tool

import (
	"fmt"
	"strings"
)

// check returns a *DefinitionError if the method cannot be registered.
func (m *Method) check() error {
	if reason := m.problem(); reason != "" {
		return &DefinitionError{Name: m.Name, Reason: reason}
	}
	return nil
}

// problem returns why the method cannot be registered, or "" if it can.
func (m *Method) problem() string {
	if why := badName(m.Name); why != "" {
		return fmt.Sprintf("name %q: %s", m.Name, why)
	}
	if why := badName(m.FullName); why != "" && m.FullName != "" {
		return fmt.Sprintf("full name %q: %s", m.FullName, why)
	}
	for _, alias := range m.Aliases {
		if why := badName(alias); why != "" {
			return fmt.Sprintf("alias %q: %s", alias, why)
		}
	}
	switch {
	case m.FullName == "" && strings.Contains(m.Name, "_"):
		return `name must not contain _, which separates the tool's id from the method's name; write it in camelCase or with -`
	case m.Parameters == nil:
		return "parameters are missing; create methods with New, Raw or HostRun"
	case m.Handler == nil && !m.HostRun:
		return "handler is missing; create methods with New or Raw, or with HostRun if the application runs them"
	case m.Handler != nil && m.HostRun:
		return "handler must be nil if HostRun is set, because the application runs the method"
	case m.Timeout < 0:
		return fmt.Sprintf("timeout must not be negative (got %v); 0 means the executor's timeout", m.Timeout)
	case !m.Risk.valid():
		return fmt.Sprintf("risk must be %s, %s or %s (got %q)", RiskRead, RiskWrite, RiskDangerous, m.Risk)
	case m.CacheFor < 0:
		return fmt.Sprintf("cache time must not be negative (got %v); 0 caches nothing", m.CacheFor)
	case m.Concurrency < 0:
		return negativeConcurrency(m.Concurrency)
	}
	for _, r := range m.Resources {
		if reason := m.resourceProblem(r); reason != "" {
			return reason
		}
	}
	for _, name := range m.SecretParameters {
		if reason := m.secretProblem(name); reason != "" {
			return reason
		}
	}
	return ""
}

// negativeConcurrency returns the reason of a DefinitionError.
func negativeConcurrency(n int) string {
	return fmt.Sprintf("concurrency must not be negative (got %d); 0 means no limit", n)
}
