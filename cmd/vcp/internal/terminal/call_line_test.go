package terminal

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
)

func TestTheLineOfAnEditedCallOmitsTheNote(t *testing.T) {
	const note = "[The user changed the arguments of this call to {\"path\":\"b\"}]\n"
	for _, tt := range []struct {
		name, result string
		edited       bool
		want         string
	}{
		{"a failure shows its reason", note + "there is no \"b\"", true, `: there is no "b"`},
		{"more lines are counted without the note", note + "one\ntwo", true, ": one (and 1 more line)"},
		{"an empty result adds no text", note, true, ""},
		{
			"the same line in a tool's own result is shown", note + "one", false,
			`: [The user changed the arguments of this call to {"path":"b"}] (and 1 more line)`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := done("1", "a", tt.result)
			e.Result.Edited, e.Result.Status, e.Result.ErrorType = tt.edited, protocol.StatusError, "execution_failed"
			word, rest := phrasesIn("en").outcome(e.Result)
			require.Equal(t, "execution_failed, 1.5ms"+tt.want, word+rest)
		})
	}
}

func TestDurationsHaveFewDigits(t *testing.T) {
	for d, want := range map[time.Duration]string{
		1: "1µs", 12345 * time.Nanosecond: "12µs", 1234567 * time.Nanosecond: "1.2ms",
		1234567 * time.Microsecond: "1.23s", 2 * time.Minute: "2m0s",
	} {
		require.Equal(t, want, DurationText(d))
	}
}
