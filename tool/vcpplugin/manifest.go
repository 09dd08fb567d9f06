package vcpplugin

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// manifest is what this package needs of a plugin-manifest.json.
type manifest struct {
	name, title, description string
	aliases                  []string
	kind                     string // pluginType
	protocol                 string // of communication
	argv                     []string
	argvErr                  error // why there is no argv
	timeout                  time.Duration
	defaults                 []variable // of configSchema
	commands                 []invocation
}

// invocation is one entry of capabilities.invocationCommands.
type invocation struct {
	id          string // commandIdentifier
	alias       string // command, if it differs
	description string
	parameters  []parameter
}

type parameter struct{ name, description string }

// The time limits of plug-ins that state none.
const (
	synchronousTimeout  = time.Minute
	asynchronousTimeout = 30 * time.Minute
	maxTimeout          = 24 * time.Hour
)

// readManifest reads a manifest. Fields that are missing or have another type than usual are read
// as well as possible; only what is no JSON object is an error.
func readManifest(raw []byte) (*manifest, error) {
	object, err := readObject(raw)
	if err != nil {
		return nil, err
	}
	m := &manifest{
		name: strings.TrimSpace(scalar(object["name"])), title: scalar(object["displayName"]), description: scalar(object["description"]),
		aliases: scalars(object["aliases"]), kind: pluginKind(scalar(object["pluginType"])),
	}
	entry, communication := object["entryPoint"], members(object["communication"])
	m.protocol = strings.ToLower(strings.TrimSpace(scalar(communication["protocol"])))
	m.readEntryPoint(entry)
	if m.protocol == "" && m.argv != nil {
		m.protocol = "stdio"
	}
	m.readCommands(members(object["capabilities"])["invocationCommands"])
	if m.kind == "" && m.protocol == "stdio" && len(m.commands) > 0 {
		m.kind = kindSynchronous
	}
	m.timeout = synchronousTimeout
	if m.kind == kindAsynchronous {
		m.timeout = asynchronousTimeout
	}
	for _, v := range []any{communication["timeout"], members(entry)["timeout"], object["timeout"]} {
		if d := milliseconds(v); d > 0 {
			m.timeout = min(d, maxTimeout)
			break
		}
	}
	m.readConfigSchema(object["configSchema"])
	return m, nil
}

// The types of plug-ins that run.
const (
	kindSynchronous  = "synchronous"
	kindAsynchronous = "asynchronous"
)

// pluginKind returns a pluginType in lower case, without what is no letter.
func pluginKind(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
	switch s {
	case "sync":
		return kindSynchronous
	case "async":
		return kindAsynchronous
	}
	return s
}

// readEntryPoint reads what starts the plug-in.
func (m *manifest) readEntryPoint(v any) {
	command := v
	if object, ok := v.(map[string]any); ok {
		command = object["command"]
		if command == nil {
			if m.argv = scriptCommand(scalar(object["script"])); m.argv != nil {
				m.argv = append(m.argv, scalars(object["args"])...)
				return
			}
		}
	}
	if list, ok := command.([]any); ok {
		if m.argv = scalars(list); len(m.argv) == 0 {
			m.argvErr = errors.New("entryPoint.command is empty")
		}
	} else {
		m.argv, m.argvErr = splitCommandLine(scalar(command))
	}
	if m.argvErr == nil {
		m.argv = append(m.argv, scalars(members(v)["args"])...)
	}
}

// readConfigSchema reads the defaults, from a mapping of names to types or to objects, or from a
// list of objects with names.
func (m *manifest) readConfigSchema(v any) {
	add := func(name string, entry any) {
		value, there := members(entry)["default"]
		if !there || value == nil || !validVariable(name) || strings.Contains(name, "=") {
			return
		}
		text := scalar(value)
		if data, err := json.Marshal(value); text == "" && value != "" && err == nil {
			text = string(data)
		}
		if !strings.ContainsRune(text, 0) {
			m.defaults = append(m.defaults, variable{name, text})
		}
	}
	switch schema := v.(type) {
	case map[string]any:
		if properties, ok := schema["properties"].(map[string]any); ok && scalar(schema["type"]) == "object" {
			schema = properties
		}
		for _, name := range sortedKeys(schema) {
			add(name, schema[name])
		}
	case []any:
		for _, entry := range schema {
			add(firstScalar(members(entry), "name", "key"), entry)
		}
	}
}

