package wholecall_test

import (
	"os"
	"strings"
	"testing"
)

// docs/protocols.md shows the protocol of the example, word for word.
func TestThePageShowsTheExample(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	_, code, found := strings.Cut(read("example_test.go"), "// bracket is a protocol")
	code, _, ended := strings.Cut(code, "func TestBracketFollowsTheRules")
	if !found || !ended {
		t.Fatal("the example's beginning or end is missing")
	}
	if !strings.Contains(read("../../docs/protocols.md"), strings.TrimSpace(code)) {
		t.Error("the code in docs/protocols.md differs from the example")
	}
}
