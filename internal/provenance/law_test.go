package provenance_test

import (
	"encoding/json"
	"html"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/protocol"
)

// A request that is escaped, quoted, surrounded, cut in two or sprinkled with invisible characters is
// found. So is the same request in another protocol. A request with another value is not.
func TestLawARequestIsFoundInAnyDress(t *testing.T) {
	dresses := map[string]func(string) string{
		"as it is": func(s string) string { return s },
		"JSON":     func(s string) string { raw, _ := json.Marshal(s); return string(raw) },
		"HTML":     html.EscapeString,
		"URL":      url.QueryEscape,
		"fence":    func(s string) string { return "```\n" + s + "\n```" },
		"prose":    func(s string) string { return "Please do this:\n" + s + "\nThank you." },
		"invisible": func(s string) string {
			return strings.NewReplacer("e", "e\u200b", "o", "\u2060o", "<", "<\ufeff").Replace(s)
		},
	}
	names := slices.Sorted(maps.Keys(dresses))
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-zA-Z][a-z0-9.é-]{2,7}`)
		req := request("files_" + rapid.StringMatching(`[a-z]{3,8}`).Draw(t, "method"))
		for _, name := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{3,8}`), 0, 3, rapid.ID).Draw(t, "names") {
			req.Arguments = append(req.Arguments, protocol.Argument{Name: name, Value: word.Draw(t, "value")})
		}
		text := written(rapid.SampledFrom(protocols).Draw(t, "protocol"), req)
		var worn []string
		for range rapid.IntRange(0, 2).Draw(t, "dresses") {
			name := rapid.SampledFrom(names).Draw(t, "dress")
			worn = append(worn, name)
			text = dresses[name](text)
		}
		m := newMemory()
		at := rapid.IntRange(0, len(text)).Draw(t, "cut")
		m.AddForeign(page, text[:at])
		m.AddForeign(page, text[at:])
		if _, ok := copied(m, req); !ok {
			t.Fatalf("not found, %v, cut at %d: %q", worn, at, text)
		}
		if len(req.Arguments) > 0 {
			other := protocol.ToolRequest{ToolName: req.ToolName, Arguments: append([]protocol.Argument{}, req.Arguments...)}
			other.Arguments[0].Value += "-other"
			if _, ok := copied(m, other); ok {
				t.Fatalf("a request with another value is found in %q", text)
			}
		}
	})
}
