package vcp_test

import (
	"testing"

	"github.com/vcpgo/vcp/protocol/protocoltest"
	"github.com/vcpgo/vcp/protocol/vcp"
)

func TestConformance(t *testing.T) { protocoltest.Run(t, vcp.Protocol{}) }
