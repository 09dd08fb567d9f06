package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/demomodel"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/internal/requesttest"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// figures returns the sums of the third quarter of 2026 by month, their total, and the rows of the
// table. The sums are fractions, so they are exact.
func figures(t *testing.T) (months map[string]*big.Rat, total *big.Rat, rows [][]string) {
	t.Helper()
	f, err := os.Open("sales.csv")
	require.NoError(t, err)
	defer f.Close()
	rows, err = csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"order", "date", "region", "product", "units", "revenue", "customer"}, rows[0])
	months, total = map[string]*big.Rat{}, new(big.Rat)
	for _, row := range rows[1:] {
		month := row[1][:7]
		if !slices.Contains([]string{"2026-07", "2026-08", "2026-09"}, month) {
			continue
		}
		n, ok := new(big.Rat).SetString(row[5])
		require.True(t, ok)
		if months[month] == nil {
			months[month] = new(big.Rat)
		}
		months[month].Add(months[month], n)
		total.Add(total, n)
	}
	require.Len(t, months, 3)
	return months, total, rows[1:]
}

// decimal writes a sum without needless zeros.
func decimal(r *big.Rat) string {
	return strings.TrimSuffix(strings.TrimRight(r.FloatString(2), "0"), ".")
}

// growth returns the change between two sums as a percentage.
func growth(from, to *big.Rat) string {
	change := new(big.Rat).Quo(new(big.Rat).Sub(to, from), from)
	f, _ := change.Mul(change, big.NewRat(100, 1)).Float64()
	return fmt.Sprintf("%+.1f %%", f)
}

// requireFigures compares an answer and its chart with the figures.
func requireFigures(t *testing.T, answer, chart string) {
	t.Helper()
	months, total, _ := figures(t)
	for month, sum := range months {
		require.Contains(t, answer, decimal(sum), month)
		require.Contains(t, chart, month+": "+decimal(sum)+"<")
	}
	require.Contains(t, answer, decimal(total))
	require.Contains(t, answer, growth(months["2026-07"], months["2026-09"]))
	require.Contains(t, answer, "2026-07-01 to 2026-09-30")
}

// demoModel starts the demo model.
func demoModel(t *testing.T) model.Options {
	t.Helper()
	server, err := demomodel.Start(demomodel.Options{Protocol: vcp.Protocol{}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Close(context.Background()) })
	return model.Options{BaseURL: server.URL()}
}

func TestTheAnswerHasTheExactFigures(t *testing.T) {
	server, dir := demoModel(t), t.TempDir()
	for _, question := range []string{
		"What was the trend of revenue in the last quarter by month in sales.csv? Draw a chart.",
		"Show the trend of revenue in sales.csv in the last quarter by month, with a chart",
	} {
		var answer strings.Builder
		require.NoError(t, ask(t.Context(), &answer, server, "sales.csv", dir, question))
		require.Contains(t, answer.String(), "[table_aggregate: success]")
		require.Contains(t, answer.String(), "[chart: "+filepath.Join(dir, "sales-sum.svg")+"]")
		chart, err := os.ReadFile(filepath.Join(dir, "sales-sum.svg"))
		require.NoError(t, err)
		requireFigures(t, answer.String(), string(chart))
	}
}

// request returns a reply that requests a method.
func request(t *testing.T, name string, args ...string) modelserver.Reply {
	t.Helper()
	return modelserver.Text(requesttest.Text(t, vcp.Protocol{}, name, args...))
}

// rowReader starts a model that describes the table, requests rows, aggregates and answers.
func rowReader(t *testing.T) *modelserver.Server {
	t.Helper()
	return modelserver.Start(t,
		request(t, "table_describe", "path", "sales.csv"),
		request(t, "table_rows", "path", "sales.csv", "limit", "5"),
		request(t, "table_aggregate", "path", "sales.csv", "column", "revenue", "period", "month", "range",
			"last quarter", "chart", "true"),
		modelserver.Text("Revenue is in the chart."))
}

// requireNoRow checks that the last request to the model of rowReader contains no row.
func requireNoRow(t *testing.T, server *modelserver.Server) {
	t.Helper()
	requests := server.Requests()
	require.Len(t, requests, 4)
	var sent strings.Builder
	for _, m := range requests[3].Messages {
		sent.WriteString(m.Content + "\n")
	}
	require.Contains(t, sent.String(), "sales.csv has 1264 rows and 7 columns")
	months, _, rows := figures(t)
	for _, row := range rows {
		require.NotContains(t, sent.String(), row[0], "the order")
		require.NotContains(t, sent.String(), row[6], "the customer")
		require.NotContains(t, sent.String(), strings.Join(row, ","))
	}
	for _, sum := range months {
		require.Regexp(t, `\b`+regexp.QuoteMeta(decimal(sum))+`\b`, sent.String(), "the model reads the figures")
	}
	require.Less(t, sent.Len(), 12_000, "the model reads little else")
}

func TestNoRowReachesTheModel(t *testing.T) {
	server := rowReader(t)
	var answer strings.Builder
	require.NoError(t, ask(t.Context(), &answer, model.Options{BaseURL: server.URL}, "sales.csv", t.TempDir(), "What is the trend?"))
	require.Contains(t, answer.String(), "Revenue is in the chart.")
	require.Contains(t, answer.String(), "[table_rows: error]", "the method is hidden")
	requireNoRow(t, server)
}
