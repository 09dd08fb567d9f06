package model_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
)

func TestTheNamedModelOrTheOnlyOneIsUsed(t *testing.T) {
	tests := []struct {
		name, model string
		offered     []string
		want        string
		wantErr     string
	}{
		{"the named model", "m1", []string{"a", "b"}, "m1", ""},
		{"the only model, if none is named", "", []string{"a"}, "a", ""},
		{
			"several models and none named is an error that lists them", "",
			[]string{"a", "b"},
			"",
			"2 models, name one of them: a, b",
		},
		{"no model is an error", "", nil, "", "no model"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := modelserver.Start(t, modelserver.Text("ok"), modelserver.Text("ok"))
			s.SetModels(tt.offered...)
			c := newClient(t, model.Options{BaseURL: s.URL, Model: tt.model})
			_, err := ask(t.Context(), c, hello)
			if tt.wantErr != "" {
				e := requireError(t, err)
				require.Equal(t, model.KindModel, e.Kind)
				require.Contains(t, e.Error(), tt.wantErr)
				require.Empty(t, s.Requests())
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, s.Requests()[0].Model)
			require.Equal(t, tt.want+" at "+s.URL, c.String())
			// The client keeps the name.
			s.RefuseModels()
			_, err = ask(t.Context(), c, hello)
			require.NoError(t, err)
		})
	}
}

func TestAnUnknownModelIsAnErrorThatListsTheOthers(t *testing.T) {
	codeOnly := modelserver.Reply{Status: 400, Raw: `{"error":{"message":"nope","code":"model_not_found"}}`}
	for name, refusal := range map[string]modelserver.Reply{
		"status 404":               modelserver.Failure(404, "model 'm1' not found"),
		"status 400 with the code": codeOnly,
	} {
		t.Run("the error names the models of the server: "+name, func(t *testing.T) {
			s := modelserver.Start(t, refusal)
			s.SetModels("a", "b")
			_, err := ask(t.Context(), newClient(t, model.Options{BaseURL: s.URL, Model: "m1"}), hello)
			e := requireError(t, err)
			require.Equal(t, model.KindModel, e.Kind)
			require.Equal(t, refusal.Status, e.Status)
			require.Contains(t, e.Error(), `no model "m1", name one of those it has: a, b`)
		})
	}
	t.Run("if the server has the model, the 404 stays", func(t *testing.T) {
		s := modelserver.Start(t, modelserver.Failure(404, "no such thing"))
		s.SetModels("m1")
		_, err := ask(t.Context(), newClient(t, model.Options{BaseURL: s.URL, Model: "m1"}), hello)
		e := requireError(t, err)
		require.Equal(t, model.KindStatus, e.Kind)
		require.Contains(t, e.Error(), "no such thing")
	})
	t.Run("if the server lists no models, the 404 stays", func(t *testing.T) {
		s := modelserver.Start(t, modelserver.Failure(404, "no such thing"))
		s.RefuseModels()
		_, err := ask(t.Context(), newClient(t, model.Options{BaseURL: s.URL, Model: "m1"}), hello)
		require.Equal(t, model.KindStatus, requireError(t, err).Kind)
	})
}

func TestTheOnlyModelIsNamedExactly(t *testing.T) {
	for name, id := range map[string]string{
		"a long id":               strings.Repeat("m", 201),
		"an id with a line break": "a\nb",
	} {
		t.Run(name, func(t *testing.T) {
			s := modelserver.Start(t)
			s.SetModels(id)
			_, err := newClient(t, model.Options{BaseURL: s.URL}).Name(t.Context())
			e := requireError(t, err)
			require.Equal(t, model.KindModel, e.Kind)
			require.Contains(t, e.Error(), "name the model")
		})
	}
	t.Run("a named model may have such an id", func(t *testing.T) {
		s := modelserver.Start(t, modelserver.Text("hello"))
		id := strings.Repeat("m", 201)
		s.SetModels(id)
		c := newClient(t, model.Options{BaseURL: s.URL, Model: id})
		got, err := c.Name(t.Context())
		require.NoError(t, err)
		require.Equal(t, id, got)
	})
}

func TestModelListsAreChecked(t *testing.T) {
	tests := []struct {
		name, body string
		want       []string
		wantErr    bool
	}{
		{"ids in the server's order", `{"object":"list","data":[{"id":"b"},{"id":"a"}]}`, []string{"b", "a"}, false},
		{
			"other fields may be of any type", `{"data":[{"id":"a","created":"yesterday","permission":{}}]}`,
			[]string{"a"},
			false,
		},
		{"an empty list is valid", `{"data":[]}`, nil, false},
		{"a web page is refused", `<html></html>`, nil, true},
		{"an object without a list is refused", `{"models":3}`, nil, true},
		{"an empty response is refused", ``, nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer := func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, tt.body) }
			s := httptest.NewServer(http.HandlerFunc(answer))
			defer s.Close()
			c := newClient(t, model.Options{BaseURL: s.URL})
			got, err := c.Models(t.Context())
			if tt.wantErr {
				e := requireError(t, err)
				require.Equal(t, model.KindResponse, e.Kind)
				require.Equal(t, "models", e.Op)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}
