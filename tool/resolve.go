package tool

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/text"
)

// Resolution says which method a request means, and how the request's command is used. The command
// is the value of the field "command", by which a request can name a method of a tool.
type Resolution struct {
	Entry *Entry
	// UsesCommand reports that the command names the method, so it is not an argument.
	UsesCommand bool
	// DropCommand reports that the command only repeats a name of the method, so it is not an
	// argument either. If neither is set, the command is an argument.
	DropCommand bool
	// Folded reports that the request spells a name differently, or uses a title, or an alias of
	// the tool. The engine reports this as the repair folded_name.
	Folded bool
}

// The kinds of NotFoundError.
const (
	ToolNotFound   = "tool_not_found"
	MethodNotFound = "method_not_found"
)

// NotFoundError is the error for a name that means no visible method.
type NotFoundError struct {
	// Kind is ToolNotFound or MethodNotFound.
	Kind string
	// Name is the name as the request has it: the tool's name, followed by a space and the command
	// if there is one. A long name is truncated.
	Name string
	// Nearest are the full names of up to three methods that the request may mean.
	Nearest []string
	// All contains the full names of all visible methods of the tool, or of all tools if the tool
	// was not found. It is nil if there are too many.
	All []string
}

// Error returns a text with Name and Nearest.
func (e *NotFoundError) Error() string {
	what := "tool"
	if e.Kind == MethodNotFound {
		what = "method of that tool"
	}
	message := fmt.Sprintf("%q names no %s", e.Name, what)
	if len(e.Nearest) > 0 {
		message += "; nearest: " + strings.Join(e.Nearest, ", ")
	}
	return message
}

// maxAllNames limits NotFoundError.All.
const maxAllNames = 12

// Resolve finds the method that a request means, among those for which visible returns true. A nil
// visible means all. toolName and command are as written; command is "" if the request has none.
// Resolve tries these rules in order:
//
//  1. toolName is a full name.
//  2. toolName is a tool's id and command is the name or an alias of one of its methods.
//  3. Exactly one method matches rule 1 or 2, by name or title, if enclosing quotes, case, hyphens,
//     underscores and white space are ignored. A tool's aliases count as well.
//  4. toolName means a tool with a DefaultMethod, in any spelling of rule 3. The command, if there
//     is one, is then an argument.
//
// Otherwise the error is a *NotFoundError.
func (r *Registry) Resolve(toolName, command string, visible func(*Entry) bool) (Resolution, error) {
	res, visibleEntries, ok := r.state.Load().resolve(toolName, command, visible)
	if !ok {
		return Resolution{}, notFound(visibleEntries, toolName, command)
	}
	return res, nil
}

// Find returns what Resolve returns, with ok instead of an error. If there is no such method, Find
// takes much less time than Resolve, whose error suggests methods.
func (r *Registry) Find(toolName, command string, visible func(*Entry) bool) (res Resolution, ok bool) {
	res, _, ok = r.state.Load().resolve(toolName, command, visible)
	return res, ok
}

// resolve applies the rules of Resolve. If ok is false, it returns all visible entries.
func (s *snapshot) resolve(
	toolName, command string, visible func(*Entry) bool,
) (res Resolution, visibleEntries []*Entry, ok bool) {
	if visible == nil {
		visible = func(*Entry) bool { return true }
	}
	if e := s.byName[toolName]; e != nil && visible(e) {
		return Resolution{Entry: e, DropCommand: repeatsName(e, command, false)}, nil, true
	}
	if t := s.tools[toolName]; t != nil && command != "" {
		for _, e := range s.entries {
			if e.Tool == t && named(e.Method, command, false) && visible(e) {
				return Resolution{Entry: e, UsesCommand: true}, nil, true
			}
		}
	}
	hidden := func(e *Entry) bool { return !visible(e) }
	visibleEntries = slices.DeleteFunc(slices.Clone(s.entries), hidden)
	if res, ok = resolveFolded(visibleEntries, toolName, command); ok {
		return res, nil, true
	}
	if e := defaultMethod(visibleEntries, toolName); e != nil {
		return Resolution{Entry: e, Folded: toolName != e.Tool.ID}, nil, true
	}
	return Resolution{}, visibleEntries, false
}

// resolveFolded applies rule 3 of Resolve.
func resolveFolded(entries []*Entry, toolName, command string) (Resolution, bool) {
	foldedName, foldedCommand := foldName(toolName), foldName(command)
	if foldedName == "" {
		return Resolution{}, false
	}
	var found Resolution
	for _, e := range entries {
		res := Resolution{Entry: e, Folded: true}
		switch {
		case foldName(e.FullName) == foldedName || e.Method.Title != "" && foldName(e.Method.Title) == foldedName:
			res.DropCommand = repeatsName(e, command, true)
		case foldedCommand != "" && isTool(e, foldedName) && named(e.Method, command, true):
			res.UsesCommand = true
		default:
			continue
		}
		if found.Entry != nil {
			return Resolution{}, false
		}
		found = res
	}
	return found, found.Entry != nil
}

