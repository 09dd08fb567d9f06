package engine

import (
	"fmt"
	"slices"

	"github.com/vcpgo/vcp/discovery"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// view determines what the model of a session sees: which methods it can call, and which of them
// its prompt lists. It is safe for concurrent use.
type view struct {
	engine        *Engine
	session       Visibility
	visibilityKey string // Visibility.key of session
	found         foundMethods
}

// visibleOptions returns options of package discovery that select the methods that the model may
// see and call.
func (v *view) visibleOptions(set *settings) discovery.Options {
	o := set.discovery
	if len(v.session.ToolToggles) == 0 && v.session.Filter == nil {
		return o
	}
	visible := o.Filter
	o.Filter = func(method *tool.Entry) bool { return visible(method) && !v.hides(set, method) }
	if v.visibilityKey == "" { // the session's filter has no key
		o.FilterKey = ""
	} else if o.FilterKey != "" {
		o.FilterKey += " " + v.visibilityKey
	}
	return o
}

// visible reports whether the model may currently see and call the method.
func (v *view) visible(method *tool.Entry) bool { return v.shows(v.engine.settings.Load(), method) }

// shows reports whether the model may see and call the method with the given settings.
func (v *view) shows(set *settings, method *tool.Entry) bool {
	if isSearchTool(method) {
		return v.needsSearch(set)
	}
	return set.discovery.Visible(method) && !v.hides(set, method)
}

// hides reports whether the session hides a method, in addition to what its engine hides. It also
// hides results_read if showsResultsTool returns false for the session.
func (v *view) hides(set *settings, method *tool.Entry) bool {
	return v.session.hides(method) ||
		isResultsTool(method) && !set.showsResultsTool(v.engine.options.Registry, &v.session)
}

// whyHidden returns what Session.WhyHidden returns.
func (v *view) whyHidden(method *tool.Entry) string {
	options := v.engine.settings.Load().discovery
	own := isOwn(method)
	if own {
		options.Filter = nil // the engine's filter hides its own methods if they are not needed
	}
	if why := options.WhyHidden(method); why != "" {
		return why
	}
	sessionToggles := discovery.Toggles(v.session.ToolToggles)
	if on, key, named := sessionToggles.Find(method); named && !on {
		return "the session's toolToggles: " + key + " is false"
	}
	switch filter := v.engine.options.Filter; {
	case v.session.hides(method):
		return "the session's filter"
	case !own || v.visible(method):
	case filter != nil && !filter(method):
		return "the application's filter"
	case isSearchTool(method):
		return "promptMethods and promptTokens: the prompt lists all methods"
	default:
		return "resultTokens: no result can be an excerpt"
	}
	return ""
}

// takesArgument reports whether a visible method with the full name toolName declares the argument.
func (v *view) takesArgument(toolName, argument string) bool {
	method, ok := v.engine.options.Registry.Lookup(toolName)
	if !ok || !v.visible(method) {
		return false
	}
	for _, p := range method.Method.Parameters.Properties() {
		if p.Name == argument {
			return true
		}
	}
	return false
}

// methods returns the methods that the model may see and call, sorted by full name.
func (v *view) methods(set *settings) []*tool.Entry {
	hidden := func(method *tool.Entry) bool { return !v.shows(set, method) }
	return slices.DeleteFunc(v.engine.options.Registry.Entries(), hidden)
}

// needsSearch reports whether the prompt of the session lists only some of the visible methods,
// because all would exceed Config.PromptMethods or Config.PromptTokens. The prompt then lists the
// pinned methods, those that the model has found, and the engine's own. The model can call all
// visible methods in any case.
func (v *view) needsSearch(set *settings) bool {
	c := &set.config
	if c.PromptMethods == 0 && c.PromptTokens == 0 || !v.searchEnabled(set) {
		return false
	}
	prompt, methods := v.engine.discovery.List(v.visibleOptions(set))
	if c.PromptMethods > 0 && methods > c.PromptMethods {
		return true
	}
	return c.PromptTokens > 0 && v.found.exceeds(prompt, c.PromptTokens, v.engine.tokenCounter().text)
}

// searchEnabled reports whether the configuration enables the search tool and the session's toggles
// do not hide it.
func (v *view) searchEnabled(set *settings) bool {
	search, ok := v.engine.options.Registry.Lookup(searchMethod)
	if !ok {
		return false
	}
	o := set.discovery
	o.Filter = nil // the engine's filter hides the search tool
	on, _, named := discovery.Toggles(v.session.ToolToggles).Find(search)
	return o.Visible(search) && (on || !named)
}

// listedOptions returns options of package discovery that select the methods that the prompt of the
// session lists. found are the methods that the model has found.
func (v *view) listedOptions(set *settings, found []string) discovery.Options {
	o := v.visibleOptions(set)
	if !v.needsSearch(set) {
		return o
	}
	visible, pinned := o.Filter, discovery.Toggles(set.config.PinnedTools)
	o.Filter = func(method *tool.Entry) bool {
		if isSearchTool(method) {
			return true
		}
		pin, _, _ := pinned.Find(method)
		return (pin || isResultsTool(method) || slices.Contains(found, method.FullName)) && visible(method)
	}
	if o.FilterKey != "" {
		o.FilterKey += fmt.Sprintf(" pinned=%#v found=%q", pinned, found) // %#v sorts the keys of a map
	}
	return o
}

// prompt returns the part of the system prompt that describes the tools, without settings.replies.
// found are the methods that the model has found.
func (v *view) prompt(set *settings, found []string) string {
	return v.engine.discovery.Prompt(v.listedOptions(set, found))
}

// method returns the visible method that a request names, or nil if it names no visible method.
func (v *view) method(req *protocol.ToolRequest) *tool.Entry {
	resolution, _ := v.engine.options.Registry.Find(req.ToolName, req.Command, v.visible)
	return resolution.Entry
}

// search does what callSession.findMethods says.
func (v *view) search(query string, limit int) (found []discovery.Match, visible []*tool.Entry) {
	visible = slices.DeleteFunc(v.methods(v.engine.knownSettings()), isOwn)
	found = discovery.NewIndex(visible).Search(query, limit)
	for _, m := range found {
		v.found.add(m.Method.FullName)
	}
	return found, visible
}
