package conversation

import (
	"encoding/json"
	"io"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/tool"
)

// eventWriter writes events as lines of JSON, one for each event.
type eventWriter struct {
	out      io.Writer
	saveFile func(tool.File) // saves the files of results; nil saves none
	err      error           // the first error; after it nothing is written
}

func (w *eventWriter) write(e engine.Event) {
	if e.Result != nil && w.saveFile != nil {
		for _, f := range e.Result.Files {
			w.saveFile(f)
		}
	}
	if w.err != nil || e.Kind == 0 { // the zero Event comes with the error of a turn that did not begin
		return
	}
	line, err := json.Marshal(e)
	if err == nil {
		_, err = w.out.Write(append(line, '\n'))
	}
	w.err = err
}
