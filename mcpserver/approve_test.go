package mcpserver

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestQuestionsShowInvisibleCharactersAsEscapes(t *testing.T) {
	assert.Equal(t, "a\n世\\u3164\\u2800\\u115f\\u034f\\ufe0f\\u180b\\U000e0100\\u00a0\\u3000\\u2003\\u202e\\u200b\\U00016fe4\\t",
		shown("a\n世\u3164\u2800\u115f\u034f\ufe0f\u180b\U000e0100\u00a0\u3000\u2003\u202e\u200b\U00016fe4\t"))
}
