package tabular

import (
	"testing"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message/messagetest"
)

func TestEachTextIsTranslated(t *testing.T) {
	// The number is the index of the argument that is the text.
	messagetest.Check(t, chinese.Tabular, map[string]int{"sentence": 0, "errorf": 0, "formatErrorf": 1},
		"day", "week", "month", "quarter", "year")
}
