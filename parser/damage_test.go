package parser_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// The damage benchmark reads clean messages with known requests, damaged by text edits, at the
// three levels. Its table counts the damaged requests: recovered exactly, refused with a reason, or
// lost silently. It also counts wrong ones: ready requests that were not meant. START and END are
// the start mark and the end mark of a request, as in docs/dialect.md.

// draws is how many messages are drawn for each damage; some messages do not allow it. The tables
// of docs/benchmarks.md come from the long suite.
func draws() int { return longtest.Count(60, 300) }

// outcome is what is expected of the damaged requests at one level.
type outcome struct {
	kind    string   // "recovered", "refused", or "either" of the two
	reasons []string // the allowed reasons for a refusal; none means any
}

var recovered = outcome{kind: "recovered"}

func refused(reasons ...string) outcome { return outcome{"refused", reasons} }

func either(reasons ...string) outcome { return outcome{"either", reasons} }

// damage is one row of the table: an edit of a clean message, and the expected outcomes.
type damage struct {
	name                 string
	rows                 string // rows of the protocol's page, such as docs/dialect.md
	strict, safe, greedy outcome
	// doubtsOthers says that the damage also casts doubt on other requests of the message.
	doubtsOthers bool
	// do damages the message. It returns false if the message does not allow the damage.
	do func(d *damaged) bool
}

// tally counts the outcomes of the requests for one damage at one level.
type tally struct {
	recovered, refused, lost          int // damaged requests
	beside, besideRefused, besideLost int // undamaged requests: recovered, refused and lost
	wrong                             int // ready requests that were not meant
	reasons                           map[string]int
	example                           map[string]string
}

// note keeps the shortest input as the example of an outcome.
func (a *tally) note(what, input string) {
	if old, ok := a.example[what]; !ok || len(input) < len(old) {
		a.example[what] = input
	}
}

// run reads a damaged message at one level and counts the outcomes.
func (a *tally) run(t testing.TB, d *damaged, text string, spans []parser.Span, level scan.Tolerance) {
	t.Helper()
	reply := parse(t, d.proto, text, parser.Options{Tolerance: level, Finish: d.finish})
	ready := reply.Ready()
	for i := range d.blocks {
		n := slices.IndexFunc(ready, func(q parser.Request) bool { return sameRequest(q.ToolRequest, d.meant[i]) })
		if n >= 0 && !d.barred[i] {
			ready = slices.Delete(ready, n, n+1)
			if d.hit[i] {
				a.recovered++
			} else {
				a.beside++
			}
			continue
		}
		if d.gone[i] {
			continue
		}
		reason := whyNot(&reply, spans[i])
		switch {
		case d.hit[i] && reason == "":
			a.lost++
			a.note("lost", text)
		case d.hit[i]:
			a.refused++
			a.reasons[reason]++
			a.note(reason, text)
		case reason == "":
			a.besideLost++
			a.note("beside lost", text)
		default:
			a.besideRefused++
			a.note("beside "+reason, text)
		}
	}
	if len(ready) > 0 {
		a.wrong += len(ready)
		a.note("wrong", text)
	}
}

// sameRequest reports whether two requests are equal except for the order of the arguments.
func sameRequest(a, b protocol.ToolRequest) bool {
	byName := func(x, y protocol.Argument) int { return cmp.Compare(x.Name, y.Name) }
	sorted := func(r protocol.ToolRequest) []protocol.Argument {
		return slices.SortedFunc(slices.Values(r.Arguments), byName)
	}
	return a.ToolName == b.ToolName && a.Command == b.Command && a.Label == b.Label && slices.Equal(sorted(a), sorted(b))
}

// whyNot returns the reason why no request at a place is ready, or "" if the reply gives none. The
// error of a request that overlaps the place counts: the model learns of it.
func whyNot(r *parser.Reply, at parser.Span) string {
	overlaps := func(s parser.Span) bool { return s.Start < at.End && at.Start < s.End }
	for _, q := range r.Requests {
		if q.Status == parser.StatusReady || !overlaps(q.Span) {
			continue
		}
		if q.Err != nil {
			return string(q.Err.Code)
		}
		return string(q.Status)
	}
	for _, d := range r.Dropped {
		if overlaps(d.Span) {
			return string(d.Reason)
		}
	}
	for _, n := range r.Notices {
		if overlaps(n.Span) {
			return string(n.Code)
		}
	}
	return ""
}

