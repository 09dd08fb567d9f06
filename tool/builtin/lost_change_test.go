package builtin_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/tool/builtin"
)

// TestLawNoChangeOfAnotherProgramIsLost changes the file between the plan of a write and the write.
// A program that writes in place may keep the length of the file, and set back its time. (A law is
// a property that rapid checks with generated inputs.)
func TestLawNoChangeOfAnotherProgramIsLost(t *testing.T) {
	k := newFilesToolkit(t)
	root, err := os.OpenRoot(k.dir)
	require.NoError(t, err)
	defer root.Close()
	name := filepath.Join(k.dir, "f")
	texts := rapid.StringOfN(rapid.SampledFrom([]rune("ab\n")), 0, 3, -1)
	rapid.Check(t, func(r *rapid.T) {
		old, theirs, mine := texts.Draw(r, "old"), texts.Draw(r, "theirs"), texts.Draw(r, "mine")
		if old == mine {
			return
		}
		require.NoError(r, os.WriteFile(name, []byte(old), 0o644))
		info, err := os.Stat(name)
		require.NoError(r, err)
		apply, err := builtin.PlanWrite(t.Context(), root, "f", mine)
		require.NoError(r, err)
		require.NoError(r, os.WriteFile(name, []byte(theirs), 0o644))
		require.NoError(r, os.Chtimes(name, time.Time{}, info.ModTime()))
		want := theirs
		if err := apply(); theirs == old {
			require.NoError(r, err)
			want = mine
		} else {
			require.ErrorContains(r, err, "another program changed it")
		}
		require.Equal(r, want, k.read(t, "f"))
		require.Equal(r, []string{"f"}, k.names(t))
	})
}

func TestAWriteIsRefusedIfThePathChangedAfterThePlan(t *testing.T) {
	for _, tt := range []struct {
		name   string
		old    string // the content of the file when the change is planned; "" if no file exists
		change func(name string) error
	}{
		{"another file with the same content", "old", func(name string) error {
			if err := os.WriteFile(name+".new", []byte("old"), 0o644); err != nil {
				return err
			}
			return os.Rename(name+".new", name)
		}},
		{"other permissions", "old", func(name string) error { return os.Chmod(name, 0o400) }},
		{"no file", "old", os.Remove},
		{"a new file", "", func(name string) error { return os.WriteFile(name, []byte("theirs"), 0o644) }},
		{"a new directory", "", func(name string) error { return os.Mkdir(name, 0o755) }},
		{"a new link", "", func(name string) error { return os.Symlink("target", name) }},
		{"a link in place of the file", "old", func(name string) error {
			if err := os.Rename(name, name+".was"); err != nil {
				return err
			}
			return os.Symlink(filepath.Base(name)+".was", name)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "windows" {
				t.Skip("creating links needs special rights on Windows")
			}
			k := newFilesToolkit(t)
			name := filepath.Join(k.dir, "f")
			if tt.old != "" {
				k.write(t, "f", tt.old)
			}
			root, err := os.OpenRoot(k.dir)
			require.NoError(t, err)
			defer root.Close()
			apply, err := builtin.PlanWrite(t.Context(), root, "f", "mine")
			require.NoError(t, err)
			require.NoError(t, tt.change(name))
			before := filesBelow(t, k.dir)
			require.ErrorContains(t, apply(), "another program changed it")
			require.Equal(t, before, filesBelow(t, k.dir))
		})
	}
}

func TestANewFileReplacesNoOther(t *testing.T) {
	for name, create := range builtin.Creates {
		t.Run(name, func(t *testing.T) {
			k := newFilesToolkit(t)
			root, err := os.OpenRoot(k.dir)
			require.NoError(t, err)
			defer root.Close()
			k.write(t, "temporary", "mine")
			k.write(t, "taken", "theirs")
			require.ErrorContains(t, create(root, "temporary", "taken"), "another program changed it")
			require.Equal(t, "theirs", k.read(t, "taken"))
			require.NoError(t, create(root, "temporary", "new"))
			require.Equal(t, "mine", k.read(t, "new"))
		})
	}
}

func TestAFileWithSeveralNamesIsNotChanged(t *testing.T) {
	k := newFilesToolkit(t)
	k.write(t, "f", "old")
	if err := os.Link(filepath.Join(k.dir, "f"), filepath.Join(k.dir, "other")); err != nil {
		t.Skip("the file system has no hard links: ", err)
	}
	const want = `"f" has 2 names (hard links), and a change would separate this name from the others; write a new file instead`
	_, err := k.call(t, "files_edit", args{"path": "f", "oldText": "old", "newText": "new"})
	require.EqualError(t, err, want)
	_, err = k.call(t, "files_write", args{"path": "f", "content": "new"})
	require.EqualError(t, err, want)
	require.Equal(t, map[string]string{"f": "old", "other": "old"}, filesBelow(t, k.dir))
}
