package protocoltest_test

import (
	"testing"

	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/protocoltest"
	"github.com/vcpgo/vcp/protocol/vcp"
)

func TestVCP(t *testing.T) { protocoltest.Run(t, vcp.Protocol{}) }

func TestHermes(t *testing.T) { protocoltest.Run(t, hermes.Protocol{}) }
