package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/vcpgo/vcp/internal/document"
)

// FilePins are Pins in a file that only its owner can read. Each line is blank or a JSON object
// with one Pin: the hashes of a tool's definition. Several processes may use one file. Lines are
// only added. The pin of a tool is its last line with "accepted", or if no line has that, its first
// line. If a line is damaged, See fails for every server until the line is removed. FilePins are
// safe for concurrent use.
type FilePins struct {
	path string
	mu   sync.Mutex // held while the file is read or written
}

var _ Pins = (*FilePins)(nil)

// NewFilePins returns the pins in the file with the given path. The first record creates the file
// and its directory.
func NewFilePins(path string) *FilePins { return &FilePins{path: path} }

// maxPinFile limits the file, in bytes. A line has about 300 bytes.
const maxPinFile = 32 << 20

// PinFileError is the error for a file of pins that cannot be read or written.
type PinFileError struct {
	Path string
	Line int // the first line that is not a record; 0 if Err concerns the whole file
	Err  error
}

func (e *PinFileError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d of %s is not a record of a definition (%v); "+
			"remove the line, or the file to record all definitions anew", e.Line, e.Path, e.Err)
	}
	return fmt.Sprintf("the file of known definitions cannot be used: %v", e.Err)
}

// Unwrap returns Err.
func (e *PinFileError) Unwrap() error { return e.Err }

// See implements Pins: it records the pins of tools without one, and returns the recorded pins of
// all tools in seen. The error is a *PinFileError, or says that the server has offered too many
// names.
func (f *FilePins) See(server string, seen map[string]Pin) (map[string]Pin, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all, err := f.read()
	if err != nil {
		return nil, err
	}
	names, tooMany := all.missing(server, seen)
	if len(names) == 0 {
		return all.of(server, seen), tooMany
	}
	var records []pinRecord
	for _, name := range names {
		records = append(records, pinRecord{Server: server, Tool: name, Pin: seen[name]})
	}
	if err := f.write(records...); err != nil {
		return all.of(server, seen), err
	}
	// Another process may have written its record first, and the first record counts.
	if all, err = f.read(); err != nil {
		return nil, err
	}
	return all.of(server, seen), tooMany
}

// Accept implements Pins: it records that a person has accepted pin. The error is a *PinFileError.
func (f *FilePins) Accept(server, name string, pin Pin) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.read(); err != nil { // a record in a file that cannot be read would not count
		return err
	}
	return f.write(pinRecord{Server: server, Tool: name, Accepted: true, Pin: pin})
}

// read returns the pins in the file.
func (f *FilePins) read() (pinTable, error) {
	data, err := document.ReadFile(f.path, maxPinFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // without a file there are no pins
	}
	if err != nil {
		return nil, &PinFileError{Path: f.path, Err: err}
	}
	var all pinTable
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var r pinRecord
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&r); err != nil {
			return nil, &PinFileError{Path: f.path, Line: n, Err: err}
		}
		if r.Server == "" || r.Tool == "" || r.Description == "" {
			return nil, &PinFileError{Path: f.path, Line: n, Err: errors.New("server, tool or description is missing")}
		}
		all.add(r)
	}
	return all, nil
}

// write adds records to the file. All of them are one write, so that records of other processes
// cannot come between them. The text begins with a line break, in case the last write was
// interrupted.
func (f *FilePins) write(records ...pinRecord) (err error) {
	defer func() {
		if err != nil {
			err = &PinFileError{Path: f.path, Err: err}
		}
	}()
	text := []byte("\n")
	for i := range records {
		line, err := json.Marshal(&records[i])
		if err != nil {
			return err
		}
		text = append(append(text, line...), '\n')
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return err
	}
	file, err := document.OpenPrivate(f.path, os.O_APPEND|os.O_WRONLY)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return cmp.Or(err, file.Close())
}
