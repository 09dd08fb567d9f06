package model

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// maxModelIDs is how many ids of a list are read: more than any server has models.
const maxModelIDs = 10_000

// Models asks the server which models it has, by id, in its order. Of more than 10,000 it returns the first ones. An id is one line of at
// most 200 bytes without control characters and secrets; one that the server writes otherwise is not returned as it is. A question that
// fails is asked again, as Options say. Every error is an *Error.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	ctx, cancel := c.within(ctx)
	defer cancel()
	var names []string
	if err := c.persist(ctx, "models", func() (a attempt) {
		names, a.err = c.models(ctx)
		a.finished = a.err == nil
		return a
	}); err != nil {
		return nil, err
	}
	return names, nil
}

// models asks once.
func (c *Client) models(ctx context.Context) ([]string, *Error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	x := &exchange{client: c, patience: newPatience(c.idle, cancel)}
	defer x.patience.stop()
	body, err := c.get(ctx, x, "/models")
	if err == nil && x.failed() {
		err = &bodyError{kind: KindStatus}
	}
	var names []string
	if err == nil {
		names, err = modelNames(c.secrets, body)
	}
	if err != nil {
		return nil, c.fail(ctx, "models", x, err)
	}
	return names, nil
}

// get is by hand, since the client library refuses the whole list for one field that a server spells otherwise.
func (c *Client) get(ctx context.Context, x *exchange, path string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.config.BaseURL+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	if c.authorization != nil {
		req.Header.Set("Authorization", *c.authorization)
	}
	resp, err := x.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	list, err := io.ReadAll(io.LimitReader(resp.Body, maxModels+1))
	if err == nil && len(list) > maxModels {
		err = tooLong(maxModels)
	}
	return list, err
}

// modelNames reads the list of models: {"data":[{"id":…}]}.
func modelNames(hide *secrets, body []byte) ([]string, error) {
	var shape struct {
		Data *[]struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &shape); err != nil || shape.Data == nil {
		return nil, &bodyError{kind: KindAnswer, err: err, message: fmt.Sprintf(
			"answered the question for its models with something else: %s; is the base URL right? It usually ends in /v1", quote(hide, body))}
	}
	var names []string
	for _, m := range *shape.Data {
		if id := hide.Line(m.ID, maxID); id != "" && len(names) < maxModelIDs {
			names = append(names, id)
		}
	}
	return names, nil
}
