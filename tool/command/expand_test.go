package command

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/tool/schema"
)

// parse returns the arguments in a field run.
func parse(t require.TestingT, run ...string) (argv []argument) {
	for _, s := range run {
		a, problem := parseArgument(s)
		require.Empty(t, problem)
		argv = append(argv, a)
	}
	markOptionsEnd(argv)
	return argv
}

// TestLawNoValueBecomesAnOption expands arguments with any values. A value must not become an
// option. (A law is a property that rapid checks with generated inputs.)
func TestLawNoValueBecomesAnOption(t *testing.T) {
	values := rapid.SampledFrom([]string{`""`, `"-"`, `"--version"`, `"x"`, `"e"`, `-1`, `null`, `["-a"]`})
	elements := rapid.SampledFrom([]string{
		"${a}", "${a}${b}", "${a}${b}${c}", "${a}-x", "${a}-", "-${a}", "-x=${a}${b}", "x${a}", "-o", "${b}", "${c}x",
		"x", "",
	})
	rapid.Check(t, func(t *rapid.T) {
		argv := parse(t, append([]string{"prog"}, rapid.SliceOf(elements).Draw(t, "elements")...)...)
		arguments := map[string]json.RawMessage{}
		for _, name := range []string{"a", "b", "c"} {
			arguments[name] = json.RawMessage(values.Draw(t, name))
		}
		list, err := expand(argv, arguments, "en")
		if err != nil {
			require.ErrorAs(t, err, new(*schema.ArgumentsError))
			return
		}
		argv = slices.DeleteFunc(argv, func(a argument) bool {
			return slices.ContainsFunc(a.parameters(),
				func(name string) bool { return string(arguments[name]) == "null" })
		})
		require.Len(t, list, len(argv))
		for i, s := range list {
			if strings.HasPrefix(s, "-") {
				assert.True(t, strings.HasPrefix(argv[i].parts[0].text, "-"),
					"element %d is %q, but its text in run has no hyphen", i, s)
			}
		}
	})
}

func TestAValueMayBeginWithAHyphenAfterTheOptions(t *testing.T) {
	for _, tt := range []struct {
		name    string
		run     []string
		allowed bool
	}{
		{"-- before the value", []string{"rm", "--", "${x}"}, true},
		{"-- before two values in one element", []string{"rm", "--", "${e}${x}"}, true},
		{"-- for the script of an interpreter", []string{"sh", "a.sh", "--", "${x}"}, true},
		{"-- for the interpreter itself", []string{"sh", "--", "a.sh", "${x}"}, false},
		{"-- before an interpreter", []string{"env", "--", "perl", "-e", "print", "${x}"}, false},
		{"-- before a program that another starts", []string{"sudo", "-u", "bob", "--", "rm", "${x}"}, false},
		{"-- for the program that another starts", []string{"sudo", "-u", "bob", "rm", "--", "${x}"}, true},
		{"-- that an option takes as its argument", []string{"grep", "-e", "${absent}", "--", "${x}"}, false},
		{"-- after an option with its argument", []string{"grep", "-e", "${y}", "--", "${x}"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := expand(parse(t, tt.run...), map[string]json.RawMessage{
				"x": json.RawMessage(`"-rf"`), "y": json.RawMessage(`"y"`), "e": json.RawMessage(`""`),
			}, "en")
			if tt.allowed {
				require.NoError(t, err)
				return
			}
			var bad *schema.ArgumentsError
			require.ErrorAs(t, err, &bad)
			assert.Equal(t, "x", bad.Problems[0].Path)
		})
	}
}
