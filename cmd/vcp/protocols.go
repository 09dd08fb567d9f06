package main

import (
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// protocols are the text protocols that --protocol may name. The first is the default.
var protocols = []protocol.Protocol{
	vcp.Protocol{},
}

func protocolOptions() []option[protocol.Protocol] {
	options := make([]option[protocol.Protocol], len(protocols))
	for i, p := range protocols {
		options[i] = option[protocol.Protocol]{name: p.ID(), value: p}
	}
	return options
}
