package engine_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vcpgo/vcp/engine"
)

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
	for range 3 { // a repeated call does not count the secrets in use as former ones
		assert.Contains(t, e.Secrets(), "former-secret")
	}
}
