package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/internal/demomodel"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
)

// openAI is the server if a model and a key are given and no server.
const openAI = "https://api.openai.com/v1"

// modelFlags select the model.
type modelFlags struct {
	keyEnv   string
	keyNamed func() bool // --api-key-env was given
	retries  int
	preset   presetFlag
	calls    model.Calls
}

func (s *modelFlags) add(f *pflag.FlagSet) {
	f.StringVar(&s.keyEnv, "api-key-env", envKey, "the environment `VARIABLE` that holds the key to send; \"\" sends none")
	s.keyNamed = func() bool { return f.Changed("api-key-env") }
	f.IntVar(&s.retries, "retries", model.DefaultRetries, "try again up to `N` times if a request fails before the first word of its reply")
	f.Var(newChoice(&s.calls, []option[model.Calls]{
		{name: "text", value: model.CallsText}, {name: "native", value: model.CallsNative}, {name: "auto", value: model.CallsAuto},
	}), "calls", "call tools in the text of replies or by the server's own function calling; auto finds out")
	f.Var(&s.preset, "preset", "what is particular about the model; auto chooses by its name")
}

// modelClient is a client of the model. The caller of open closes it.
type modelClient struct {
	*model.Client
	demo *demomodel.Server // nil if a real server answers
}

// open returns a client of the server that the settings name. If they name none, it starts the demo
// model, and says so on stderr.
func (s *modelFlags) open(proto protocol.Protocol, named *settings, stderr io.Writer) (*modelClient, error) {
	if s.retries < 0 {
		return nil, usagef("--retries is %d; allowed is a whole number from 0", s.retries)
	}
	key, err := s.key()
	if err != nil {
		return nil, err
	}
	o := model.Options{BaseURL: named.own[fieldBaseURL], Model: named.own[fieldModel], APIKey: key}
	o.Preset, o.Calls = s.preset.preset, s.calls
	if o.BaseURL == "" && o.Model == "" {
		return startDemoClient(proto, s.calls, stderr)
	}
	if o.BaseURL == "" {
		if key == "" {
			return nil, usagef("%s is %q, and no server is named: give --base-url URL or set %s; for %s set %s",
				named.nameOf(fieldModel), o.Model, envBaseURL, openAI, s.keyEnv)
		}
		o.BaseURL = openAI
	}
	o.Logger = newLogger(stderr)
	if o.Retries = s.retries; o.Retries == 0 {
		o.Retries = -1
	}
	client, err := model.New(o)
	if bad := (*model.Error)(nil); errors.As(err, &bad) && bad.Kind == model.KindOptions {
		return nil, &usageError{err}
	}
	if err != nil {
		return nil, err
	}
	return &modelClient{Client: client}, nil
}

// key returns the value of the variable that --api-key-env names. An empty variable is an error if
// the user named it, because the server would refuse each request without a reason.
func (s *modelFlags) key() (string, error) {
	key := strings.TrimSpace(os.Getenv(s.keyEnv))
	if key == "" && s.keyEnv != "" && s.keyNamed() {
		return "", usagef("--api-key-env is %q, and no environment variable of that name holds a key; set it, or give --api-key-env= to send none",
			s.keyEnv)
	}
	return key, nil
}

// explain adds to an error the name of the variable for the key.
func (s *modelFlags) explain(err error) error {
	bad := (*model.Error)(nil)
	if !errors.As(err, &bad) || bad.Status != http.StatusUnauthorized || strings.TrimSpace(os.Getenv(s.keyEnv)) != "" {
		return err
	}
	return fmt.Errorf("%w: set %s, or name another variable with --api-key-env", err, cmp.Or(s.keyEnv, envKey))
}

func startDemoClient(proto protocol.Protocol, calls model.Calls, stderr io.Writer) (*modelClient, error) {
	server, err := startDemo(demomodel.Options{Protocol: proto, Pause: demoPause})
	if err != nil {
		return nil, err
	}
	client, err := model.New(model.Options{BaseURL: server.URL(), Calls: calls, Logger: newLogger(stderr)})
	if err == nil {
		// This makes the first request, for the model's name, because the server may still be
		// starting.
		_, err = client.Name(context.Background())
	}
	if err != nil {
		closeDemo(server)
		return nil, fmt.Errorf("the demo model does not answer: %w", err)
	}
	fmt.Fprintln(stderr, "vcp chat: no model server is named, so the demo model answers: a small rule-based planner, "+
		"no language model (name a server with --base-url and --model)")
	return &modelClient{Client: client, demo: server}, nil
}

func (a *modelClient) close() {
	a.Close()
	if a.demo != nil {
		closeDemo(a.demo)
	}
}
