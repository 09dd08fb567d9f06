package vcpplugin

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/vcpgo/vcp/internal/poll"
)

// The files that this package reads in the folder of a plug-in.
const (
	manifestFile = "plugin-manifest.json"
	blockedFile  = manifestFile + ".block" // the manifest of a plug-in that is switched off
	configFile   = "config.env"
)

const (
	maxFolders = 5000 // limits the folders that are searched
	maxDepth   = 3    // limits how deep folders are nested
)

// folderStamp is a folder with a manifest. Its stamp is a text that changes with the files in it.
type folderStamp struct {
	path    string
	blocked bool
	stamp   string
}

// scanResult is the result of scan.
type scanResult struct {
	folders []folderStamp // sorted by path
	problem string        // why the list may be incomplete; "" if it is complete
	visited int           // how many folders were looked at
}

// String returns a text that changes whenever the result changes.
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
			s.problem = fmt.Sprintf("there are more than %d folders; the others are not read", maxFolders)
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

// pluginFolder reports whether a path is the folder of a plug-in.
func pluginFolder(path string) (f folderStamp, ok bool) {
	f = folderStamp{path: path}
	if _, err := os.Stat(filepath.Join(path, manifestFile)); err != nil {
		if _, err := os.Stat(filepath.Join(path, blockedFile)); err != nil {
			return f, false
		}
		f.blocked = true
	}
	file := manifestFile
	if f.blocked {
		file = blockedFile
	}
	f.stamp = poll.Stamp(filepath.Join(path, file)) + " " + poll.Stamp(filepath.Join(path, configFile))
	return f, true
}
