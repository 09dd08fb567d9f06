package configuration

import (
	"path/filepath"
	"sync"

	"github.com/vcpgo/vcp/tool/mcp"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// userPins records the definitions of MCP tools that this user has seen, so that a later change is
// noticed. It keeps them in a file next to the store of conversations.
type userPins struct {
	Forget bool // keep the definitions in memory only; set before the first use

	open sync.Once
	pins mcp.Pins
	err  error
}

var _ mcp.Pins = (*userPins)(nil)

// pinFile is the name of the file with the pins.
const pinFile = "mcp-tools.jsonl"

// opened opens the pins on the first call, and returns them.
func (u *userPins) opened() (mcp.Pins, error) {
	u.open.Do(func() {
		if u.Forget {
			u.pins = mcp.NewMemoryPins()
			return
		}
		dir, err := cli.UserDir("XDG_DATA_HOME")
		if err != nil {
			u.err = cli.Message("there is no directory for the definitions of MCP tools: %v; set XDG_DATA_HOME", err)
			return
		}
		u.pins = mcp.NewFilePins(filepath.Join(dir, pinFile))
	})
	return u.pins, u.err
}

// See implements mcp.Pins.
func (u *userPins) See(server string, seen map[string]mcp.Pin) (map[string]mcp.Pin, error) {
	pins, err := u.opened()
	if err != nil {
		return nil, err
	}
	return pins.See(server, seen)
}

// Accept implements mcp.Pins.
func (u *userPins) Accept(server, name string, pin mcp.Pin) error {
	pins, err := u.opened()
	if err != nil {
		return err
	}
	return pins.Accept(server, name, pin)
}
