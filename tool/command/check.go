package command

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/process"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

// Report is what Check found in a file without mistakes.
type Report struct {
	Tools []tool.Tool
	// Warnings are what may keep a method from running on this machine, such as a program that is
	// not installed, in the order of the file.
	Warnings FileErrors
}

// Check reads a file as Load does, and looks for the programs and scripts that it names. It runs
// nothing.
func Check(path string) (Report, error) {
	r, tools, err := load(path)
	if err != nil {
		return Report{}, err
	}
	return Report{Tools: tools, Warnings: r.warnings}, nil
}

func (r *reader) warn(line int, field, format string, args ...any) {
	r.warnings = append(r.warnings, &FileError{Path: r.path, Line: line, Field: field, Reason: fmt.Sprintf(format, args...)})
}

// scripts are extensions of files that an interpreter is given.
var scripts = []string{".sh", ".bash", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".lua", ".ps1"}

// checkRun warns of a method that would not run here.
func (r *reader) checkRun(run *runner, method document.Value, path string) {
	v, path := method.Field("run"), path+".run"
	if info, err := os.Stat(run.directory); err != nil || !info.IsDir() {
		r.warn(v.Line, path, "the directory %s does not exist", run.directory)
		return
	}
	for i, a := range run.argv {
		line, field := v.Items[i].Line, fmt.Sprintf("%s[%d]", path, i)
		literal := len(a.parts) == 1 && a.parts[0].parameter == ""
		switch {
		case i == 0:
			if _, err := process.Program(a.parts[0].text, run.directory); err != nil {
				r.warn(line, field, "%v", err)
			}
		case literal && slices.Contains(scripts, strings.ToLower(filepath.Ext(a.parts[0].text))):
			script := a.parts[0].text
			if !filepath.IsAbs(script) {
				script = filepath.Join(run.directory, script)
			}
			if _, err := os.Stat(script); err != nil {
				r.warn(line, field, "the file %s does not exist", text.TruncateBytes(script, 200))
			}
		}
	}
}
