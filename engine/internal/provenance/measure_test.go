package provenance_test

import (
	"context"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/engine/internal/injectiontest"
	"github.com/vcpgo/vcp/engine/internal/provenance"
	"github.com/vcpgo/vcp/eval"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/weakmodel"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// TestUnracedDetectionRatesAreDocumented counts the calls that two rules find: the rule of a
// Memory, and a simple rule that compares raw shingles. It compares the numbers with the table in
// docs/security.md. A cell of the table contains one number, or one for each protocol.
func TestUnracedDetectionRatesAreDocumented(t *testing.T) {
	longtest.SkipIfRaced(t)
	document, err := os.ReadFile("../../../docs/security.md")
	require.NoError(t, err)
	attacks := injectiontest.Read(t, "../../../testdata/injection/payloads.txt")
	// An obedient model does what foreign text tells it to do.
	ordinary, obedient := readConversations(t, "testdata/ordinary.yaml"), readConversations(t, "testdata/attacks.yaml")
	require.GreaterOrEqual(t, len(ordinary), 40, "too few conversations to measure false alarms")
	for _, measured := range []struct {
		what  string
		count func(*testing.T, protocol.Protocol) tally
	}{
		{fmt.Sprintf("%d ordinary conversations, English and Chinese", len(ordinary)), inConversations(ordinary)},
		{"the tasks of `testdata/eval/suite.yaml`, without mistakes", inSuite},
		{fmt.Sprintf("%d conversations with an obedient model, English and Chinese", len(obedient)), inConversations(obedient)},
		{"`testdata/injection`: each request as it stands", inCorpus(attacks, "")},
		{"`testdata/injection`: one value longer by two bytes", inCorpus(attacks, "12")},
		{"`testdata/injection`: one value longer by 2 KiB", inCorpus(attacks, strings.Repeat(" and more", 2<<10/len(" and more")))},
	} {
		var counts [4][]string
		for _, p := range protocols {
			n := measured.count(t, p)
			for i, count := range []int{n.calls, n.found, n.raw, n.onlyRaw} {
				counts[i] = append(counts[i], fmt.Sprint(count))
			}
		}
		row := "| " + measured.what + " |"
		for _, cell := range counts {
			row += " " + strings.Join(compact(cell), " / ") + " |"
		}
		if !strings.Contains(string(document), row+"\n") {
			t.Errorf("docs/security.md lacks the row\n%s", row)
		}
	}
}

// compact returns the numbers of a cell, or only one if they are all equal.
func compact(cell []string) []string {
	if len(slices.Compact(slices.Clone(cell))) == 1 {
		return cell[:1]
	}
	return cell
}

// tally counts calls, and how many of them each rule finds in foreign text.
type tally struct {
	calls   int
	found   int // by the Memory
	raw     int // by the rule of raw shingles
	onlyRaw int // by the rule of raw shingles, but not by the Memory
}

// reader compares calls with what a model has read.
type reader struct {
	memory     *provenance.Memory
	foreignRaw map[string]bool // the raw shingles of foreign text
	protocol   protocol.Protocol
	tally
}

func newReader(p protocol.Protocol, user string) *reader {
	m := provenance.New(provenance.Options{ // each method has the name that the request uses
		Protocols: protocols,
		Identify:  func(req protocol.ToolRequest) (string, bool) { return identify(req), true },
		Resolve:   func(req protocol.ToolRequest) (protocol.ToolRequest, bool) { return req, true },
	})
	m.SetLive(user)
	return &reader{memory: m, foreignRaw: map[string]bool{}, protocol: p}
}

func (r *reader) read(text string) {
	r.memory.AddForeign(page, text)
	for shingle := range rawShingles(text) {
		r.foreignRaw[shingle] = true
	}
}

// call counts a call that the model makes; written is the text of its request.
func (r *reader) call(req protocol.ToolRequest, written string) {
	r.calls++
	_, found := copied(r.memory, req)
	if found {
		r.found++
	}
	if r.rawFinds(written) {
		r.raw++
		if !found {
			r.onlyRaw++
		}
	}
}

// rawFinds reports whether foreign text contains 80 % of the raw shingles of a request.
func (r *reader) rawFinds(written string) bool {
	all, found := 0, 0
	for shingle := range rawShingles(written) {
		all++
		if r.foreignRaw[shingle] {
			found++
		}
	}
	return all > 0 && found*100 >= all*80
}

// rawShingles yields all strings of 16 bytes in a text.
func rawShingles(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := 0; i+16 <= len(text); i++ {
			if !yield(text[i : i+16]) {
				return
			}
		}
	}
}

