package vcpplugin

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/redact"
)

func TestASecretThatContinuesInTheNextLineIsMasked(t *testing.T) {
	p := &plugin{secrets: redact.New("hunter22abc")}
	assert.Equal(t, "refused:\nthe key is [secret]", p.mask("refused:\n\n  the key is hunter=\n22abc\n"))
}

func TestEachOfManyLongIdentifiersGetsAName(t *testing.T) {
	m := &manifest{name: strings.Repeat("p", 200)}
	for i := range maxCommands {
		m.commands = append(m.commands, invocation{id: strings.Repeat("x", 200) + fmt.Sprint(i)})
	}
	p := &plugin{manifest: m}
	made, problems := p.makeTool(p.toolID())
	require.Empty(t, problems)
	require.Len(t, made.Methods, maxCommands)
}
