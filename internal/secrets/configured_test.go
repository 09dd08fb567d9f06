package secrets_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vcpgo/vcp/internal/secrets"
)

func TestConfiguredFindsProbableSecrets(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		want        bool // whether the value is probably a secret
	}{
		{"API_KEY", "correct horse", true},
		{"DB_PASSWORD", "hunter22", true},
		{"Authorization", "Bearer abc", true},
		{"X-Session", "a1B2c3D4e5F6g7H8", true},
		{"API_KEY", "short", false},
		{"LOG_LEVEL", "information", false},
		{"SSH_KEY_PATH", "/home/ann/.ssh/id_ed25519", false},
		{"TOKEN_ENDPOINT", "https://example.com/token", false},
		{"TOKEN_ENDPOINT", "https://ann:hunter2@example.com/token", true},
		{"HOME", "/home/ann", false},
		{"COMMIT", "5ab55f06d1e8f2a9c3b7e4d5f6a7b8c9d0e1f2a3", false},
		{"ID", "123e4567-e89b-12d3-a456-426614174000", false},
	} {
		t.Run(tt.name+"="+tt.value, func(t *testing.T) {
			assert.Equal(t, tt.want, secrets.Configured(map[string]string{tt.name: tt.value}) != nil)
		})
	}
}
