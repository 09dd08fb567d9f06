package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message/messagetest"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

func TestErrorsAreInTheLanguageOfTheLocale(t *testing.T) {
	const zh = "zh_CN.UTF-8"
	for _, tt := range []struct {
		name, locale string
		line         string // the command line, without "vcp"
		status       int
		want         string
	}{
		{
			"a flag that does not exist",
			zh, "chat --modle m", cli.ExitUsage, "没有标志 --modle；是否指 --mode 或 --model？（见 vcp chat --help）",
		},
		{
			"a value that is not allowed",
			zh, "chat --stats=xml", cli.ExitUsage, `--stats 为 "xml"；允许的值：none, table 或 json`,
		},
		{
			"a number out of range",
			zh, "chat --max-iterations 0", cli.ExitUsage, `--max-iterations 为 "0"；允许的值：1 到 1000 的整数`,
		},
		{"a model without a server", zh, "chat --model m hi", cli.ExitUsage, "但没有指定服务器"},
		{"a call that nobody can approve", zh, "call --approve ask clock_now", cli.ExitUsage, "标准输入不是终端"},
		{"a root that does not exist", zh, "tools --root missing", cli.ExitFailure, "--root 无法打开："},
		{"English for other locales", "fr_FR.UTF-8", "chat --model m hi", cli.ExitUsage, "no server is named"},
		{"--language wins in a chat", zh, "chat --language en --model m hi", cli.ExitUsage, "no server is named"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			i := invocation{args: words(t, tt.line), env: []string{"LC_ALL=" + tt.locale}}
			i.run(t).reported(t, tt.status, tt.want)
		})
	}
}

func TestEachTextOfTheCommandLineIsTranslated(t *testing.T) {
	directories, err := filepath.Glob("internal/*")
	require.NoError(t, err)
	// For each function or method, the index of the argument that must be translated.
	functions := map[string]int{"Message": 0, "Usagef": 0, "Valuef": 0}
	messagetest.CheckDirectories(t, append(directories, "."), chinese.CommandLine, functions)
}
