package mcp

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/tool"
)

// fileServer is one entry of a file of servers.
type fileServer struct {
	name   string // the name of the server's provider
	config Config
	err    error // why the server cannot be used; nil if it can
}

// equal reports whether s and other have the same name, configuration and error.
func (s fileServer) equal(other fileServer) bool {
	return s.name == other.name && reflect.DeepEqual(s.config, other.config) &&
		fmt.Sprint(s.err) == fmt.Sprint(other.err)
}

// provider returns the provider of a server that has not been started. If the server cannot be
// used, the provider's reason says why.
func (s fileServer) provider() tool.Provider {
	if s.err != nil {
		return tool.Provider{Name: s.name, Health: tool.HealthDown, Reason: s.err.Error()}
	}
	return tool.Provider{Name: s.name, Health: tool.HealthStarting, Reason: "the server has not answered yet"}
}

// readFile reads the servers of a file. lookup and pins are those of FileOptions.
func readFile(path string, lookup func(string) (string, bool), pins Pins) ([]fileServer, error) {
	content, err := document.Load(path)
	if err != nil {
		return nil, err
	}
	list := content.Field("mcpServers")
	if list.Kind == document.Null {
		list = content.Field("servers")
	}
	if list.Kind != document.Mapping {
		return nil, fmt.Errorf("%s: the member mcpServers is missing; it is an object with one member for each server", path)
	}
	var all []fileServer
	for _, f := range list.Fields {
		s := fileServer{name: f.Name}
		if s.config, s.err = readServer(f.Name, f.Value, lookup); s.err == nil {
			s.name, s.config.Pins = s.config.Name, pins
		}
		all = append(all, s)
	}
	return all, nil
}

// readServer returns the configuration of one server of a file.
func readServer(name string, v document.Value, lookup func(string) (string, bool)) (Config, error) {
	if v.Kind != document.Mapping {
		return Config{}, errors.New("an object with a command or a url is expected")
	}
	if isTrue(v.Field("disabled")) || v.Field("enabled").Kind == document.Bool && !isTrue(v.Field("enabled")) {
		return Config{}, errors.New("the file says that it is disabled")
	}
	if kind := cmp.Or(v.Field("type").Text, v.Field("transport").Text); kind == "sse" {
		return Config{}, errors.New("the transport sse, which streamable HTTP has replaced, is not supported; " +
			"ask the server's operator for its streamable HTTP address")
	}
	address := cmp.Or(v.Field("url").Text, v.Field("serverUrl").Text, v.Field("httpUrl").Text)
	c := Config{Name: serverName(name), URL: address}
	if c.URL != "" {
		c.Headers = textsByName(v.Field("headers"))
	} else {
		c.Dir, c.Env = v.Field("cwd").Text, textsByName(v.Field("env"))
		if program := v.Field("command").Text; program != "" {
			c.Command = append([]string{program}, texts(v.Field("args"))...)
		}
	}
	expanded, err := c.Expand(lookup)
	if err == nil {
		err = expanded.check()
	}
	return expanded, err
}

// serverName returns the name in the file if Config.Name allows it, and otherwise a hashedName.
func serverName(name string) string {
	if validServerName(name) {
		return name
	}
	return hashedName(name, notInServerNames, maxServerName)
}

func isTrue(v document.Value) bool {
	return v.Kind == document.Bool && strings.EqualFold(v.Text, "true")
}

func texts(v document.Value) (list []string) {
	for _, item := range v.Items {
		list = append(list, item.Text)
	}
	return list
}

func textsByName(v document.Value) map[string]string {
	m := map[string]string{}
	for _, f := range v.Fields {
		m[f.Name] = f.Value.Text
	}
	return m
}
