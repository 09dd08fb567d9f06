package tool_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool"
)

// scriptedSource is a source whose offers the test makes.
type scriptedSource struct {
	name   string
	offers chan tool.Offers
	end    chan error    // the result of Run; for the error "panic", Run panics
	late   time.Duration // how long Run takes to return after its context has ended
}

func newScripted(name string) *scriptedSource {
	return &scriptedSource{name: name, offers: make(chan tool.Offers, 1), end: make(chan error, 1)}
}

func (s *scriptedSource) Name() string { return s.name }

func (s *scriptedSource) Run(ctx context.Context, offers tool.Offers) error {
	s.offers <- offers
	select {
	case err := <-s.end:
		if err != nil && err.Error() == "panic" {
			panic("oh")
		}
		return err
	case <-ctx.Done():
		time.Sleep(s.late)
		return ctx.Err()
	}
}

func simple(t *testing.T, id string, methods ...string) tool.Tool {
	t.Helper()
	made := tool.Tool{ID: id}
	for _, name := range methods {
		made.Methods = append(made.Methods, method(t, name))
	}
	return made
}

// added adds a scriptedSource to sources, and returns it and its offers.
func added(t *testing.T, sources *tool.Sources, name string) (*scriptedSource, tool.Offers) {
	t.Helper()
	s := newScripted(name)
	require.NoError(t, sources.Add(s))
	return s, <-s.offers
}

func TestSourcesKeepTheRegistryUpToDate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := tool.NewRegistry()
		require.NoError(t, r.Register(simple(t, "own", "a")))
		changes := 0
		defer r.OnChange(func() { changes++ })()
		sources := tool.NewSources(r)
		defer sources.Close()
		source, offers := added(t, sources, "one")

		offers.Set(
			tool.Provider{Name: "y", Tools: []tool.Tool{simple(t, "y", "a", "b")}},
			tool.Provider{Name: "x", Tools: []tool.Tool{simple(t, "x", "a")}},
			tool.Provider{Name: "z", Health: tool.HealthDown, Reason: "it is not installed"},
		)
		assert.Equal(t, []string{"own_a", "x_a", "y_a", "y_b"}, names(r.Entries()))
		assert.Equal(t, 1, changes, "all providers come in one change")
		entry, _ := r.Lookup("y_a")
		assert.Equal(t, "one", entry.Owner)
		assert.Empty(t, cmp.Diff([]tool.ProviderState{
			{Source: "one", Name: "x", Health: tool.HealthUp, Tools: []string{"x"}},
			{Source: "one", Name: "y", Health: tool.HealthUp, Tools: []string{"y"}},
			{Source: "one", Name: "z", Health: tool.HealthDown, Reason: "it is not installed"},
		}, sources.Providers()))

		offers.Set(tool.Provider{Name: "x", Tools: []tool.Tool{simple(t, "x", "c")}})
		assert.Equal(t, []string{"own_a", "x_c", "y_a", "y_b"}, names(r.Entries()))
		offers.SetHealth("y", tool.HealthDown, "it hangs")
		kept, _ := r.Lookup("y_a")
		assert.Same(t, entry, kept, "a provider that did not change keeps its entries")
		assert.Equal(t, 2, changes)
		assert.Equal(t, tool.ProviderState{
			Source: "one", Name: "y", Health: tool.HealthDown, Reason: "it hangs", Tools: []string{"y"},
		}, sources.Providers()[1])

		offers.Remove("y", "none")
		assert.Equal(t, []string{"own_a", "x_c"}, names(r.Entries()))
		source.end <- nil
		synctest.Wait()
		offers.Set(tool.Provider{Name: "late", Tools: []tool.Tool{simple(t, "late", "a")}})
		assert.Equal(t, []string{"own_a", "x_c"}, names(r.Entries()), "after Run returned, the tools stay and no others are added")
		assert.True(t, sources.Remove("one"))
		assert.False(t, sources.Remove("one"))
		assert.Equal(t, []string{"own_a"}, names(r.Entries()))
		assert.Empty(t, sources.Providers())
	})
}

