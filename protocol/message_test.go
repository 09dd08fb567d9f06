package protocol_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
)

func TestPiecesHaveImagesInTheirPlaces(t *testing.T) {
	for _, tt := range []struct {
		name    string
		content string
		at      []int
		want    []string // of an image, "#" and its number
	}{
		{"text alone", "abc", nil, []string{"abc"}},
		{"an empty message", "", nil, nil},
		{"images first, inside and last", "abc", []int{0, 1, 3}, []string{"#0", "a", "#1", "bc", "#2"}},
		{"two images at one offset", "ab", []int{1, 1}, []string{"a", "#0", "#1", "b"}},
		{"images alone", "", []int{0, 0}, []string{"#0", "#1"}},
		{"an offset past the end counts as the end", "ab", []int{9}, []string{"ab", "#0"}},
		{
			"an offset below the previous one counts as the previous one", "ab",
			[]int{1, 0, -1},
			[]string{"a", "#0", "#1", "#2", "b"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := protocol.Message{Content: tt.content}
			for i, at := range tt.at {
				m.Images = append(m.Images, protocol.Image{At: at, URL: "#" + string(rune('0'+i))})
			}
			var got []string
			for p := range m.Pieces() {
				if p.Image != nil {
					got = append(got, p.Image.URL)
					continue
				}
				require.NotEmpty(t, p.Text)
				got = append(got, p.Text)
			}
			require.Equal(t, tt.want, got)
			for range m.Pieces() { // the loop may stop at any piece
				break
			}
		})
	}
}
