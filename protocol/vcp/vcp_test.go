package vcp_test

import (
	"testing"

	"github.com/vcpgo/vcp/protocol/protocoltest"
	"github.com/vcpgo/vcp/protocol/vcp"
)

func TestProtocolFollowsTheRules(t *testing.T) { protocoltest.Run(t, vcp.Protocol{}) }
