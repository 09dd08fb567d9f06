package configuration

import (
	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/vcp"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// Protocols are the text protocols that --protocol may name. The first is the default.
var Protocols = []protocol.Protocol{
	vcp.Protocol{},
	hermes.Protocol{},
	qwencoder.Protocol{},
}

// AutoProtocol means, in a configuration, the protocol that the model's preset names.
const AutoProtocol = "auto"

// ProtocolOptions returns the options of a flag that takes a protocol.
func ProtocolOptions() []cli.Option[protocol.Protocol] {
	options := make([]cli.Option[protocol.Protocol], len(Protocols))
	for i, p := range Protocols {
		options[i] = cli.Option[protocol.Protocol]{Name: p.ID(), Value: p}
	}
	return options
}

// configuredOptions returns ProtocolOptions and AutoProtocol. AutoProtocol stands for the default
// protocol until the preset is known.
func configuredOptions() []cli.Option[protocol.Protocol] {
	return append(ProtocolOptions(), cli.Option[protocol.Protocol]{Name: AutoProtocol, Value: Protocols[0]})
}

// protocolNames lists the protocols that a configuration may name, for the help text.
func protocolNames() string { return cli.NewChoice(new(protocol.Protocol), configuredOptions()).Type() }

// AddProtocol adds the flag for the protocol.
func AddProtocol(f *pflag.FlagSet, dst *protocol.Protocol) {
	f.Var(cli.NewChoice(dst, ProtocolOptions()), "protocol", "the text protocol")
}

// ProtocolNamed returns the protocol with that id. For "" and AutoProtocol it returns the default.
func ProtocolNamed(id string) (protocol.Protocol, error) {
	p := Protocols[0]
	if id == "" {
		return p, nil
	}
	if err := cli.NewChoice(&p, configuredOptions()).Set(id); err != nil {
		return nil, cli.Message("configuration: protocol %v", err)
	}
	return p, nil
}

// ProtocolFor returns id, the protocol id of a configuration. If id is AutoProtocol and the preset
// names a protocol, it returns the id of the preset's protocol.
func ProtocolFor(id string, preset *model.Preset) (string, error) {
	if id != AutoProtocol || preset.Protocol == "" {
		return id, nil
	}
	p := Protocols[0]
	if err := cli.NewChoice(&p, ProtocolOptions()).Set(preset.Protocol); err != nil {
		return "", cli.Message("preset %s: protocol %v", preset.Name, err)
	}
	return p.ID(), nil
}

// AddLanguage adds the flag for a language. usage says what is in that language.
func AddLanguage(f *pflag.FlagSet, dst *string, usage string) {
	options := []cli.Option[string]{{Name: "en", Value: "en"}, {Name: "zh", Value: "zh"}}
	f.Var(cli.NewChoice(dst, options), "language", usage)
}
