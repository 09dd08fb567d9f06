package secrets_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vcpgo/vcp/internal/secrets"
)

func TestInURLReturnsTheSecretsOfAnAddress(t *testing.T) {
	const (
		key  = "tok-9f8e7d6c5b4a39281706xyz"
		uuid = "123e4567-e89b-12d3-a456-426614174000"
		hash = "5ab55f06d1e8f2a9c3b7e4d5f6a7b8c9d0e1f2a3"
	)
	for _, tt := range []struct {
		name, address string
		secret        string // "" if the address has none
	}{
		{"a password", "https://ann:hunter2!@example.org/mcp", "hunter2!"},
		{"a user without a password", "https://anna.smith@example.org/mcp", "anna.smith"},
		{"a user with an empty password", "https://anna.smith:@example.org/mcp", "anna.smith"},
		{"a password without a user", "https://:hunter2!@example.org/mcp", "hunter2!"},
		{"a key before a password", "https://" + key + ":x-oauth-basic@example.org/mcp", key},
		{"user and password as in a header", "https://ann:hunter2!@example.org", "YW5uOmh1bnRlcjIh"},
		{"a parameter with the name of a secret", "https://example.org/mcp?api_key=correct%20horse", "correct horse"},
		{"a random value of another parameter", "https://example.org/mcp?v=2&x=" + key, key},
		{"a parameter after a semicolon", "https://example.org/mcp?v=2;x=" + key, key},
		{"a value with a plus sign", "https://example.org/mcp?key=ab+cd/1234", "ab+cd/1234"},
		{"a parameter without a name", "https://example.org/mcp?" + key, key},
		{"a part of the path", "https://example.org/s/" + key + "/mcp", key},
		{"an escaped part of the path", "https://example.org/s/%74ok-9f8e7d6c5b4a39281706xyz/mcp", key},
		{"a part of the path after a colon", "https://example.org/bot123:" + key + "/mcp", key},
		{"a UUID", "https://example.org/server/" + uuid, uuid},
		{"a hash", "https://example.org/" + hash + "/mcp", hash},
		{"words in a path", "https://example.org/v1/projects/my-notes-server-v2/2026-03-01/mcp", ""},
		{"words in a query", "https://example.org/mcp?tools=search-replace&from=20260301", ""},
		{"an empty user and password", "https://:@example.org/mcp", ""},
		{"an invalid address", "https://exa mple.org/" + key, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := secrets.InURL(tt.address); tt.secret == "" {
				assert.Empty(t, got)
			} else {
				assert.Contains(t, got, tt.secret)
			}
		})
	}
}
