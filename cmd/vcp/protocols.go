package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// protocols are the text protocols that --protocol may name. The first is the default.
var protocols = []protocol.Protocol{
	vcp.Protocol{},
	hermes.Protocol{},
}

func protocolOptions() []option[protocol.Protocol] {
	options := make([]option[protocol.Protocol], len(protocols))
	for i, p := range protocols {
		options[i] = option[protocol.Protocol]{name: p.ID(), value: p}
	}
	return options
}

// protocolNames lists the protocols for the help text.
func protocolNames() string { return newChoice(new(protocol.Protocol), protocolOptions()).Type() }

func addProtocol(f *pflag.FlagSet, dst *protocol.Protocol) {
	f.Var(newChoice(dst, protocolOptions()), "protocol", "the text protocol")
}

// protocolNamed returns the protocol of that name; "" is the default.
func protocolNamed(id string) (protocol.Protocol, error) {
	p := protocols[0]
	if id == "" {
		return p, nil
	}
	if err := newChoice(&p, protocolOptions()).Set(id); err != nil {
		return nil, fmt.Errorf("configuration: protocol %w", err)
	}
	return p, nil
}

// addLanguage adds the flag for the language of the instructions for tools.
func addLanguage(f *pflag.FlagSet, dst *string) {
	f.Var(newChoice(dst, []option[string]{{name: "en", value: "en"}, {name: "zh", value: "zh"}}), "language",
		"the language of the instructions for tools")
}
