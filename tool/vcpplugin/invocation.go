package vcpplugin

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
)

// maxCommands limits how many entries of capabilities.invocationCommands are read.
const maxCommands = 1000

// maxDescription limits one description, in bytes.
const maxDescription = 64 << 10

// invocation is one entry of capabilities.invocationCommands.
type invocation struct {
	id          string // the field commandIdentifier, or one that stands for it; see readCommand
	alias       string // the field command, if it differs from id
	shown       string // the command that the description's examples show, if it differs from id
	description string
	parameters  []parameter
}

type parameter struct{ name, description string }

// readCommands reads the commands, from a list, or from a mapping of identifiers to objects or
// descriptions. Entries with the same identifier are one command with all their descriptions.
// unread is the number of entries after the first maxCommands.
func readCommands(v any, pluginName string) (list []invocation, unread int) {
	var entries []any
	switch v := v.(type) {
	case []any:
		entries = v
	case map[string]any:
		for _, id := range sortedKeys(v) {
			entry := map[string]any{}
			maps.Copy(entry, members(v[id]))
			if text, ok := v[id].(string); ok {
				entry["description"] = text
			}
			if firstScalar(entry, "commandIdentifier", "command") == "" {
				entry["commandIdentifier"] = id
			}
			entries = append(entries, entry)
		}
	}
	unread = max(0, len(entries)-maxCommands)
	entries = entries[:len(entries)-unread]
	for i, entry := range entries {
		if text, ok := entry.(string); ok {
			entry = map[string]any{"commandIdentifier": text}
		}
		list = merged(list, readCommand(members(entry), pluginName, i, len(entries)))
	}
	setShown(list)
	return list, unread
}

// readCommand reads an entry. index is its place in the list of commands, and count is the length
// of the list. Without an identifier, the only entry of a list gets the name of the plug-in,
// and an entry of a longer list gets a name with its number.
func readCommand(entry map[string]any, pluginName string, index, count int) invocation {
	c := invocation{
		id:          strings.TrimSpace(firstScalar(entry, "commandIdentifier", "command", "identifier", "name", "id")),
		alias:       strings.TrimSpace(scalar(entry["command"])),
		description: firstScalar(entry, "description", "example"),
	}
	switch {
	case c.id == "" && count == 1:
		c.id = pluginName
	case c.id == "":
		c.id = "command-" + strconv.Itoa(index+1)
	}
	if c.alias == c.id {
		c.alias = ""
	}
	for _, field := range []string{"parameters", "args", "arguments", "params"} {
		c.parameters = append(c.parameters, readParameters(entry[field])...)
	}
	return c
}

// merged returns the list with the command c. If the list has a command with the same identifier,
// it extends that command.
func merged(list []invocation, c invocation) []invocation {
	at := slices.IndexFunc(list, func(o invocation) bool { return o.id == c.id })
	if at < 0 {
		return append(list, c)
	}
	first := &list[at]
	isLong := len(first.description) > maxDescription // a model reads no more of it
	if c.description != "" && c.description != first.description && !isLong {
		first.description = strings.TrimPrefix(first.description+"\n\n"+c.description, "\n\n")
	}
	first.parameters = append(first.parameters, c.parameters...)
	return list
}

// shownCommand matches the field command in an example of a request.
var shownCommand = regexp.MustCompile("(?:^|[\\s,\"'`]|末」)command\\s*[:：]\\s*「始」\\s*([^「」\\s]{1,128})\\s*「末」")

// setShown sets the field shown of a command if the examples in its description show exactly one
// name, apart from those of other commands. A name that several descriptions show is ambiguous and
// ignored.
func setShown(commands []invocation) {
	shown := make([][]string, len(commands))
	shownBy := map[string]int{} // how many commands show a name
	for i, c := range commands {
		isOther := func(name string) bool {
			return slices.ContainsFunc(commands, func(o invocation) bool {
				return o.id != c.id && (o.id == name || o.alias == name)
			})
		}
		for _, found := range shownCommand.FindAllStringSubmatch(text.TruncateBytes(c.description, maxDescription), -1) {
			if name := found[1]; !isOther(name) && !slices.Contains(shown[i], name) {
				shown[i] = append(shown[i], name)
				shownBy[name]++
			}
		}
	}
	for i, names := range shown {
		if len(names) == 1 && shownBy[names[0]] == 1 && names[0] != commands[i].id {
			commands[i].shown = names[0]
		}
	}
}

// readParameters reads the names and descriptions of parameters, from a list of objects, a JSON
// Schema, or a mapping of names.
func readParameters(v any) (list []parameter) {
	switch v := v.(type) {
	case []any:
		for _, entry := range v {
			if name := scalar(members(entry)["name"]); name != "" {
				list = append(list, parameter{name, scalar(members(entry)["description"])})
			}
		}
	case map[string]any:
		if properties, ok := v["properties"].(map[string]any); ok {
			v = properties
		} else if scalar(v["type"]) == "object" {
			return nil
		}
		for _, name := range sortedKeys(v) {
			description := scalar(members(v[name])["description"])
			if text, ok := v[name].(string); ok {
				description = text
			}
			list = append(list, parameter{name, description})
		}
	}
	return list
}

// schema returns the JSON Schema of a command. It accepts any arguments, as texts.
func (c *invocation) schema() json.RawMessage {
	properties := orderedjson.New()
	for _, p := range c.parameters {
		if p.name == "" || properties.Has(p.name) {
			continue
		}
		described := orderedjson.New("type", "string")
		if p.description != "" {
			described.Set("description", p.description)
		}
		properties.Set(p.name, described)
	}
	s := orderedjson.New("type", "object")
	if len(properties.Names) > 0 {
		s.Set("properties", properties)
	}
	s.Set("additionalProperties", orderedjson.New("type", "string"))
	return orderedjson.Append(nil, s)
}
