package terminal

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
)

// screenText applies backspaces, as a terminal does.
func screenText(output string) string {
	var shown []rune
	at := 0
	for _, r := range output {
		if r == '\b' {
			at--
			continue
		}
		shown = append(shown[:at], append([]rune{r}, shown[min(at+1, len(shown)):]...)...)
		at++
	}
	return string(shown)
}

func TestTheSpinnerIsForPeople(t *testing.T) {
	for _, tt := range []struct {
		name      string
		forPerson bool
		want      string
	}{
		{"a person sees the seconds", true, "| 1s"},
		{"a program sees none", false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out strings.Builder
				v := NewView(&out, "en")
				v.forPerson = tt.forPerson
				wait := func() {
					time.Sleep(1300 * time.Millisecond)
					synctest.Wait()
				}
				v.Wait()
				wait()
				require.Equal(t, tt.want, out.String(), "while the model works")
				v.Show(textEvent("Look"))
				wait()
				shown := func() string { return screenText(out.String()) }
				require.Equal(t, "Look", strings.TrimRight(shown(), " "), "the spinner is not within the text")
				v.Show(started("1", "a", `{}`))
				wait()
				wait()
				require.Equal(t, tt.forPerson, strings.HasSuffix(shown(), "[tool] a ... - 2s"), shown())
				release := v.Pause()
				require.NotContains(t, shown(), "- 2s", "a question is not disturbed")
				release()
				v.Show(done("1", "a", "A"))
				v.Show(engine.Event{Kind: engine.EventIterationDone})
				wait()
				require.NoError(t, v.End())
				ended := out.String()
				require.NotRegexp(t, `\ds`, shown(), "nothing of the spinner remains")
				wait()
				require.Equal(t, ended, out.String(), "the spinner ends with the answer")
			})
		})
	}
}
