package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
)

// The names of the results tool and its method. If a model got an excerpt of a result, it reads the
// rest with this method.
const (
	resultsTool = "results"
	readMethod  = resultsTool + "_read"
)

type readInput struct {
	ID   string `json:"id" jsonschema:"the id that the note in the result names"`
	Page int    `json:"page,omitempty" jsonschema:"the page to read, from 1" minimum:"1" default:"1"`
}

// readDetails say which page was read.
type readDetails struct {
	ID    string `json:"id"`
	Page  int    `json:"page"`
	Pages int    `json:"pages"`
}

// newResultsTool returns the results tool.
var newResultsTool = ownTool(
	tool.Tool{ID: resultsTool, Title: "Results", Description: "Results that were too long to be shown whole."},
	"read", "Read the rest of a result",
	"Reads the rest of a result that was too long to be shown whole, one page at a time. "+
		"The note in such a result names its id and the next page.",
	readResult)

func isResultsTool(e *tool.Entry) bool { return e.FullName == readMethod && isOwn(e) }

// readResult returns one page. A page fits the limit that applied to the original result, which may
// differ from the current limit.
func readResult(ctx context.Context, in readInput) (tool.Output, error) {
	s := callSessionFrom(ctx)
	if s == nil {
		return tool.Output{}, errors.New("results can be read only in a session")
	}
	id := strings.TrimSpace(in.ID)
	language := callLanguage(ctx)
	page, pages, err := s.keptResults().page(language, id, in.Page)
	if err != nil {
		return tool.Output{}, err
	}
	return tool.Output{
		Text:    executor.PageHeader(language, id, in.Page, pages) + page,
		Details: readDetails{ID: id, Page: in.Page, Pages: pages},
	}, nil
}

// registerResultsTool registers the results tool, unless it is already registered.
func registerResultsTool(reg *tool.Registry) error {
	return registerOwn(reg, newResultsTool, readMethod,
		"excerpts of results need the method results_read", "set resultTokens to 0")
}

// showsResultsTool reports whether the model of a session sees the results tool. It does if long
// results are shortened to excerpts and if a method other than the engine's own is visible.
func (s *settings) showsResultsTool(reg *tool.Registry, session *Visibility) bool {
	return s.config.ResultTokens > 0 && slices.ContainsFunc(reg.Entries(), func(other *tool.Entry) bool {
		return !isOwn(other) && s.discovery.Visible(other) && !session.hides(other)
	})
}
