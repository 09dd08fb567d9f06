package replies

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/protocol"
)

// FuzzLine checks that encoding/json reads the same from a line. It also checks that encoding/json
// refuses each line for which decode says that it is not JSON.
func FuzzLine(f *testing.F) {
	for _, line := range []string{
		`{"id":1,"text":"a","finish":"stop"}`,
		`{"text":"\ud83d\ude00\ud83d\/\u0000\"","id":{"a":[1,2.50e-7],"a":null}} `,
		`{"\u0074ext":"字\n"}`, `{"text":"a"} x`, `{"text":"a","Text":"b"}`, `[1]`, `null`, ``,
		"{\"text\":\"\xff\"}", `{"text":1}`, `{"text":"a","finish":"length"`,
		strings.Repeat(`{"id":`, 100), "{\"text\":\"\t\"}",
	} {
		f.Add([]byte(line))
	}
	var d lineDecoder
	f.Fuzz(func(t *testing.T, line []byte) {
		original := string(line)
		got, err := d.decode(line)
		if original != string(line) {
			t.Fatalf("decoding %q changed it to %q", original, line)
		}
		if err != nil {
			if strings.HasPrefix(err.Error(), "not JSON") && json.Valid(line) {
				t.Fatalf("%q is JSON: %v", line, err)
			}
			return
		}
		var want struct {
			ID     json.RawMessage
			Text   *string
			Finish *string
		}
		if err := json.Unmarshal(line, &want); err != nil {
			t.Fatalf("%q was read, and is not JSON: %v", line, err)
		}
		if want.Text == nil || got.text != *want.Text {
			t.Fatalf("the text of %q was read as %q", line, got.text)
		}
		if want.ID != nil && string(got.id) != string(want.ID) {
			t.Fatalf("the id of %q was read as %q", line, got.id)
		}
		finish := map[string]protocol.FinishReason{
			"stop": protocol.FinishStop, "length": protocol.FinishLength, "unknown": protocol.FinishUnknown,
		}
		if (got.finish == nil) != (want.Finish == nil) || got.finish != nil && *got.finish != finish[*want.Finish] {
			t.Fatalf("the finish reason of %q was read as %v", line, got.finish)
		}
	})
}
