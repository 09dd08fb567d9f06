package vcpplugin

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/vcpgo/vcp/tool/internal/poll"
)

// The files that this package reads in the folder of a plug-in.
const (
	manifestFile = "plugin-manifest.json"
	blockedFile  = manifestFile + ".block" // the manifest of a plug-in that is switched off
	configFile   = "config.env"
)

const (
	maxFolders = 5000 // limits the directory entries that are examined: all that scan does not skip
	maxDepth   = 3    // limits how deep folders are nested
)

// folderStamp is the folder of a plug-in and the state of its files.
type folderStamp struct {
	path     string
	manifest string // the name of its manifest: manifestFile or blockedFile
	stamp    string // a text that changes when the manifest or config.env changes
}

// scanResult is the result of scan.
type scanResult struct {
	folders []folderStamp // in the order in which they were found
	problem string        // why the list is empty or may be incomplete; "" otherwise
	visited int           // directory entries that were examined
}

// String returns a text that changes whenever the folders or the problem change.
func (s scanResult) String() string { return fmt.Sprint(s.folders, s.problem) }

// scan searches a folder for plug-ins. It does not search inside the folder of a plug-in.
func scan(dir string) (found scanResult) {
	if f, ok := pluginFolder(dir); ok {
		return scanResult{folders: []folderStamp{f}}
	}
	if err := found.scan(dir, maxDepth); err != nil {
		return scanResult{problem: fmt.Sprintf("the folder cannot be read: %v", err)}
	}
	if len(found.folders) == 0 {
		found.problem = "there is no plug-in: no folder in it has a " + manifestFile
	}
	return found
}

// scan adds the plug-ins that are in a folder, up to depth folders below it.
func (s *scanResult) scan(dir string, depth int) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules" || e.Type().IsRegular() {
			continue
		}
		if s.visited++; s.visited > maxFolders {
			s.problem = fmt.Sprintf("there are more than %d folders; the rest is not read", maxFolders)
			return nil
		}
		path := filepath.Join(dir, e.Name())
		if f, ok := pluginFolder(path); ok {
			s.folders = append(s.folders, f)
		} else if depth > 1 && e.IsDir() {
			_ = s.scan(path, depth-1) // a folder that cannot be read counts as empty
		}
	}
	return nil
}

// pluginFolder returns the state of the folder at path. ok is false if the folder has no manifest.
func pluginFolder(path string) (f folderStamp, ok bool) {
	for _, name := range []string{manifestFile, blockedFile} {
		manifest := filepath.Join(path, name)
		if _, err := os.Stat(manifest); err == nil {
			stamp := poll.Stamp(manifest) + " " + poll.Stamp(filepath.Join(path, configFile))
			return folderStamp{path, name, stamp}, true
		}
	}
	return folderStamp{}, false
}
