package schema

import (
	"testing"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message/messagetest"
)

func TestEachPhraseIsTranslated(t *testing.T) {
	// The numbers are the indexes of the arguments that are texts.
	messagetest.Check(t, chinese.Schema, map[string]int{"say": 0, "phrase": 0, "count": 1})
}
