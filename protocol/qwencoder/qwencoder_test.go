package qwencoder_test

import (
	"testing"

	"github.com/vcpgo/vcp/protocol/protocoltest"
	"github.com/vcpgo/vcp/protocol/qwencoder"
)

func TestTheKit(t *testing.T) { protocoltest.Run(t, qwencoder.Protocol{}) }
