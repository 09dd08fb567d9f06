package browser

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/examples/internal/exampletest"
	"github.com/vcpgo/vcp/internal/demomodel"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// startAnalyst starts examples/analyst with the demo model.
func startAnalyst(t *testing.T) *app {
	t.Helper()
	models, err := demomodel.Start(demomodel.Options{Protocol: vcp.Protocol{}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = models.Close(context.Background()) })
	root, path := filepath.Join("..", ".."), filepath.Join(t.TempDir(), "analyst")
	build := exec.Command("go", "build", "-o", path, "./examples/analyst")
	build.Dir, build.Stderr = root, os.Stderr
	require.NoError(t, build.Run())
	return &app{exampletest.StartServer(t, func(address string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), path, "--listen", address)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "OPENAI_BASE_URL="+models.URL(), "OPENAI_MODEL="+demomodel.ModelID)
		return cmd
	}), t}
}

// TestTheAnalystShowsEachPartOfAnAnswer asks the question that is in the field, then another, and
// loads the page again.
func TestTheAnalystShowsEachPartOfAnAnswer(t *testing.T) {
	browser := newBrowser(t)
	a := startAnalyst(t)
	b := a.open(browser, "")
	b.send("")
	b.shows("#status", "Done.")
	for _, page := range []*tab{b, a.open(browser, b.hash())} {
		page.shows("#answers > article:first-child h2", "trend of revenue")
		page.shows(`[data-part="Plan"]`, "table_aggregate")
		page.shows(`[data-part="Calls"] li`, "table_aggregate")
		page.shows(`[data-part="Calls"] li`, "success")
		page.shows(`[data-part="Table"] caption`, "sum of revenue in sales.csv")
		page.waitsFor(`document.querySelectorAll('[data-part="Table"] tbody tr').length === 3`)
		page.waitsFor(`document.querySelector('[data-part="Table"] tbody th').scope === 'row'`)
		page.waitsFor(`document.querySelector('[data-part="Chart"] img').naturalWidth > 100`) // the image has loaded
		page.waitsFor(`document.querySelector('[data-part="Chart"] img').alt.includes('sales-sum.svg')`)
		page.shows(`[data-part="Answer"]`, "2026-07-01 to 2026-09-30")
	}
	b.send("What is the mean of revenue in sales.csv by region?")
	b.shows("#answers > article:last-child h2", "by region")
	b.shows(`#answers > article:last-child [data-part="Answer"]`, "West")
	b.waitsFor(`document.querySelectorAll('#answers > article').length === 2`)
	b.waitsFor(`document.querySelectorAll('#answers > article:first-child [data-part="Table"]').length === 1`)
	require.Empty(t, b.effects(), "the page sends no request to another host")
}
