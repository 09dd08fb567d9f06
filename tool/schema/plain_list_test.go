package schema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/tool/schema"
)

// TestAPlainListHasOneReading writes lists as people do, with commas between thousands, decimal
// commas, numbered lines, or words between the elements. The text must be refused or be read as
// that list.
func TestAPlainListHasOneReading(t *testing.T) {
	grouped := func(n int64) string {
		text := strconv.FormatInt(n, 10)
		for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
			text = text[:i] + "," + text[i:]
		}
		return text
	}
	integers, numbers := schematest.One(t, ofNumbers), schematest.One(t, ofFractions)
	texts := schematest.One(t, ofStrings)
	rapid.Check(t, func(t *rapid.T) {
		separator := rapid.SampledFrom([]string{",", ", ", " , ", "，", "\n", ",\n", "; ", "|", "、", " and "}).Draw(t, "separator")
		var want, written []string
		s := integers
		kind := rapid.SampledFrom([]string{"integers", "decimal commas", "words"}).Draw(t, "kind")
		for i := range rapid.IntRange(1, 4).Draw(t, "length") {
			switch kind {
			case "integers":
				n := rapid.OneOf(rapid.Int64Range(-2000, 2_000_000), rapid.SampledFrom([]int64{0, 1000, 50_000})).Draw(t, "integer")
				want, written = append(want, strconv.FormatInt(n, 10)), append(written, grouped(n))
			case "decimal commas":
				s = numbers
				n := rapid.IntRange(0, 9999).Draw(t, "hundredths")
				want = append(want, fmt.Sprintf("%d.%02d", n/100, n%100))
				written = append(written, fmt.Sprintf("%d,%02d", n/100, n%100))
			default:
				s = texts
				word := rapid.SampledFrom([]string{"red", "dark blue", "J. Smith", "5", "是", "a-b"}).Draw(t, "word")
				want = append(want, word)
				if separator == "\n" {
					word = fmt.Sprintf("%d. %s", i+1, word)
				}
				written = append(written, word)
			}
		}
		text := strings.Join(written, separator)
		if kind == "words" && separator == ", " && len(written) > 2 { // as in a sentence
			text = strings.Join(written[:len(written)-1], separator) + " and " + written[len(written)-1]
		}
		if kind == "words" && separator == " and " || kind == "decimal commas" && separator == "," {
			t.Skip(`a text may contain the word "and"; nobody writes a comma between numbers that have decimal commas`)
		}
		object, _, err := s.Object([]schema.Text{{Name: "v", Value: text}})
		if err != nil {
			return
		}
		var got struct{ V []any }
		d := json.NewDecoder(bytes.NewReader(object))
		d.UseNumber()
		if err := d.Decode(&got); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprintf("%q", got.V) != fmt.Sprintf("%q", want) {
			t.Fatalf("%q means %q and was read as %s", text, want, object)
		}
	})
}