// readCommands reads the commands, from a list or from a mapping of identifiers to objects. Entries
// with the same identifier are one command with both descriptions.
func (m *manifest) readCommands(v any) {
	var entries []any
	switch list := v.(type) {
	case []any:
		entries = list
	case map[string]any:
		for _, id := range sortedKeys(list) {
			entry := map[string]any{}
			for name, value := range members(list[id]) {
				entry[name] = value
			}
			if text, ok := list[id].(string); ok {
				entry["description"] = text
			}
			if firstScalar(entry, "commandIdentifier", "command") == "" {
				entry["commandIdentifier"] = id
			}
			entries = append(entries, entry)
		}
	}
	for i, entry := range entries {
		if text, ok := entry.(string); ok {
			entry = map[string]any{"commandIdentifier": text}
		}
		m.add(members(entry), i, len(entries))
	}
}

// add adds one of several commands.
func (m *manifest) add(entry map[string]any, i, of int) {
	c := invocation{
		id:          firstScalar(entry, "commandIdentifier", "command", "identifier", "name", "id"),
		alias:       strings.TrimSpace(scalar(entry["command"])),
		description: firstScalar(entry, "description", "example"),
	}
	switch {
	case c.id == "" && of == 1:
		c.id = m.name
	case c.id == "":
		c.id = "command-" + strconv.Itoa(i+1)
	}
	if c.alias == c.id {
		c.alias = ""
	}
	for _, field := range []string{"parameters", "args", "arguments", "params"} {
		c.parameters = append(c.parameters, readParameters(entry[field])...)
	}
	if at := slices.IndexFunc(m.commands, func(o invocation) bool { return o.id == c.id }); at >= 0 {
		first := &m.commands[at]
		if c.description != "" && c.description != first.description {
			first.description = strings.TrimPrefix(first.description+"\n\n"+c.description, "\n\n")
		}
		first.parameters = append(first.parameters, c.parameters...)
		return
	}
	m.commands = append(m.commands, c)
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

// schema returns the JSON Schema of a command: any arguments, as texts.
func (c *invocation) schema() json.RawMessage {
	properties := orderedjson.New()
	for _, p := range c.parameters {
		if p.name == "" || properties.Has(p.name) {
			continue
		}
		described := orderedjson.New()
		described.Set("type", "string")
		if p.description != "" {
			described.Set("description", p.description)
		}
		properties.Set(p.name, described)
	}
	others := orderedjson.New()
	others.Set("type", "string")
	s := orderedjson.New()
	s.Set("type", "object")
	if len(properties.Names) > 0 {
		s.Set("properties", properties)
	}
	s.Set("additionalProperties", others)
	return orderedjson.Append(nil, s)
}

// members returns the members of an object; nil for anything else.
func members(v any) map[string]any {
	object, _ := v.(map[string]any)
	return object
}

// scalar returns a text, a number or a truth value as text; "" for anything else.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// scalars returns the texts of a list, or one text as a list.
func scalars(v any) (list []string) {
	items, ok := v.([]any)
	if !ok {
		items = []any{v}
	}
	for _, item := range items {
		if s := scalar(item); s != "" {
			list = append(list, s)
		}
	}
	return list
}

// firstScalar returns the first of the fields that is not blank, without white space around it.
func firstScalar(object map[string]any, fields ...string) string {
	for _, field := range fields {
		s := scalar(object[field])
		if field != "description" && field != "example" {
			s = strings.TrimSpace(s)
		}
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// milliseconds reads a duration: a number of milliseconds, also as a text, or a text with a unit.
func milliseconds(v any) time.Duration {
	text := strings.TrimSpace(scalar(v))
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return time.Duration(min(max(n, 0), float64(maxTimeout/time.Millisecond)) * float64(time.Millisecond))
	}
	d, err := time.ParseDuration(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		return 0
	}
	return d
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
