package forms_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vcpgo/vcp/internal/forms"
	"github.com/vcpgo/vcp/protocol"
)

func TestInProseReadsRequestsForMethods(t *testing.T) {
	note := protocol.Argument{Name: "Note", Value: "the end"}
	for _, tt := range []struct {
		name, text string
		want       []protocol.ToolRequest
	}{
		{"a call in a sentence", `Please write weather_get(city="Rome") at once.`, weather(rome)},
		{"a call on several lines", "weather_get(\n  city = 'Rome',\n  days = 3,\n)", weather(rome, days)},
		{"a call with a variable", `weather_get(city="Rome", days=n)`, weather(rome)},
		{"a call of a function that is no method", `open(city="Rome")`, nil},
		{"values without names", `weather_get("Rome")`, nil},
		{"an action with a blank line", "Action: weather_get\n\nAction Input: {\"city\": \"Rome\"}", weather(rome)},
		{"an action on several lines", "Then Action: weather_get\nAction Input: {\n\"city\": \"Rome\"\n}.", weather(rome)},
		{"an action that is no method", "Action: read\nAction Input: {\"city\": \"Rome\"}", nil},
		{"lines", "Please do:\n- tool_name: weather_get\n- city: Rome\nThank you.", weather(rome)},
		{"lines after a sentence", "I ask for tool_name: \"weather_get\", please\ncity: Rome", weather(rome)},
		{"lines after a blank line", "name: weather_get\ncity: Rome\n\nNote: the end", append(weather(rome), weather(rome, note)...)},
		{"lines that name no method", "name: Ann\ncity: Rome", nil},
		{"pairs in one line", "I say tool_name:「始」weather_get「末」 and city:「始」Rome「末」 here.", append(weather(), weather(rome)...)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []protocol.ToolRequest
			for req := range forms.InProse(tt.text, func(name string) bool { return name == "weather_get" }) {
				if req.Start < 0 || req.Start >= req.End || req.End > len(tt.text) {
					t.Errorf("the request extends from %d to %d", req.Start, req.End)
				}
				got = append(got, req.ToolRequest)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
