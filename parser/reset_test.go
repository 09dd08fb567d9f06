package parser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// A parser that is reused reads replies of the corpus like a new one, also after a reply that was
// abandoned. The replies of the reused parser stay as they were.
func TestAReusedParserReadsLikeANewOne(t *testing.T) {
	for _, s := range subjects {
		cases := loadCorpus(t, s.corpus)
		t.Run(s.proto.ID(), rapid.MakeCheck(func(t *rapid.T) {
			used := &parser.Parser{}
			var kept []parser.Reply // replies that are still in use
			var texts []string
			for range rapid.IntRange(1, 6).Draw(t, "replies") {
				c := rapid.SampledFrom(cases).Draw(t, "case")
				o := parser.Options{Tolerance: rapid.SampledFrom(levels[:]).Draw(t, "level")}
				if err := used.Reset(s.proto, o); err != nil {
					t.Fatal(err)
				}
				fresh, err := parser.New(s.proto, o)
				if err != nil {
					t.Fatal(err)
				}
				cut := rapid.IntRange(0, len(c.Input)).Draw(t, "cut")
				for _, piece := range []string{c.Input[:cut], c.Input[cut:]} {
					got, want := reported(used.Feed(nil, []byte(piece))), reported(fresh.Feed(nil, []byte(piece)))
					if got != want {
						t.Fatalf("%s: a reused parser reports\n%s\nand a new one\n%s", c.Name, got, want)
					}
				}
				if rapid.IntRange(0, 3).Draw(t, "abandoned") == 0 {
					continue
				}
				_, got := used.Close(nil, protocol.FinishStop)
				_, want := fresh.Close(nil, protocol.FinishStop)
				if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(parser.Request{})); diff != "" {
					t.Fatalf("%s: a reused parser reads something else (-new +reused):\n%s", c.Name, diff)
				}
				kept, texts = append(kept, got), append(texts, fmt.Sprintf("%+v", got))
			}
			for i := range kept {
				if now := fmt.Sprintf("%+v", kept[i]); now != texts[i] {
					t.Fatalf("a later reply has changed an earlier one from\n%s\nto\n%s", texts[i], now)
				}
			}
		}))
	}
}

// reported returns the events of Feed as text, with all their fields.
func reported(events []parser.Event) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "%v %q %q %q %d %+v %v %+v %v\n",
			e.Kind, e.RequestID, e.Name, e.Data, e.At, e.Request, e.Reason, e.Notice, e.Err)
	}
	return b.String()
}
