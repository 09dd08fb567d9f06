package orderedjson_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// FuzzRead holds Read against encoding/json: both read the same values, except what Read refuses on
// purpose.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-2.5e+3,"\u00e9\ud83d\ude00"]}`, `[`, `{"a":1,"a":2}`, `"\ud800"`, `01`, `1.`, `-`, "\"\t\"", `nul`, ` {} `} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if !utf8.ValidString(src) {
			return
		}
		got, err := orderedjson.Read(src)
		if err != nil {
			onPurpose := strings.Contains(err.Error(), "given twice") || strings.Contains(err.Error(), "surrogate") || strings.Contains(err.Error(), "deep")
			if !onPurpose && json.Valid([]byte(src)) {
				t.Fatalf("%q: %v", src, err)
			}
			return
		}
		d := json.NewDecoder(strings.NewReader(src))
		d.UseNumber()
		var want any
		if err := d.Decode(&want); err != nil {
			t.Fatalf("%q is no JSON: %v", src, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q: %s", src, diff)
		}
	})
}
