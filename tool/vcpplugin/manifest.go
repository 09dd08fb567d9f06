package vcpplugin

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/vcpgo/vcp/internal/text"
)

// manifest contains the fields of a plugin-manifest.json that this package uses.
type manifest struct {
	name, title, description string
	aliases                  []string
	kind                     string // pluginType, as pluginKind returns it
	protocol                 string // communication.protocol
	argv                     []string
	argvErr                  error // why the plug-in cannot be started; nil if it can
	timeout                  time.Duration
	defaults                 []variable // the defaults in configSchema
	commands                 []invocation
	unread                   int // how many entries of invocationCommands are after the first maxCommands
}

// The time limits of plug-ins whose manifests have none, and the longest limit.
const (
	synchronousTimeout  = time.Minute
	asynchronousTimeout = 30 * time.Minute
	maxTimeout          = 24 * time.Hour
)

// readManifest reads a manifest. A field of an unexpected type is read if its meaning is clear, and
// ignored otherwise. The error says that the text is not a JSON object.
func readManifest(raw []byte) (*manifest, error) {
	object, err := readObject(raw)
	if err != nil {
		return nil, err
	}
	m := &manifest{
		name: strings.TrimSpace(scalar(object["name"])), title: scalar(object["displayName"]),
		description: scalar(object["description"]),
		aliases:     scalars(object["aliases"]), kind: pluginKind(scalar(object["pluginType"])),
	}
	entry, communication := object["entryPoint"], members(object["communication"])
	m.protocol = strings.ToLower(strings.TrimSpace(scalar(communication["protocol"])))
	m.readEntryPoint(entry)
	if m.protocol == "" && m.argv != nil {
		m.protocol = "stdio"
	}
	m.commands, m.unread = readCommands(members(object["capabilities"])["invocationCommands"], m.name)
	if m.kind == "" && m.protocol == "stdio" && len(m.commands) > 0 {
		m.kind = kindSynchronous
	}
	m.timeout = synchronousTimeout
	if m.kind == kindAsynchronous {
		m.timeout = asynchronousTimeout
	}
	for _, v := range []any{communication["timeout"], members(entry)["timeout"], object["timeout"]} {
		if d := readDuration(v); d > 0 {
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

// pluginKind returns the letters of a pluginType in lower case, with short names written out.
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

// whyOff returns why the plug-in does not run, or "" if it does.
func (m *manifest) whyOff() string {
	switch {
	case m.kind != kindSynchronous && m.kind != kindAsynchronous:
		return kindReason(m.kind)
	case m.protocol != "stdio":
		return fmt.Sprintf("its communication.protocol is %q; "+
			"only stdio plug-ins run, since plug-ins of other protocols are loaded into the server of VCPToolBox", text.TruncateBytes(m.protocol, maxShown))
	case len(m.commands) == 0:
		return "its manifest has no capabilities.invocationCommands, so there is nothing to call"
	}
	return ""
}

// kindReason returns why plug-ins of a type do not run.
func kindReason(kind string) string {
	switch kind {
	case "static":
		return "it is a static plug-in: it fills placeholders in the prompts of VCPToolBox, and has nothing to call"
	case "messagepreprocessor", "messagepostprocessor":
		return "it changes messages inside the server of VCPToolBox, and has nothing to call"
	case "service", "hybridservice":
		return "it is a " + kind + ": it runs inside the server of VCPToolBox; only synchronous and asynchronous stdio plug-ins run"
	case "":
		return "its manifest has no pluginType; synchronous and asynchronous stdio plug-ins run"
	}
	return fmt.Sprintf("its pluginType is %q; synchronous and asynchronous stdio plug-ins run", text.TruncateBytes(kind, maxShown))
}

// readEntryPoint reads the command that starts the plug-in.
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

// readConfigSchema reads the defaults of variables, from a mapping of names to types or to objects,
// or from a list of objects with names.
func (m *manifest) readConfigSchema(v any) {
	add := func(name string, entry any) {
		value, ok := members(entry)["default"]
		if !ok || value == nil || !validVariable(name) || strings.Contains(name, "=") {
			return
		}
		s := scalar(value)
		if data, err := json.Marshal(value); s == "" && value != "" && err == nil {
			s = string(data)
		}
		if !strings.ContainsRune(s, 0) {
			m.defaults = append(m.defaults, variable{name, s})
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
			add(strings.TrimSpace(firstScalar(members(entry), "name", "key")), entry)
		}
	}
}

// readDuration reads a duration: a number of milliseconds, also as a text, or a text with a unit.
func readDuration(v any) time.Duration {
	s := strings.TrimSpace(scalar(v))
	if n, err := strconv.ParseFloat(s, 64); err == nil {
		return time.Duration(min(max(n, 0), float64(maxTimeout/time.Millisecond)) * float64(time.Millisecond))
	}
	d, err := time.ParseDuration(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		return 0
	}
	return d
}
