package conversation

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/engine"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

// statsForm is the form of the statistics at the end of a chat.
type statsForm uint8

const (
	statsNone statsForm = iota
	statsTable
	statsJSON
)

func statsOptions() []cli.Option[statsForm] {
	return []cli.Option[statsForm]{
		{Name: "none", Value: statsNone}, {Name: "table", Value: statsTable}, {Name: "json", Value: statsJSON},
	}
}

// writeStats writes the statistics. It ignores errors of the output, because the chat is over.
func (p phrases) writeStats(w io.Writer, form statsForm, s engine.Stats) {
	switch form {
	case statsTable:
		fmt.Fprint(w, p.statsText(s))
	case statsJSON:
		_ = cli.WriteJSONLine(w, s)
	case statsNone:
	}
}

// statsText returns the statistics as a table: the name, the value, and an explanation.
func (p phrases) statsText(s engine.Stats) string {
	var t terminal.Table
	replies := p.Say("in %d replies", s.Replies)
	if s.Replies == 1 {
		replies = p.Say("in one reply")
	}
	succeeded := p.Say("%d of %d calls", s.Succeeded, s.Calls)
	if len(s.Errors) > 0 {
		succeeded += p.Say("; %s", countsText(s.Errors))
	}
	t.Row(p.Say("tool calls"), strconv.Itoa(s.Calls), replies)
	t.Row(p.Say("success rate"), percent(s.SuccessRate()), succeeded)
	t.Row(p.Say("argument accuracy"), percent(s.ArgumentAccuracy()),
		p.Say("%d of %d calls of a known method", s.ValidArguments, s.Checked))
	t.Row(p.Say("unknown names"), percent(s.UnknownNameRate()),
		p.Say("%d of %d calls that could be read", s.UnknownNames, s.Calls-s.Malformed))
	t.Row(p.Say("invented arguments"), strconv.Itoa(s.InventedArguments))
	t.Row(p.Say("self-correction"), percent(s.SelfCorrectionRate()),
		p.Say("%d of %d mistakes corrected in the next reply", s.Corrected, s.Mistakes))
	if l := s.Latency; l.Count > 0 {
		shown := terminal.DurationText
		t.Row(p.Say("latency"), shown(l.Mean()), p.Say("mean; half within %s, 95 %% within %s, at most %s",
			shown(l.Quantile(0.5)), shown(l.Quantile(0.95)), shown(l.Max)))
	}
	t.Row(p.Say("results"), count(int(s.Tokens), "%d token").In(p.language),
		p.Say("estimated; %d of %d bytes, %d excerpted, %d summarized", s.Bytes, s.RawBytes, s.Excerpted, s.Summarized))
	t.Row(p.Say("repairs"), strconv.Itoa(sum(s.Repairs)), countsText(s.Repairs))
	return t.String()
}

// percent writes a rate in percent, or "-" if it is NaN.
func percent(rate float64) string {
	if math.IsNaN(rate) {
		return "-"
	}
	return strconv.FormatFloat(100*rate, 'f', 0, 64) + " %"
}

// countsText lists counts, the highest first: "3 timeout, 1 canceled".
func countsText(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = fmt.Sprintf("%d %s", counts[name], name)
	}
	return strings.Join(parts, ", ")
}

func sum(counts map[string]int) (n int) {
	for _, count := range counts {
		n += count
	}
	return n
}
