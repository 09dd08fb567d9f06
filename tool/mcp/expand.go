package mcp

import (
	"fmt"
	"regexp"
	"strings"
)

// Expand returns the configuration with variables in place of ${NAME}, ${env:NAME} and
// ${NAME:-DEFAULT}, in the command, its directory and variables, the URL and the headers. lookup
// returns the value of a variable and whether it is set, as os.LookupEnv does. Values are not
// expanded again. A variable that is not set and has no default is a *ConfigError.
func (c *Config) Expand(lookup func(name string) (string, bool)) (Config, error) {
	own := c.clone()
	var missing error
	expand := func(field string, s *string) {
		*s = variable.ReplaceAllStringFunc(*s, func(match string) string {
			parts := variable.FindStringSubmatch(match)
			if value, ok := lookup(parts[1]); ok && (value != "" || parts[2] == "") {
				own.looked = append(own.looked, value)
				return value
			}
			if parts[2] == "" && missing == nil {
				missing = &ConfigError{c.Name, field, fmt.Sprintf(
					"names the environment variable %s, which is not set; set it, or write ${%s:-DEFAULT}", parts[1], parts[1])}
			}
			return strings.TrimPrefix(parts[2], ":-")
		})
	}
	for i := range own.Command {
		expand("command", &own.Command[i])
	}
	expand("dir", &own.Dir)
	expand("url", &own.URL)
	for name, value := range own.Env {
		expand("env", &value)
		own.Env[name] = value
	}
	for name, value := range own.Headers {
		expand("headers", &value)
		own.Headers[name] = value
	}
	return own, missing
}

var variable = regexp.MustCompile(`\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\}`)
