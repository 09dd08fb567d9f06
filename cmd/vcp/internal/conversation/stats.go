package conversation

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

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
	return []cli.Option[statsForm]{{Name: "none", Value: statsNone}, {Name: "table", Value: statsTable}, {Name: "json", Value: statsJSON}}
}

// writeStats writes the statistics. It ignores errors of the output, because the chat is over.
func writeStats(w io.Writer, form statsForm, f engine.Stats) {
	switch form {
	case statsTable:
		fmt.Fprint(w, statsText(f))
	case statsJSON:
		if text, err := json.Marshal(f); err == nil {
			fmt.Fprintf(w, "%s\n", text)
		}
	case statsNone:
	}
}

// statsText returns the statistics as a table: the name, the value, and an explanation.
func statsText(f engine.Stats) string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(what, value, remark string) { fmt.Fprintf(t, "%s\t%s\t%s\n", what, value, remark) }
	of := func(part, whole int, what string) string { return fmt.Sprintf("%d of %d %s", part, whole, what) }
	row("tool calls", strconv.Itoa(f.Calls), fmt.Sprintf("in %s", cli.Plural(f.Replies, "reply", "replies")))
	row("success rate", percent(f.SuccessRate()), of(f.Succeeded, f.Calls, "calls")+countsText(f.Errors))
	row("argument accuracy", percent(f.ArgumentAccuracy()), of(f.ValidArguments, f.Checked, "calls of a known method"))
	row("unknown names", percent(f.UnknownNameRate()), of(f.UnknownNames, f.Calls-f.Malformed, "calls that could be read"))
	row("invented arguments", strconv.Itoa(f.InventedArguments), "")
	row("self-correction", percent(f.SelfCorrectionRate()), of(f.Corrected, f.Mistakes, "mistakes corrected in the next reply"))
	if l := f.Latency; l.Count > 0 {
		row("latency", terminal.DurationText(l.Mean()), fmt.Sprintf("mean; half within %s, 95 %% within %s, at most %s",
			terminal.DurationText(l.Quantile(0.5)), terminal.DurationText(l.Quantile(0.95)), terminal.DurationText(l.Max)))
	}
	row("results", cli.Plural(int(f.Tokens), "token", "tokens"), fmt.Sprintf("estimated; %d of %d bytes, %d truncated, %d summarized",
		f.Bytes, f.RawBytes, f.Excerpted, f.Summarized))
	repairs := strings.TrimPrefix(countsText(f.Repairs), "; ")
	row("repairs", strconv.Itoa(sum(f.Repairs)), repairs)
	_ = t.Flush() // a strings.Builder never fails
	return blanksAtEnd.ReplaceAllString(b.String(), "")
}

// blanksAtEnd are the blanks of empty cells at the end of a line.
var blanksAtEnd = regexp.MustCompile(`(?m) +$`)

func percent(rate float64) string {
	if math.IsNaN(rate) {
		return "-"
	}
	return strconv.FormatFloat(100*rate, 'f', 0, 64) + " %"
}

// countsText lists counts, the highest first: "; 3 timeout, 1 canceled".
func countsText(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = fmt.Sprintf("%d %s", counts[name], name)
	}
	if len(parts) == 0 {
		return ""
	}
	return "; " + strings.Join(parts, ", ")
}

func sum(counts map[string]int) (n int) {
	for _, count := range counts {
		n += count
	}
	return n
}
