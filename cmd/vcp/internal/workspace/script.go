package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"os"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/script"
)

// ScriptWorker is the command that runs a script in a process of its own.
const ScriptWorker = "script-worker"

// NewScriptTool returns the tool script_run. Its calls go through the session of the conversation.
func NewScriptTool() (tool.Tool, error) {
	program, err := os.Executable()
	if err != nil {
		return tool.Tool{}, err
	}
	return script.New(script.Options{
		Worker: []string{program, ScriptWorker},
		Methods: func(ctx context.Context) (names []string) {
			if s := engine.SessionFrom(ctx); s != nil {
				for _, e := range s.Methods() {
					names = append(names, e.FullName)
				}
			}
			return names
		},
		Call: func(ctx context.Context, outer *tool.Call, method string, arguments json.RawMessage) (string, error) {
			s := engine.SessionFrom(ctx)
			if s == nil {
				return "", errors.New("a script can call methods only in a conversation")
			}
			return s.CallWithin(ctx, outer, method, arguments)
		},
	})
}
