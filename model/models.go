package model

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/message"
)

// Limits of the list of models.
const (
	maxModelIDs       = 10_000
	maxModelListBytes = 4 << 20
)

// Models returns the ids of the server's models, in the server's order: at most the first 10,000.
// An id is one line, shortened to 200 bytes, without control characters and secrets. A failed
// request is retried as Options say. Every error is an *Error.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	ids, err := c.rawIDs(ctx)
	return c.endpoint.shown(ids), err
}

// rawIDs returns the ids as the server writes them, which is how a request has to name a model.
func (c *Client) rawIDs(ctx context.Context) ([]string, error) {
	ctx, cancel := withTimeout(ctx, c.endpoint.timeout)
	defer cancel()
	var ids []string
	err := c.endpoint.retry(ctx, "models", func() (a attempt) {
		ids, a.err = c.endpoint.models(ctx)
		a.finished = a.err == nil
		return a
	})
	return ids, err
}

// models requests the list once.
func (s *endpoint) models(ctx context.Context) ([]string, *Error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	x := s.newExchange("models", cancel)
	defer x.close()
	var body []byte
	err := x.send(ctx, http.MethodGet, "/models", "application/json", nil)
	if err == nil {
		body, err = io.ReadAll(io.LimitReader(x, maxModelListBytes+1))
	}
	var ids []string
	if err == nil {
		ids, err = readModels(s.secrets, body)
	}
	if err != nil {
		return nil, x.fail(ctx, err)
	}
	return ids, nil
}

// readModels reads {"data":[{"id":…}]}. Other members may be of any type.
func readModels(s *secrets, body []byte) ([]string, error) {
	if len(body) > maxModelListBytes {
		return nil, tooLong(maxModelListBytes)
	}
	var shape struct {
		Data *[]struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &shape); err != nil || shape.Data == nil {
		f := faultf(KindResponse, "answered the request for its models with something else: %s; %s", quote(s, body),
			baseURLHint)
		f.err = err
		return nil, f
	}
	var ids []string
	for _, m := range *shape.Data {
		if s.Line(m.ID, maxID) != "" && len(ids) < maxModelIDs {
			ids = append(ids, m.ID)
		}
	}
	return ids, nil
}

// shown returns ids in the form that Models promises.
func (s *endpoint) shown(ids []string) []string {
	var lines []string
	for _, id := range ids {
		lines = append(lines, s.secrets.Line(id, maxID))
	}
	return lines
}

// Name returns the id of the model. If Options named none, Name asks the server, and keeps the name
// of its only model. If the server has none or several, the error is of kind KindModel and lists
// them. An only id that Models shows in another form is also such an error: a request needs the
// exact id, and Name returns neither secrets nor texts of any length.
func (c *Client) Name(ctx context.Context) (string, error) {
	c.mu.Lock()
	name := c.name
	c.mu.Unlock()
	if name != "" {
		return name, nil
	}
	ids, err := c.rawIDs(ctx)
	if err != nil {
		return "", err
	}
	shown := c.endpoint.shown(ids)
	if len(ids) != 1 {
		return "", c.endpoint.modelError("models", "", shown)
	}
	if ids[0] != shown[0] {
		return "", newError(c.endpoint.secrets, Error{Op: "models", URL: c.endpoint.name, Kind: KindModel},
			"%s offers one model, and its id is over %d bytes long or has control characters or a secret: %q; "+
				"name the model", c.endpoint.name, maxID, shown[0])
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.name = ids[0]
	return c.name, nil
}

// Preset returns the preset of Options or, if Options has none, the preset for the model's name.
func (c *Client) Preset(ctx context.Context) (Preset, error) {
	if c.preset != nil {
		return *c.preset, nil
	}
	name, err := c.Name(ctx)
	if err != nil {
		return Preset{}, err
	}
	return c.presetFor(name), nil
}

// Profile implements engine.ProfiledModel. It returns the profile of the model's preset.
func (c *Client) Profile(ctx context.Context) (engine.Profile, error) {
	c.mu.Lock()
	presetKnown := c.preset != nil || c.name != "" // so Preset sends no request
	c.mu.Unlock()
	if err := ctx.Err(); err != nil && !presetKnown { // engine.ProfiledModel forbids a request then
		return engine.Profile{}, err
	}
	p, err := c.Preset(ctx)
	return p.Profile(), err
}

// modelError returns the error for a named model that the server does not have. If name is "", no
// model was named, and the server has none or several.
func (s *endpoint) modelError(op, name string, ids []string) *Error {
	text := say("offers %d models, name one of them: %v", len(ids), joinNames(ids))
	switch {
	case len(ids) == 0 && name == "":
		text = say("offers no model; load one there, or name the model")
	case len(ids) == 0:
		text = say("has no model %q, and offers none; load it there", name)
	case name != "":
		text = say("has no model %q, name one of those it has: %v", name, joinNames(ids))
	}
	return newError(s.secrets, Error{Op: op, URL: s.name, Kind: KindModel}, "%s %v", s.name, text)
}

// joinNames joins the first 20 names, and says how many others there are.
func joinNames(names []string) *message.Text {
	const maxShown = 20
	if len(names) <= maxShown {
		return say("%s", strings.Join(names, ", "))
	}
	return say("%s, and %d more", strings.Join(names[:maxShown], ", "), len(names)-maxShown)
}
