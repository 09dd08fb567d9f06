package command

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/tool"
)

// outputForm says how the output of a program is read.
type outputForm string

const (
	outputAuto outputForm = "auto" // JSON if it has the form of a result, else text; the default
	outputText outputForm = "text"
	outputJSON outputForm = "json"
)

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *outputForm) UnmarshalText(text []byte) error {
	switch *f = outputForm(text); *f {
	case outputAuto, outputText, outputJSON:
		return nil
	}
	return errors.New("not a form of output")
}

// jsonResult is a result as a program prints it.
type jsonResult struct {
	Output  json.RawMessage `json:"output"`  // for the model: a text, or any JSON
	Details json.RawMessage `json:"details"` // for people and programs
	Files   []jsonFile      `json:"files"`   // for people
}

type jsonFile struct {
	Name      string `json:"name"`
	MediaType string `json:"mediaType"`
	Data      []byte `json:"data"` // base64
	Path      string `json:"path"` // in place of data: below the working directory
}

const (
	maxFiles     = 20      // of one result
	maxFileBytes = 8 << 20 // of a file that is read by its path
)

// read turns what a program printed into a result. Paths of files are below directory.
func (f outputForm) read(printed []byte, directory string) (tool.Output, error) {
	if f != outputText {
		result, err := parseResult(printed)
		if err == nil {
			return result.output(directory)
		}
		if f == outputJSON {
			return tool.Output{}, chinese.Command.Text(
				`the program must print one JSON object with "output" and, optionally, "details" and "files": %v`, err)
		}
	}
	text, _ := strings.CutSuffix(string(printed), "\n")
	return tool.Output{Text: strings.TrimSuffix(text, "\r")}, nil
}

// parseResult reads a result, which must be all that the program printed.
func parseResult(printed []byte) (r jsonResult, err error) {
	d := json.NewDecoder(bytes.NewReader(printed))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return r, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return r, chinese.Command.Text("there is more after the object")
	}
	if r.Output == nil {
		return r, chinese.Command.Text(`"output" is missing`)
	}
	return r, nil
}

func (r jsonResult) output(directory string) (tool.Output, error) {
	out := tool.Output{Text: orderedjson.PlainText(r.Output)}
	if r.Details != nil {
		out.Details = r.Details
	}
	if len(r.Files) > maxFiles {
		return out, chinese.Command.Text("the program returned %d files; %d are allowed", len(r.Files), maxFiles)
	}
	for _, f := range r.Files {
		file, err := f.read(directory)
		if err != nil {
			return out, err
		}
		out.Files = append(out.Files, file)
	}
	return out, nil
}

// read returns the file with its content.
func (f jsonFile) read(directory string) (tool.File, error) {
	file := tool.File{Name: filepath.Base(cmp.Or(f.Name, f.Path)), Data: f.Data}
	if f.Path != "" {
		data, err := readBelow(directory, f.Path)
		if err != nil {
			return file, chinese.Command.Text("the program returned the file %q, which cannot be read: %v", f.Path, err)
		}
		file.Data = data
	} else if f.Name == "" {
		return file, chinese.Command.Text("the program returned a file without a name")
	}
	byName := mime.TypeByExtension(filepath.Ext(file.Name))
	file.MediaType = cmp.Or(f.MediaType, byName, http.DetectContentType(file.Data))
	return file, nil
}

// readBelow reads a regular file below directory, of at most maxFileBytes. It refuses a link that
// leaves the directory.
func readBelow(directory, name string) ([]byte, error) {
	root, err := os.OpenRoot(directory)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // after reading, an error of Close is harmless
	if filepath.IsAbs(name) {
		if relative, err := filepath.Rel(directory, name); err == nil {
			name = relative
		}
	}
	info, err := root.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, chinese.Command.Text("it is not a regular file")
	case info.Size() > maxFileBytes:
		return nil, chinese.Command.Text("it has %d bytes; %d are allowed", info.Size(), maxFileBytes)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err == nil && len(data) > maxFileBytes { // it has grown
		err = chinese.Command.Text("it has %d bytes; %d are allowed", len(data), maxFileBytes)
	}
	return data, err
}
