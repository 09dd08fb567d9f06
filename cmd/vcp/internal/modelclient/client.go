// Package modelclient connects vcp to the model that flags and settings select. If they select
// none, it starts the demo model.
package modelclient

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/internal/demomodel"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

// OpenAI is the base URL that is used if a model and a key are given, but no server.
const OpenAI = "https://api.openai.com/v1"

// DemoPause is the time between two pieces of a reply of the demo model, so that people see the
// reply stream.
const DemoPause = 5 * time.Millisecond

// Flags select the model.
type Flags struct {
	keyEnv   string      // the name of the environment variable with the key; "" sends no key
	keyNamed func() bool // --api-key-env was given
	retries  int
	Preset   presetFlag
	Calls    model.Calls
}

// Add adds the flags, except --calls.
func (s *Flags) Add(f *pflag.FlagSet) {
	f.StringVar(&s.keyEnv, "api-key-env", configuration.EnvKey,
		"the environment `VARIABLE` that holds the key to send; \"\" sends none")
	s.keyNamed = func() bool { return f.Changed("api-key-env") }
	f.IntVar(&s.retries, "retries", model.DefaultRetries,
		"try again up to `N` times if a request fails before the first word of its reply")
	f.Var(&s.Preset, "preset",
		"the settings for a family of models, such as its reasoning tags; auto chooses by the model's name")
}

// AddCalls adds the flag --calls.
func (s *Flags) AddCalls(f *pflag.FlagSet) {
	f.Var(cli.NewChoice(&s.Calls, []cli.Option[model.Calls]{
		{Name: "text", Value: model.CallsText},
		{Name: "native", Value: model.CallsNative},
		{Name: "auto", Value: model.CallsAuto},
	}), "calls", "call tools in the text of replies or by the server's own function calling; auto finds out which of them works")
}

// Client is a client of the model. The caller of Open closes it.
type Client struct {
	*model.Client
	Demo *demomodel.Server // nil unless the demo model was started
}

// Open returns a client of the server that the settings name. If they name only a model, the server
// is OpenAI, which needs a key. If they name neither, Open starts the demo model.
func (s *Flags) Open(proto protocol.Protocol, settings *configuration.Settings, stderr io.Writer) (*Client, error) {
	if s.retries < 0 {
		return nil, cli.Usagef("--retries is %d; allowed is a whole number from 0", s.retries)
	}
	key, err := s.key()
	if err != nil {
		return nil, err
	}
	o := model.Options{
		BaseURL: settings.Own[configuration.BaseURL], Model: settings.Own[configuration.Model], APIKey: key,
		Preset: s.Preset.preset, Calls: s.Calls,
	}
	if o.BaseURL == "" && o.Model == "" {
		return startDemoClient(proto, s.Calls, stderr)
	}
	if o.BaseURL == "" {
		if key == "" {
			return nil, cli.Usagef("%s is %q, and no server is named: give --base-url URL or set %s; to use %s, set %s",
				settings.NameOf(configuration.Model), o.Model, configuration.EnvBaseURL, OpenAI, s.keyEnv)
		}
		o.BaseURL = OpenAI
	}
	o.Logger = terminal.NewLogger(stderr)
	if o.Retries = s.retries; o.Retries == 0 {
		o.Retries = -1 // because 0 means model.DefaultRetries
	}
	client, err := model.New(o)
	if bad, ok := errors.AsType[*model.Error](err); ok && bad.Kind == model.KindOptions {
		return nil, &cli.UsageError{Err: cli.Message("%s: %v", settings.NameOf(configuration.BaseURL), err)}
	}
	if err != nil {
		return nil, err
	}
	return &Client{Client: client}, nil
}

// key returns the value of the variable that --api-key-env names. An empty variable is an error if
// the user named it. Otherwise the server would refuse each request, and no error would name the
// variable.
func (s *Flags) key() (string, error) {
	key := strings.TrimSpace(os.Getenv(s.keyEnv))
	if key == "" && s.keyEnv != "" && s.keyNamed() {
		return "", cli.Usagef("--api-key-env is %q, and no environment variable of that name holds a key; "+
			"set it, or give --api-key-env= to send none", s.keyEnv)
	}
	return key, nil
}

// Explain returns err. If the server refused a request because no key is set or the conversation is
// too long, Explain adds what helps: the environment variable for the key, or a flag.
func (s *Flags) Explain(err error) error {
	bad, ok := errors.AsType[*model.Error](err)
	switch {
	case ok && bad.Status == http.StatusUnauthorized && strings.TrimSpace(os.Getenv(s.keyEnv)) == "":
		variable := cmp.Or(s.keyEnv, configuration.EnvKey)
		return cli.Message("%v: set %s, or name another variable with --api-key-env", err, variable)
	case ok && tooLong.MatchString(bad.Error()):
		return cli.Message("%v: limit what the model is shown with --history-tokens, or raise the server's limit", err)
	}
	return err
}

// tooLong matches what servers say of a conversation that the model cannot read as a whole.
var tooLong = regexp.MustCompile(`(?i)context[ _](?:length|size|window)`)

func startDemoClient(proto protocol.Protocol, calls model.Calls, stderr io.Writer) (*Client, error) {
	server, err := demomodel.Start(demomodel.Options{Protocol: proto, Pause: DemoPause})
	if err != nil {
		return nil, err
	}
	client, err := model.New(model.Options{BaseURL: server.URL(), Calls: calls, Logger: terminal.NewLogger(stderr)})
	if err == nil {
		// This first request shows whether the server works.
		_, err = client.Name(context.Background())
	}
	if err != nil {
		CloseDemo(server)
		return nil, cli.Message("the demo model does not answer: %v", err)
	}
	return &Client{Client: client, Demo: server}, nil
}

// Close closes the client and, if it started one, the demo model.
func (c *Client) Close() {
	c.Client.Close()
	if c.Demo != nil {
		CloseDemo(c.Demo)
	}
}

// CloseDemo closes the demo model, and gives unfinished replies one second to end.
func CloseDemo(server *demomodel.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = server.Close(ctx) // a reply that takes longer is truncated
}
