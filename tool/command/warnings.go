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
)

// checkRequired warns of parameters that a schema requires and does not declare, because a model
// does not know what they are. It does not check alternatives, such as those of anyOf.
func (r *reader) checkRequired(v document.Value, path string) {
	if v.Kind != document.Mapping || v.Field("$ref").Kind != document.Null {
		return
	}
	properties := v.Field("properties")
	var declared []string
	for _, f := range properties.Fields {
		declared = append(declared, f.Name)
		r.checkRequired(f.Value, path+".properties."+f.Name)
	}
	for i, item := range v.Field("required").Items {
		if item.Kind != document.String || slices.Contains(declared, item.Text) {
			continue
		}
		hint := "declare it in properties, or remove it here"
		if near := text.Nearest(item.Text, declared); len(near) > 0 {
			hint = "did you mean " + near[0] + "?"
		}
		r.warn(item.Line, fmt.Sprintf("%s.required[%d]", path, i), "%q is required and not declared; %s",
			text.TruncateBytes(item.Text, maxShownName), hint)
	}
	r.checkRequired(v.Field("items"), path+".items")
}

// scriptExtensions are extensions of files that an interpreter runs.
var scriptExtensions = []string{".sh", ".bash", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".lua", ".ps1"}

// checkRun warns of a method that cannot run on this machine.
func (r *reader) checkRun(run *runner, path string) {
	if info, err := os.Stat(run.directory); err != nil || !info.IsDir() {
		r.warn(r.line(path), path, "the directory %s does not exist", run.directory)
		return
	}
	for i, a := range run.argv {
		field := fmt.Sprintf("%s[%d]", path, i)
		line := r.line(field)
		literal := len(a.parts) == 1 && a.parts[0].parameter == ""
		switch {
		case i == 0:
			if _, err := process.Program(a.parts[0].text, run.directory); err != nil {
				r.warn(line, field, "%v", err)
			}
		case literal && slices.Contains(scriptExtensions, strings.ToLower(filepath.Ext(a.parts[0].text))):
			script := process.Path(a.parts[0].text, run.directory)
			if _, err := os.Stat(script); err != nil {
				r.warn(line, field, "the file %s does not exist", text.TruncateBytes(script, maxShownPath))
			}
		}
	}
}