func TestToolsOfAFailedSourceAreRemoved(t *testing.T) {
	for name, tt := range map[string]struct {
		err    error
		reason string
	}{
		"an error":           {errors.New("the folder is gone"), "the folder is gone"},
		"a panic":            {errors.New("panic"), "the source panicked: oh"},
		"a canceled context": {context.Canceled, "context canceled"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := tool.NewRegistry()
				sources := tool.NewSources(r)
				defer sources.Close()
				source, offers := added(t, sources, "one")
				offers.Set(tool.Provider{Name: "x", Tools: []tool.Tool{simple(t, "x", "a")}})
				source.end <- tt.err
				synctest.Wait()
				assert.Empty(t, r.Entries())
				want := []tool.ProviderState{{Source: "one", Name: "one", Health: tool.HealthDown, Reason: tt.reason}}
				assert.Equal(t, want, sources.Providers())
			})
		})
	}
}

func TestFirstSourceKeepsASharedName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := tool.NewRegistry()
		sources := tool.NewSources(r)
		defer sources.Close()
		_, first := added(t, sources, "first")
		_, second := added(t, sources, "second")
		first.Set(tool.Provider{Name: "a", Tools: []tool.Tool{simple(t, "x", "a")}})
		second.Set(tool.Provider{Name: "b", Tools: []tool.Tool{simple(t, "x", "b"), simple(t, "y", "b")}})
		assert.Equal(t, []string{"x_a", "y_b"}, names(r.Entries()), "the first has the name")
		states := sources.Providers()
		assert.Equal(t, tool.HealthDegraded, states[1].Health)
		assert.Contains(t, states[1].Reason, "first")
		assert.Equal(t, []string{"y"}, states[1].Tools)

		first.Remove("a")
		assert.Equal(t, []string{"x_b", "y_b"}, names(r.Entries()), "the name is free")
		assert.Equal(t, tool.ProviderState{
			Source: "second", Name: "b", Health: tool.HealthUp, Tools: []string{"x", "y"},
		}, sources.Providers()[0])

		second.Set(tool.Provider{
			Name: "b", Health: tool.HealthDegraded, Reason: "old", Tools: []tool.Tool{{ID: "no_methods"}},
		})
		states = sources.Providers()
		assert.Equal(t, tool.HealthDegraded, states[0].Health)
		assert.Regexp(t, `^old; tool: "no_methods": `, states[0].Reason)
		second.Set(tool.Provider{Name: "b", Tools: []tool.Tool{{ID: "y"}}})
		assert.Equal(t, tool.HealthDown, sources.Providers()[0].Health, "none of its tools can be used")
	})
}

func TestSourcesRefuseBlankAndTakenNames(t *testing.T) {
	sources := tool.NewSources(tool.NewRegistry())
	added(t, sources, "one")
	var conflict *tool.ConflictError
	require.ErrorAs(t, sources.Add(newScripted("one")), &conflict)
	assert.Equal(t, tool.ConflictError{Kind: "source", Name: "one", Owner: "one", Holder: "one"}, *conflict)
	require.ErrorAs(t, sources.Add(newScripted(" ")), new(*tool.DefinitionError))
	sources.Close()
	sources.Close()
	require.ErrorIs(t, sources.Add(newScripted("two")), tool.ErrClosed)
}

func TestWaitEndsWhenNoSourceIsStarting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sources := tool.NewSources(tool.NewRegistry())
		require.NoError(t, sources.Wait(t.Context()), "there is nothing to wait for")
		one, offers := added(t, sources, "one")
		one.late = time.Hour
		two, _ := added(t, sources, "two")
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, sources.Wait(short), context.DeadlineExceeded)
		assert.Equal(t, tool.HealthStarting, sources.Providers()[0].Health)

		waited := make(chan error, 1)
		go func() { waited <- sources.Wait(t.Context()) }()
		isWaiting := func() bool { synctest.Wait(); return len(waited) == 0 }
		assert.True(t, isWaiting())
		offers.Set(tool.Provider{Name: "x", Health: tool.HealthStarting})
		assert.True(t, isWaiting())
		two.end <- nil
		assert.True(t, isWaiting(), "x is starting")
		offers.SetHealth("x", tool.HealthUp, "")
		require.NoError(t, <-waited)

		began := time.Now()
		sources.Close()
		assert.Equal(t, time.Hour, time.Since(began), "Close waits until the sources have stopped")
	})
}
