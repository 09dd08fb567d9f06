// Package golden reads test cases for the parser. Each case is a txtar file. It consists of a
// header in prose that says which rule the case shows and why, of options, an input, and the
// expected reply. CONTRIBUTING.md describes the format.
package golden

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// The names of the files in the txtar file of a case.
const (
	fileOptions = "options.json"
	fileInput   = "input"
	fileQuoted  = "input.quoted" // Go string literals, for bytes that an editor would lose
	fileWant    = "want.json"
)

// Case is one test case.
type Case struct {
	Name    string // the file's name without its extension
	path    string
	Header  string // which rule the case shows, and why
	Options Options
	Input   string
	Want    []byte // the expected reply as JSON

	archive *txtar.Archive
}

// Options say how to read a case. Empty fields are the defaults of vcp parse.
type Options struct {
	Tolerance  string   `json:"tolerance"`
	AlsoLevels []string `json:"alsoLevels"` // further levels at which the same reply is expected
	Finish     *string  `json:"finish"`
	Quoted     string   `json:"quoted"`
	Reasoning  string   `json:"reasoning"`
	Disabled   []string `json:"disabled"`
	Limits     Limits   `json:"limits"`
	// Expand contains long texts. Short names stand for them in the input and the expected reply.
	Expand map[string]Repeat `json:"expand"`
}

// Limits are limits of the parser; 0 means the default.
type Limits struct {
	BlockBytes int `json:"blockBytes"`
	Blocks     int `json:"blocks"`
	Fields     int `json:"fields"`
	KeyBytes   int `json:"keyBytes"`
}

// Repeat is a text that is repeated Count times.
type Repeat struct {
	Text  string `json:"text"`
	Count int    `json:"count"`
}

// Load reads all cases in a directory, in the order of their names. If a case is malformed, the
// error names its file.
func Load(dir string) ([]Case, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		return nil, err
	}
	slices.Sort(paths)
	cases := make([]Case, 0, len(paths))
	for _, path := range paths {
		c, err := read(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// read reads the case of one file.
func read(path string) (Case, error) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return Case{}, err
	}
	c := Case{
		Name: strings.TrimSuffix(filepath.Base(path), ".txtar"), path: path,
		Header: string(archive.Comment), archive: archive,
	}
	inputs := 0
	for _, f := range archive.Files {
		switch f.Name {
		case fileOptions:
			d := json.NewDecoder(strings.NewReader(string(f.Data)))
			d.DisallowUnknownFields()
			if err := d.Decode(&c.Options); err != nil {
				return Case{}, fmt.Errorf("%s: %w", f.Name, err)
			}
		case fileInput:
			inputs++
			c.Input = strings.TrimSuffix(string(f.Data), "\n")
		case fileQuoted:
			inputs++
			if c.Input, err = unquote(string(f.Data)); err != nil {
				return Case{}, fmt.Errorf("%s: %w", f.Name, err)
			}
		case fileWant:
			c.Want = f.Data
		default:
			return Case{}, fmt.Errorf("file %q is not one of %s, %s, %s, %s",
				f.Name, fileOptions, fileInput, fileQuoted, fileWant)
		}
	}
	if inputs != 1 || c.Want == nil {
		return Case{}, fmt.Errorf("a case needs either %s or %s, and it needs %s", fileInput, fileQuoted, fileWant)
	}
	for name, r := range c.Options.Expand {
		long := strings.Repeat(r.Text, r.Count)
		c.Input = strings.ReplaceAll(c.Input, name, long)
		quoted, err := json.Marshal(long)
		if err != nil {
			return Case{}, err
		}
		c.Want = []byte(strings.ReplaceAll(string(c.Want), name, string(quoted[1:len(quoted)-1])))
	}
	return c, nil
}

// unquote joins string literals, one per line.
func unquote(data string) (string, error) {
	var b strings.Builder
	for line := range strings.Lines(data) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		s, err := strconv.Unquote(line)
		if err != nil {
			return "", fmt.Errorf("line %q: %w", line, err)
		}
		b.WriteString(s)
	}
	return b.String(), nil
}

// Update writes want to the case's file as the expected reply. It returns an error for a case with
// Options.Expand.
func (c *Case) Update(want []byte) error {
	if len(c.Options.Expand) > 0 {
		return fmt.Errorf("%s: a case with expand is updated by hand", c.path)
	}
	for i := range c.archive.Files {
		if c.archive.Files[i].Name == fileWant {
			c.archive.Files[i].Data = want
		}
	}
	return os.WriteFile(c.path, txtar.Format(c.archive), 0o644)
}
