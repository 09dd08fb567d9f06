package engine_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
)

// common are the fields that all events set.
var common = []string{"Kind", "Time", "IterationNumber"}

// documentedFields returns, for each kind of event, the fields that its comment in event.go
// mentions.
func documentedFields(t *testing.T) map[engine.EventKind][]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "event.go", nil, parser.ParseComments)
	require.NoError(t, err)
	documented := map[engine.EventKind][]string{}
	word := regexp.MustCompile(`\b[A-Z]\w*`)
	ast.Inspect(file, func(n ast.Node) bool {
		block, ok := n.(*ast.GenDecl)
		if !ok || block.Tok != token.CONST || block.Specs[0].(*ast.ValueSpec).Names[0].Name != "EventText" {
			return true
		}
		for i, spec := range block.Specs {
			fields := []string{}
			for _, name := range word.FindAllString(spec.(*ast.ValueSpec).Doc.Text(), -1) {
				if _, ok := reflect.TypeFor[engine.Event]().FieldByName(name); ok && !slices.Contains(fields, name) {
					fields = append(fields, name)
				}
			}
			slices.Sort(fields)
			documented[engine.EventKind(i+1)] = fields
		}
		return false
	})
	return documented
}

// TestEventsHaveTheFieldsThatAreDocumented checks that each kind of event sets the fields that its
// comment names, and no others.
func TestEventsHaveTheFieldsThatAreDocumented(t *testing.T) {
	set := map[engine.EventKind][]string{}
	note := func(ev engine.Event) {
		if set[ev.Kind] == nil {
			set[ev.Kind] = []string{}
		}
		v := reflect.ValueOf(ev)
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			known := slices.Contains(common, name) || slices.Contains(set[ev.Kind], name)
			if !known && !v.Field(i).IsZero() {
				set[ev.Kind] = append(set[ev.Kind], name)
			}
		}
	}
	for _, ev := range scenarioEvents(t) {
		note(ev)
	}
	// panicky reports a protocol error, and the closing tag reclassifies the text before it.
	for _, text := range []string{block(t, "t_echo"), "Let me see.\n</think>\nHello."} {
		s := session(t, registry(t), scriptOf(text), withProtocol(panicky{}))
		for ev, err := range s.Run(t.Context(), question) {
			require.NoError(t, err)
			note(ev)
		}
	}
	for _, fields := range set {
		slices.Sort(fields)
	}
	require.Equal(t, documentedFields(t), set)
}
