package conversation

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"

	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

const (
	// maxSameName limits the files with the same name in one directory. From the second on, the
	// name gets a number.
	maxSameName = 1000
	// maxStem and maxExtension limit the two parts of a file name, in bytes. Together with a number
	// they are within the limit of file systems, usually 255 bytes.
	maxStem, maxExtension = 100, 20
)

// FileSaver saves files of results, such as charts, in a directory. It overwrites nothing.
type FileSaver struct {
	Dir      string // made when the first file is saved; "" saves nothing
	Language string // of its reports
}

// save saves a file and returns its path.
func (s FileSaver) save(f tool.File) (string, error) {
	if err := os.MkdirAll(s.Dir, 0o777); err != nil {
		return "", err
	}
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return "", err
	}
	defer func() { _ = root.Close() }() // no data is lost: the file was closed before
	name := savedName(f.Name)
	ext := filepath.Ext(name)
	for n := 1; n <= maxSameName; n++ {
		try := name
		if n > 1 {
			try = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
		}
		file, err := root.OpenFile(try, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = file.Write(f.Data)
		return filepath.Join(s.Dir, try), errors.Join(err, file.Close())
	}
	return "", fmt.Errorf("%s has %d files of the name %s already", s.Dir, maxSameName, name)
}

// savedName makes a file name from the name that a tool gives. The result has no directory, is not
// hidden, and contains only characters that every system allows.
func savedName(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, text.Valid(name))
	if name = strings.Trim(name, " .-"); name == "" {
		name = "file"
	}
	ext := filepath.Ext(name)
	if len(ext) > maxExtension {
		ext = ""
	}
	return strings.TrimRight(text.Prefix(strings.TrimSuffix(name, ext), maxStem), " .") + ext
}

// Report saves a file, if there is a directory for it, and describes it in one line.
func (s FileSaver) Report(f tool.File) string {
	p, file := phrasesIn(s.Language), terminal.FileText(s.Language, f)
	if s.Dir == "" {
		return p.Say("%s; --save-files DIRECTORY saves it", file)
	}
	path, err := s.save(f)
	if err != nil {
		return p.Say("%s could not be saved: %s", file, terminal.Visible(err.Error()))
	}
	return p.Say("%s saved as %s", file, terminal.Visible(path))
}
