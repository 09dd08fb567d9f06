package model

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// inPieces reads text in pieces of the given sizes, in turn.
type inPieces struct {
	text  []byte
	sizes []int
	end   error // after the text
	reads int
}

func (r *inPieces) Read(p []byte) (int, error) {
	if len(r.text) == 0 {
		return 0, r.end
	}
	n := copy(p[:min(len(p), r.sizes[r.reads%len(r.sizes)])], r.text)
	r.text = r.text[n:]
	r.reads++
	return n, nil
}

// The meaning of a response does not depend on its pieces, however it ends. (A law is a property
// that rapid checks with generated inputs.)
func TestLawValuesAreIndependentOfPieces(t *testing.T) {
	part := rapid.SampledFrom([]string{
		"data: ", "data:", `{"choices":[{}]}`, `{"choices":`, `{"error":"x"}`, `{"a":1}`, "[DONE]", "event: error",
		"event: x", ": note", "x", "{", "[", "<", "<p>", " ", "\uFEFF", "\n", "\r", "\r\n", "\n\n", "\r\r", "\r\n\r\n",
	})
	read := func(rt *rapid.T, body io.Reader) (values []string, err error) {
		err = readValues(body, nil, func(value []byte) error {
			require.NotEmpty(rt, value)
			values = append(values, string(value))
			return nil
		})
		return values, err
	}
	rapid.Check(t, func(rt *rapid.T) {
		var text []byte
		for _, p := range rapid.SliceOfN(part, 0, 24).Draw(rt, "parts") {
			text = append(text, p...)
		}
		end := rapid.SampledFrom([]error{io.EOF, io.ErrUnexpectedEOF}).Draw(rt, "end")
		whole, wholeErr := read(rt, io.MultiReader(bytes.NewReader(text), &inPieces{end: end}))
		sizes := rapid.SliceOfN(rapid.IntRange(1, 9), 1, 4).Draw(rt, "sizes")
		values, err := read(rt, &inPieces{text: text, sizes: sizes, end: end})
		require.Equal(rt, whole, values)
		require.Equal(rt, wholeErr, err)
	})
}
