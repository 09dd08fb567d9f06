package conversation

import (
	"context"

	"github.com/vcpgo/vcp/engine"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
	"github.com/vcpgo/vcp/cmd/vcp/internal/modelclient"
	"github.com/vcpgo/vcp/cmd/vcp/internal/workspace"
)

// engineOpener makes engines that run the tools of a workspace with different models.
type engineOpener struct {
	std        cli.Streams
	space      *workspace.Workspace
	server     *modelclient.Flags   // the flags that name the model server
	language   string               // of the prompt; "" means the language that the model's preset names
	unattended workspace.Unattended // what a model may use if nobody can approve its calls
	options    engine.Options       // without the model and its profile
}

// open returns an engine with the model that settings name, and the client of that model. The
// caller closes the client.
func (o *engineOpener) open(settings *configuration.Settings) (*engine.Engine, *modelclient.Client, error) {
	proto, err := configuration.ProtocolNamed(o.space.Protocol)
	if err != nil {
		return nil, nil, err
	}
	client, err := o.server.Open(proto, settings, o.std.Err)
	if err != nil {
		return nil, nil, err
	}
	e, err := o.engineWith(client, settings)
	if err != nil {
		client.Close()
		return nil, nil, err
	}
	return e, client, nil
}

// engineWith returns an engine that calls the client's model.
func (o *engineOpener) engineWith(
	client *modelclient.Client, settings *configuration.Settings,
) (*engine.Engine, error) {
	preset, err := client.Preset(context.Background())
	if err != nil {
		return nil, o.server.Explain(err)
	}
	protocolID, err := configuration.ProtocolFor(o.space.Protocol, &preset)
	if err != nil {
		return nil, err
	}
	profile := preset.Profile()
	if o.language != "" {
		profile.Prompt.Language = o.language
	}
	options := o.options
	options.Model, options.Profile, options.Config.Protocol = client.Client, &profile, protocolID
	options.Filter, options.FilterKey = o.unattended.Filter(settings), "can be approved"
	return o.space.Engine(o.std, options)
}
