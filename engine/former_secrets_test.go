package engine_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vcpgo/vcp/engine"
)

// A former secret is one that Options.Secrets no longer returns. The engine keeps 1000 of them. If
// it counted the 1000 secrets in use too, these would take the place of the former one.
func TestSecretsInUseDoNotReplaceFormerOnes(t *testing.T) {
	named := []string{"former-secret"}
	e := newEngine(t, registry(t), scriptOf(), func(o *engine.Options) {
		o.Secrets = func() []string { return named }
	})
	e.Secrets()
	named = nil
	for i := range 1000 {
		named = append(named, fmt.Sprintf("secret-in-use-%d", i))
	}
	for range 3 {
		assert.Contains(t, e.Secrets(), "former-secret")
	}
}
