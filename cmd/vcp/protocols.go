package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// protocols are the text protocols that --protocol may name. The first is the default.
var protocols = []protocol.Protocol{
	vcp.Protocol{},
	hermes.Protocol{},
	qwencoder.Protocol{},
}

// autoProtocol, in a configuration, is the protocol that the model's preset names.
const autoProtocol = "auto"

func protocolOptions() []option[protocol.Protocol] {
	options := make([]option[protocol.Protocol], len(protocols))
	for i, p := range protocols {
		options[i] = option[protocol.Protocol]{name: p.ID(), value: p}
	}
	return options
}

// configuredOptions are protocolOptions and autoProtocol, which is the default one until the preset
// is known.
func configuredOptions() []option[protocol.Protocol] {
	return append(protocolOptions(), option[protocol.Protocol]{name: autoProtocol, value: protocols[0]})
}

// protocolNames lists what a configuration may name, for the help text.
func protocolNames() string { return newChoice(new(protocol.Protocol), configuredOptions()).Type() }

func addProtocol(f *pflag.FlagSet, dst *protocol.Protocol) {
	f.Var(newChoice(dst, protocolOptions()), "protocol", "the text protocol")
}

// protocolNamed returns the protocol of that name; "" is the default.
func protocolNamed(id string) (protocol.Protocol, error) {
	p := protocols[0]
	if id == "" {
		return p, nil
	}
	if err := newChoice(&p, configuredOptions()).Set(id); err != nil {
		return nil, fmt.Errorf("configuration: protocol %w", err)
	}
	return p, nil
}

// protocolFor returns the ID of the protocol that a configuration names for a model with that
// preset.
func protocolFor(id string, preset *model.Preset) (string, error) {
	if id != autoProtocol || preset.Protocol == "" {
		return id, nil
	}
	p := protocols[0]
	if err := newChoice(&p, protocolOptions()).Set(preset.Protocol); err != nil {
		return "", fmt.Errorf("preset %s: protocol %w", preset.Name, err)
	}
	return p.ID(), nil
}

// addLanguage adds the flag for the language of the instructions for tools.
func addLanguage(f *pflag.FlagSet, dst *string) {
	f.Var(newChoice(dst, []option[string]{{name: "en", value: "en"}, {name: "zh", value: "zh"}}), "language",
		"the language of the instructions for tools")
}
