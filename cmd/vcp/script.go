package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/script"
)

// scriptWorker is the command that runs a script in a process of its own.
const scriptWorker = "script-worker"

// newScriptTool returns the tool script_run. Its calls go through the session of the conversation.
func newScriptTool() (tool.Tool, error) {
	program, err := os.Executable()
	if err != nil {
		return tool.Tool{}, err
	}
	return script.New(script.Options{
		Worker: []string{program, scriptWorker},
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

func newScriptWorker(std streams) *cobra.Command {
	return &cobra.Command{
		Use: scriptWorker, Short: "Run a script for another vcp process", Example: "  vcp " + scriptWorker, Hidden: true, Args: none,
		RunE: func(*cobra.Command, []string) error { return script.Serve(std.in, std.out) },
	}
}
