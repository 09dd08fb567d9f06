//go:build unix

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/internal/modelserver"
)

func TestCtrlDQuits(t *testing.T) {
	s := modelserver.Start(t, modelserver.Text("Hello."), modelserver.Text(request(t, "clock_now")),
		modelserver.Text("Late."))
	p := talk(t, s, invocation{})
	p.expect("scripted at " + s.URL)
	p.expect("Ctrl-C stops an answer")
	p.says("hi", "Hello.")
	p.expect("> ")
	p.types("\r") // an empty message
	p.says("and the time?", "clock_now")
	p.expect("ok")
	p.expect("Late.")
	p.quits()
	sent := s.Requests()
	require.Len(t, sent, 3)
	require.Equal(t, "and the time?", sent[1].Last())
	require.Len(t, sent[1].Messages, 4)
}

func TestCtrlCStopsTheAnswer(t *testing.T) {
	s := modelserver.Start(t, modelserver.Stalled("Once upon a time"), modelserver.Text("Well then."))
	p := talk(t, s, invocation{})
	p.says("a story", "upon a")
	p.types(ctrlC)
	p.expect("stopped by Ctrl-C")
	p.says("hello?", "Well then.")
	p.expect("> ")
	p.types(ctrlC)
	p.expect("once more quits")
	p.expect("> ")
	p.types("not now") // typed but not sent, so the next Ctrl-C still counts as the second one
	p.types(ctrlC)
	p.exits(cli.ExitOK)
}

func TestCtrlCTwiceQuits(t *testing.T) {
	s := modelserver.Start(t, modelserver.Stalled("Once upon a time"))
	p := talk(t, s, invocation{})
	p.says("a story", "upon a")
	p.types(ctrlC)
	p.expect("> ")
	p.types(ctrlC)
	p.exits(cli.ExitOK)
}

func TestMessageResetsCtrlC(t *testing.T) {
	s := modelserver.Start(t, modelserver.Text("Hello."))
	p := talk(t, s, invocation{})
	p.expect("> ")
	p.types(ctrlC)
	p.expect("once more quits")
	p.says("hi", "Hello.")
	p.expect("> ")
	p.types(ctrlC)
	p.expect("once more quits")
	p.quits()
}

func TestCtrlCEndsAChatWithOneMessage(t *testing.T) {
	s := modelserver.Start(t, modelserver.Stalled("Once upon a time"))
	p := talk(t, s, invocation{args: []string{"a story"}})
	p.expect("upon a")
	p.types(ctrlC)
	p.expect("vcp chat: stopped by Ctrl-C")
	p.exits(cli.ExitFailure)
}

func TestCtrlCTwiceQuitsOnAPlainTerminal(t *testing.T) {
	s := modelserver.Start(t, modelserver.Stalled("Once upon a time"))
	p := talk(t, s, invocation{env: []string{"TERM=dumb"}})
	p.expect("> ")
	p.types("a story\n")
	p.expect("upon a")
	p.types(ctrlC)
	p.expect("stopped by Ctrl-C")
	p.expect("> ")
	p.types(ctrlC)
	p.exits(cli.ExitOK)
}

func TestTheDemoModelServesUntilCtrlC(t *testing.T) {
	p := atTerminal(t, invocation{args: []string{"demo-model"}})
	p.expect("The demo model vcp-demo-planner, a small rule-based planner, serves at ")
	p.expect("/v1")
	_, url, _ := strings.Cut(p.shown(), "serves at ")
	o := invocation{args: []string{"chat", "--base-url", strings.TrimSpace(url), "What is 17*23?"}}.run(t)
	o.succeeded(t)
	require.Contains(t, o.stdout, "391")
	p.types(ctrlC)
	p.exits(cli.ExitOK)
}
