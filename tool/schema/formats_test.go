package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/tool/schema"
)

func TestTimesMayOmitTheOffset(t *testing.T) {
	for _, test := range []struct {
		format, text string
		ok           bool
	}{
		{"date-time", "2024-05-01T10:00:00", true},
		{"date-time", "2024-05-01T10:00:00.25", true},
		{"date-time", "2024-05-01T10:00:00Z", true},
		{"date-time", "2024-05-01T10:00:00+02:00", true},
		{"date-time", "2024-05-01T25:00:00", false},
		{"date-time", "2024-05-01T10:00:00+02:00Z", false},
		{"date-time", "2024-05-01", false},
		{"time", "10:00:00", true},
		{"time", "10:00:00+02:00", true},
		{"time", "10:61:00", false},
	} {
		s := schematest.One(t, `{"type":"string","format":"`+test.format+`"}`)
		_, _, err := s.Object([]schema.Text{{Name: "v", Value: test.text}})
		assert.Equal(t, test.ok, err == nil, test.text)
	}
}