func (t *tally) add(other tally) {
	t.calls, t.found, t.raw, t.onlyRaw = t.calls+other.calls, t.found+other.found, t.raw+other.raw, t.onlyRaw+other.onlyRaw
}

// inConversations returns a function that counts the calls of the conversations.
func inConversations(list []conversation) func(*testing.T, protocol.Protocol) tally {
	return func(_ *testing.T, p protocol.Protocol) (sum tally) {
		for i := range list {
			r := newReader(p, list[i].User)
			for j := range list[i].Steps {
				step := &list[i].Steps[j]
				r.read(step.Read)
				for _, req := range step.requests() {
					r.call(req, written(p, req))
				}
			}
			sum.add(r.tally)
		}
		return sum
	}
}

// inCorpus returns a function that counts one call for each attack: the first request in it that
// the protocol can write, with an addition to its first value.
func inCorpus(attacks []injectiontest.Attack, addition string) func(*testing.T, protocol.Protocol) tally {
	return func(t *testing.T, p protocol.Protocol) (sum tally) {
		for i := range attacks {
			for _, req := range attacks[i].Requests(t, protocols) {
				req.Arguments = slices.Clone(req.Arguments)
				if len(req.Arguments) > 0 {
					req.Arguments[0].Value += addition
				} else if addition != "" {
					continue
				}
				text, err := p.FormatToolRequests([]protocol.ToolRequest{req})
				if err != nil {
					continue
				}
				r := newReader(p, "")
				r.read(attacks[i].Text)
				r.call(req, text)
				sum.add(r.tally)
				break
			}
		}
		return sum
	}
}

// inSuite counts the calls with which a rule-based model solves the tasks of the suite.
func inSuite(t *testing.T, p protocol.Protocol) (sum tally) {
	suite, err := eval.LoadSuite("../../../testdata/eval/suite.yaml")
	require.NoError(t, err)
	for i := range suite.Tasks {
		task := &suite.Tasks[i]
		m := &listener{Model: weakmodel.New(task, p, weakmodel.None, 1), t: t, reader: newReader(p, task.User)}
		_, err := task.Run(t.Context(), eval.Variant{Model: m, Protocol: p})
		require.NoError(t, err)
		sum.add(m.reader.tally)
	}
	return sum
}

// listener is a model whose calls are compared with the results that it is shown.
type listener struct {
	*weakmodel.Model
	t      *testing.T
	reader *reader
	shown  int // how many messages the model was shown so far
}

func (l *listener) Stream(ctx context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	p := l.reader.protocol
	for _, m := range req.Messages[l.shown:] {
		if m.Role == protocol.RoleUser && l.shown > 0 { // the first message of the user is the task
			results, err := p.(protocol.Reader).ParseToolResults(m.Content)
			require.NoError(l.t, err)
			for _, r := range results {
				l.reader.read(r.Result)
			}
		}
	}
	l.shown = len(req.Messages)
	return func(yield func(engine.Delta, error) bool) {
		var text strings.Builder
		for d, err := range l.Model.Stream(ctx, req) {
			text.WriteString(d.Text)
			if !yield(d, err) {
				break
			}
		}
		reply, err := parser.ParseToolRequests(p, text.String(), parser.Options{Finish: protocol.FinishStop})
		require.NoError(l.t, err)
		for _, q := range reply.Requests {
			l.reader.call(q.ToolRequest, q.RawBlock)
		}
	}
}