// defaultMethod applies rule 4 of Resolve: it returns the default method of the tool that toolName
// means. If the name is folded, it must mean exactly one tool with a default method.
func defaultMethod(entries []*Entry, toolName string) (found *Entry) {
	name := foldName(toolName)
	ambiguous := false
	for _, e := range entries {
		switch {
		case e.Tool.DefaultMethod == "" || e.Method.Name != e.Tool.DefaultMethod:
		case e.Tool.ID == toolName:
			return e
		case name == "" || !isTool(e, name):
		case found != nil:
			ambiguous = true // unless a later tool has exactly this id
		default:
			found = e
		}
	}
	if ambiguous {
		return nil
	}
	return found
}

// isTool reports whether name, a result of foldName, means e's tool.
func isTool(e *Entry, name string) bool {
	same := func(n string) bool { return n != "" && foldName(n) == name }
	return same(e.Tool.ID) || same(e.Tool.Title) || slices.ContainsFunc(e.Tool.Aliases, same)
}

// named reports whether command names m. If folded is set, spelling does not matter, and the title
// counts as a name.
func named(m *Method, command string, folded bool) bool {
	names := m.CommandNames()
	if !folded {
		return slices.Contains(names, command)
	}
	want := foldName(command)
	return want != "" && slices.ContainsFunc(append(names, m.Title), func(n string) bool { return foldName(n) == want })
}

// repeatsName reports whether a command only repeats the name of e, which the request names
// already. folded is as for named. If the method has an argument named "command", the command is
// that argument, so the result is false.
func repeatsName(e *Entry, command string, folded bool) bool {
	return command != "" && !e.Method.declares("command") && named(e.Method, command, folded)
}

// foldName returns the same text for names that differ only in enclosing quotes, case, hyphens,
// underscores and white space. It returns "" for a name that is too long.
func foldName(name string) string {
	if len(name) > 4*MaxNameBytes { // longer than any name with quotes and blanks; this limits the work
		return ""
	}
	return text.FoldName(unquote(strings.TrimSpace(name)))
}

// quotePairs are the quotes that models put around a name.
var quotePairs = map[rune]rune{'"': '"', '\'': '\'', '`': '`', '“': '”', '‘': '’'}

// unquote removes one pair of quotes around s.
func unquote(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	last, m := utf8.DecodeLastRuneInString(s)
	if quote, ok := quotePairs[first]; ok && last == quote && len(s) >= n+m {
		return s[n : len(s)-m]
	}
	return s
}

// notFound returns the error for a name that means none of entries, the visible methods.
func notFound(entries []*Entry, toolName, command string) *NotFoundError {
	e := &NotFoundError{Kind: ToolNotFound, Name: shorten(strings.TrimSpace(toolName + " " + command))}
	id, method := foldName(toolName), foldName(command)
	known := slices.ContainsFunc(entries, func(e *Entry) bool { return isTool(e, id) })
	switch i := strings.LastIndexByte(toolName, '_'); {
	case known:
	case i >= 0: // a full name
		id, method = foldName(toolName[:i]), foldName(toolName[i+1:])
	case command == "": // the name of a method, without its tool
		method = id
	}
	ofTool := slices.DeleteFunc(slices.Clone(entries), func(e *Entry) bool { return id == "" || !isTool(e, id) })
	candidates := entries
	if len(ofTool) > 0 {
		e.Kind, candidates = MethodNotFound, ofTool
	}
	var all []string // the full names of candidates
	for _, c := range candidates {
		all = append(all, c.FullName)
	}
	whole := toolName
	if command != "" {
		whole += "_" + command
	}
	e.Nearest = text.Nearest(whole, all)
	if len(e.Nearest) == 0 && e.Kind == ToolNotFound {
		e.Nearest = methodsOfNamedTool(entries, whole)
	}
	if len(e.Nearest) == 0 && e.Kind == ToolNotFound {
		e.Nearest = methodsOfNearestTool(entries, id)
	}
	if len(e.Nearest) == 0 {
		e.Nearest = nearestMethod(candidates, method)
	}
	if len(all) <= maxAllNames {
		e.All = all
	}
	return e
}

// methodsOfNamedTool returns the full names of up to three methods that share the most words with
// name, as query_database does with database_query. It considers only the tools whose id is
// contained in name, or contains it, as text.ContainsWords compares them.
func methodsOfNamedTool(entries []*Entry, name string) (names []string) {
	most := 0
	for _, e := range entries {
		if !text.ContainsWords(name, e.Tool.ID) {
			continue
		}
		n := text.SharedWords(name, e.FullName)
		if n > most {
			most, names = n, nil
		}
		if n == most && len(names) < 3 {
			names = append(names, e.FullName)
		}
	}
	return names
}

// methodsOfNearestTool returns the full names of up to three methods of the tool whose id is the
// most similar to id. It returns nil if no id is similar.
func methodsOfNearestTool(entries []*Entry, id string) (names []string) {
	var ids []string
	for _, e := range entries {
		ids = append(ids, e.Tool.ID)
	}
	near := text.Nearest(id, ids)
	for _, e := range entries {
		if len(near) > 0 && e.Tool.ID == near[0] && len(names) < 3 {
			names = append(names, e.FullName)
		}
	}
	return names
}

// nearestMethod returns the full name of the first entry that has a name or alias similar to
// method.
func nearestMethod(entries []*Entry, method string) []string {
	for _, e := range entries {
		if len(text.Nearest(method, e.Method.CommandNames())) > 0 {
			return []string{e.FullName}
		}
	}
	return nil
}
