package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/internal/redact"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/model"
)

// shownSetting is a field of the configuration as vcp config shows it.
type shownSetting struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"` // as in a file, or null if there is none
	From  string          `json:"from"`  // "default", "file", a flag, or an environment variable
}

func newConfig(std streams) *cobra.Command {
	var (
		flags  configFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the configuration that holds, and what set it",
		Long: `config shows each field of the configuration as vcp chat would have it: its value, and whether the default, the file,
the environment or a flag set it. docs/configuration.md describes the fields. Secrets are not shown.`,
		Example: `  vcp config
  vcp config --config vcp.yaml --max-iterations 3 --json`,
		Args: none,
		RunE: func(*cobra.Command, []string) error {
			s, err := flags.load()
			if err != nil {
				return err
			}
			list := s.shown()
			if asJSON {
				return writeJSON(std.out, struct {
					File   string         `json:"file,omitempty"`
					Fields []shownSetting `json:"fields"`
				}{s.file, list})
			}
			return s.write(std.out, list)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object with the fields file and fields")
	flags.add(cmd.Flags())
	return cmd
}

// shown returns all fields in order, and last the key for the server if there is one, masked.
func (s *settings) shown() []shownSetting {
	values := s.values()
	key := strings.TrimSpace(os.Getenv(envKey))
	secrets := redact.New(key)
	list := make([]shownSetting, 0, len(fields)+1)
	for i := range fields {
		f := &fields[i]
		value := values[f.Name]
		switch {
		case f.Name == fieldSources:
			value = s.sourceNames()
		case f.Name == fieldOverrides:
			value = s.overrideNames()
		case f.own:
			value = jsonText(secrets.Line(s.shownOwn(f.Name), maxShownText))
		}
		if string(value) == `""` {
			value = json.RawMessage("null")
		}
		from := cmp.Or(s.from[f.Name], "default")
		if from == s.file {
			from = "file"
		}
		list = append(list, shownSetting{f.Name, value, from})
	}
	if key != "" {
		list = append(list, shownSetting{envKey, jsonText(redact.Mask), "environment"})
	}
	return list
}

// maxShownText limits a displayed text, in bytes.
const maxShownText = 200

// shownOwn returns the value of one of the command's own fields. An address may contain a login.
func (s *settings) shownOwn(name string) string {
	value := s.own[name]
	if name != fieldBaseURL || value == "" {
		return value
	}
	client, err := model.New(model.Options{BaseURL: value})
	if err != nil {
		return "not valid: " + err.Error() // it shows no secret
	}
	defer client.Close()
	return client.String()
}

// write writes the fields for people, a line each.
func (s *settings) write(out io.Writer, list []shownSetting) error {
	var b strings.Builder
	switch {
	case s.file != "":
		fmt.Fprintf(&b, "file: %s\n\n", visible(s.file))
	case defaultFile() != "":
		fmt.Fprintf(&b, "no file is read; the default is %s\n\n", visible(defaultFile()))
	}
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "FIELD\tVALUE\tFROM")
	for _, f := range list {
		value := cmp.Or(unquoted(f.Value), "none")
		fmt.Fprintf(t, "%s\t%s\t%s\n", f.Name, visible(text.TruncateRunes(value, maxShownText)), visible(f.From))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return write(out, b.String())
}

// sourceNames returns the names of the sources as JSON. Names contain no secrets.
func (s *settings) sourceNames() json.RawMessage {
	names := make([]string, len(s.sources))
	for i, source := range s.sources {
		names[i] = source.Name()
	}
	data, err := json.Marshal(names)
	if err != nil || len(names) == 0 { // texts can be written
		return json.RawMessage("null")
	}
	return data
}

// overrideNames returns the names of what is overridden, as JSON.
func (s *settings) overrideNames() json.RawMessage {
	data, err := json.Marshal(slices.Sorted(maps.Keys(s.overrides)))
	if err != nil || len(s.overrides) == 0 { // texts can be written
		return json.RawMessage("null")
	}
	return data
}
