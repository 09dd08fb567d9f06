package injectiontest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vcpgo/vcp/engine/internal/injectiontest"
)

func TestAttacksAreReadFromTheirLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "attacks.txt")
	text := "# a comment\n\nplain: \"a\\nb\"\nrepeated: \"x: \" + \"yz\"*3 + \"!\"\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []injectiontest.Attack{{Name: "plain", Text: "a\nb"}, {Name: "repeated", Text: "x: yzyzyz!"}}
	if diff := cmp.Diff(want, injectiontest.Read(t, path)); diff != "" {
		t.Errorf("attacks (-want +got):\n%s", diff)
	}
}
