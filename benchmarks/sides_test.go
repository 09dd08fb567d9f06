package benchmarks

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"time"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// The texts of all sides.
const (
	question = "Where is it sunny?"
	preamble = "Let me see. " // before each call
	answer   = "It is sunny in all of them."
	toolName = "weather_now"
	toolDoc  = "Returns the weather of a city."
)

// cities are the arguments of the calls. They differ because the engine ends a run that repeats
// its calls.
var cities = [...]string{"Turin", "Milan", "Genoa", "Padua", "Udine", "Siena", "Lucca", "Parma"}

// weathers are the tool's results.
var weathers = func() map[string]string {
	m := map[string]string{}
	for _, city := range cities {
		m[city] = "sunny in " + city
	}
	return m
}()

type weatherInput struct {
	City string `json:"city"`
}

// weather is the tool of all sides.
func weather(_ context.Context, in weatherInput) (string, error) {
	text := weathers[in.City]
	if text == "" {
		return "", fmt.Errorf("no weather of %q", in.City)
	}
	return text, nil
}

// A side answers the question with a number of calls of the tool, one per reply, and returns the
// last reply.
type side struct {
	name string
	run  func(ctx context.Context) (string, error)
}

// sides returns all sides, each with what an application sets up once, at its start.
func sides(ctx context.Context, calls int) ([]side, error) {
	makers := []struct {
		name string
		make func(ctx context.Context, calls int) (func(context.Context) (string, error), error)
	}{{"floor", newFloor}, {"vcp", newVCP}, {"react", newReact}, {"react-stream", newReactStream}, {"adk", newADK}}
	list := make([]side, len(makers))
	for i, m := range makers {
		run, err := m.make(ctx, calls)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		list[i] = side{m.name, run}
	}
	return list, nil
}

// requestingReplies returns replies in the VCP protocol, each with one request of the tool.
func requestingReplies(calls int) ([]string, error) {
	list := make([]string, calls)
	for i := range list {
		block, err := vcp.Protocol{}.FormatToolRequests([]protocol.ToolRequest{{
			ToolName: toolName, Arguments: []protocol.Argument{{Name: "city", Value: cities[i]}},
		}})
		if err != nil {
			return nil, err
		}
		list[i] = preamble + block
	}
	return list, nil
}

// newFloor does only the minimum: it parses each reply, and calls the function on a goroutine with
// a deadline.
func newFloor(_ context.Context, calls int) (func(context.Context) (string, error), error) {
	texts, err := requestingReplies(calls)
	if err != nil {
		return nil, err
	}
	call := func(ctx context.Context, city string) error {
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		done := make(chan error, 1)
		go func() {
			_, err := weather(ctx, weatherInput{City: city})
			done <- err
		}()
		select {
		case err := <-done:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return func(ctx context.Context) (string, error) {
		for _, text := range texts {
			reply, err := parser.ParseToolRequests(vcp.Protocol{}, text, parser.Options{Finish: protocol.FinishStop})
			if err != nil {
				return "", err
			}
			if err := call(ctx, reply.Requests[0].Arguments[0].Value); err != nil {
				return "", err
			}
		}
		reply, err := parser.ParseToolRequests(vcp.Protocol{}, answer, parser.Options{Finish: protocol.FinishStop})
		return reply.Text.String(), err
	}, nil
}

// textModel is an engine.Model that writes replies, one after the other, and then answer.
type textModel struct{ replies []string }

func (m textModel) Stream(_ context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		text := answer
		// The prompt and the question come first, and each call adds two messages.
		if done := (len(req.Messages) - 2) / 2; done < len(m.replies) {
			text = m.replies[done]
		}
		yield(engine.Delta{Text: text, Finished: true, Finish: protocol.FinishStop}, nil)
	}
}

// newVCP is the engine with its default configuration, and a new conversation for each question.
func newVCP(_ context.Context, calls int) (func(context.Context) (string, error), error) {
	texts, err := requestingReplies(calls)
	if err != nil {
		return nil, err
	}
	method, err := tool.New("now", toolDoc, weather, tool.AgentCallable(), tool.WithRisk(tool.RiskRead))
	if err != nil {
		return nil, err
	}
	registry := tool.NewRegistry()
	if err := registry.Register(tool.Tool{ID: "weather", Methods: []tool.Method{method}}); err != nil {
		return nil, err
	}
	e, err := engine.New(engine.Options{
		Registry: registry, Protocols: []protocol.Protocol{vcp.Protocol{}}, Model: textModel{texts}, Config: engine.DefaultConfig(),
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (string, error) {
		lastReply := ""
		messages := []protocol.Message{{Role: protocol.RoleUser, Content: question}}
		for ev, err := range e.NewSession("benchmark").Run(ctx, messages) {
			if err != nil {
				return "", err
			}
			if ev.Kind == engine.EventIterationDone {
				lastReply = ev.Iteration.Reply.Text.String()
			}
		}
		return lastReply, nil
	}, nil
}