func TestDamagedRequestsHaveTheExpectedOutcome(t *testing.T) {
	for _, s := range subjects {
		t.Run(s.proto.ID(), func(t *testing.T) { checkDamages(t, s) })
	}
}

func checkDamages(t *testing.T, s subject) {
	var table strings.Builder
	table.WriteString("| damage | rows | tried | strict: ok / refused / lost / wrong | safe | greedy | safe, of the others | safe refuses with |\n")
	table.WriteString("|---|---|---|---|---|---|---|---|\n")
	for n, x := range s.damages {
		tallies := map[scan.Tolerance]*tally{}
		for _, level := range levels {
			tallies[level] = &tally{reasons: map[string]int{}, example: map[string]string{}}
		}
		rnd := rand.New(rand.NewPCG(uint64(n), 20))
		tried := 0
		for range draws() {
			d := newDamaged(t, rnd, s)
			if !x.do(d) {
				continue
			}
			tried++
			text, spans := d.apply()
			for _, level := range levels {
				tallies[level].run(t, d, text, spans, level)
			}
		}
		writeRow(&table, x, tried, tallies)
		t.Run(x.name, func(t *testing.T) {
			if tried < draws()/20 { // the counts of fewer messages say little
				t.Errorf("only %d of %d messages allow the damage", tried, draws())
			}
			x.strict.check(t, x, scan.Strict, tallies[scan.Strict])
			x.safe.check(t, x, scan.Safe, tallies[scan.Safe])
			x.greedy.check(t, x, scan.Greedy, tallies[scan.Greedy])
		})
	}
	t.Logf("%d damages, %d messages each\n%s", len(s.damages), draws(), &table)
}

func writeRow(w *strings.Builder, x damage, tried int, tallies map[scan.Tolerance]*tally) {
	fmt.Fprintf(w, "| %s | %s | %d |", x.name, x.rows, tried)
	for _, level := range levels {
		a := tallies[level]
		fmt.Fprintf(w, " %d / %d / %d / %d |", a.recovered, a.refused, a.lost, a.wrong)
	}
	a := tallies[scan.Safe]
	fmt.Fprintf(w, " %d / %d / %d |", a.beside, a.besideRefused, a.besideLost)
	byCount := func(x, y string) int { return cmp.Compare(a.reasons[y], a.reasons[x]) }
	for i, reason := range slices.SortedFunc(maps.Keys(a.reasons), byCount) {
		if i > 0 {
			w.WriteString(",")
		}
		fmt.Fprintf(w, " %s %d", reason, a.reasons[reason])
	}
	w.WriteString(" |\n")
}

// check compares the counts with the expected outcome. At strict and safe no request is wrong or
// lost, and undamaged requests are refused only if x.doubtsOthers is set. "recovered" expects that
// all damaged requests are recovered, and "refused" that none is. The reasons for a refusal are
// among the expected ones.
func (o outcome) check(t *testing.T, x damage, level scan.Tolerance, a *tally) {
	t.Helper()
	all := a.recovered + a.refused + a.lost
	if level != scan.Greedy {
		if a.wrong > 0 {
			t.Errorf("%v: %d ready requests were not meant, as in %q", level, a.wrong, a.example["wrong"])
		}
		if a.lost > 0 {
			t.Errorf("%v: %d of %d damaged requests are lost silently, as in %q", level, a.lost, all, a.example["lost"])
		}
		if a.besideLost > 0 {
			t.Errorf("%v: %d undamaged requests are lost silently, as in %q", level, a.besideLost, a.example["beside lost"])
		}
		if a.besideRefused > 0 && !x.doubtsOthers {
			t.Errorf("%v: %d undamaged requests are refused, as in %v", level, a.besideRefused, a.example)
		}
	}
	switch o.kind {
	case "recovered":
		if a.refused+a.lost > 0 {
			t.Errorf("%v: %d of %d damaged requests are not recovered, for the reasons %v, as in %q",
				level, a.refused+a.lost, all, a.reasons, a.example)
		}
	case "refused":
		if a.recovered > 0 {
			t.Errorf("%v: %d of %d damaged requests are recovered, want all refused", level, a.recovered, all)
		}
	}
	if len(o.reasons) == 0 {
		return
	}
	for reason, count := range a.reasons {
		if !slices.Contains(o.reasons, reason) {
			t.Errorf("%v: %d requests are refused with %s, want one of %v, as in %q",
				level, count, reason, o.reasons, a.example[reason])
		}
	}
}
