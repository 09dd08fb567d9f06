package secrets_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vcpgo/vcp/internal/secrets"
)

func TestFormerSecretsAreLimited(t *testing.T) {
	assert.Equal(t, []string{"second-value", "first-value"},
		secrets.Remember([]string{"first-value", "second-value"}, []string{"short", "first-value"}))

	var former []string
	for i := range 1500 {
		former = secrets.Remember(former, []string{fmt.Sprintf("value-%04d", i)})
	}
	assert.Len(t, former, 1000)
	assert.Equal(t, []string{"value-0500", "value-1499"}, []string{former[0], former[999]})

	former = secrets.Remember(former, []string{strings.Repeat("x", 30<<10)})
	assert.Len(t, former[len(former)-1], 30<<10)
	assert.LessOrEqual(t, len(strings.Join(former, "")), 32<<10)
	assert.Contains(t, former, "value-1499")
	assert.NotContains(t, former, "value-0500")
}
