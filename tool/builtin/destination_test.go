package builtin_test

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/tool/builtin"
)

func TestNothingIsWrittenThroughALink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("creating links needs special rights on Windows")
	}
	k := newFilesToolkit(t)
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret")
	require.NoError(t, os.WriteFile(secret, []byte("old"), 0o600))
	k.write(t, "real/f", "old")
	for name, target := range map[string]string{
		"file": secret, "dir": outside, "up": "..", "gone": filepath.Join(outside, "new"), "in": "real/f",
		"indir": "real", "meta": ".git",
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(k.dir, name)))
	}
	k.write(t, ".git/config", "old")
	for _, path := range []string{
		"file", "dir/secret", "dir/new", "up/new", "gone", "in", "indir/f", "indir/new", "indir/new/f", "meta/config", "meta/hooks/pre-commit",
	} {
		_, err := k.call(t, "files_write", args{"path": path, "content": "new"})
		require.Error(t, err, path)
		_, err = k.call(t, "files_edit", args{"path": path, "oldText": "old", "newText": "new"})
		require.Error(t, err, path)
	}
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	data, err := os.ReadFile(secret)
	require.NoError(t, err)
	require.Equal(t, "old", string(data))
	require.Equal(t, "old", k.read(t, "real/f"))
	require.Equal(t, "old", k.read(t, ".git/config"))
}

// TestWritesStayBelowTheRootWhileLinksAreSwapped replaces a directory by a link to the outside,
// back and forth, while calls write and read below it.
func TestWritesStayBelowTheRootWhileLinksAreSwapped(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("creating links needs special rights on Windows")
	}
	k := newFilesToolkit(t)
	outside := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outside, "f"), []byte("secret"), 0o600))
	dir := filepath.Join(k.dir, "dir")
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
			}
			_ = os.RemoveAll(dir)
			_ = os.Symlink(outside, dir)
			_ = os.Remove(dir)
			_ = os.Mkdir(dir, 0o755)
		}
	}()
	written := 0
	for i := range 200 {
		if _, err := k.call(t, "files_write", args{"path": "dir/f", "content": fmt.Sprint("written ", i)}); err == nil {
			written++
		}
		if out, err := k.call(t, "files_read", args{"path": "dir/f"}); err == nil {
			require.NotContains(t, out.Text, "secret")
		}
	}
	close(stop)
	<-stopped
	t.Logf("%d of 200 writes found the directory in place", written)
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing was created outside")
	data, err := os.ReadFile(filepath.Join(outside, "f"))
	require.NoError(t, err)
	require.Equal(t, "secret", string(data))
}

// filesBelow returns each file and link below a directory, with its content or target.
func filesBelow(t require.TestingT, dir string) map[string]string {
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		var content []byte
		if d.Type() == fs.ModeSymlink {
			var target string
			target, err = os.Readlink(name)
			content = []byte("link to " + target)
		} else {
			content, err = os.ReadFile(name)
		}
		rel, _ := filepath.Rel(dir, name)
		found[filepath.ToSlash(rel)] = string(content)
		return err
	}))
	return found
}

// hasLink reports whether a part of a path is a link.
func hasLink(dir, name string) bool {
	for ; name != "."; name = path.Dir(name) {
		if info, err := os.Lstat(filepath.Join(dir, name)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// TestLawAWriteChangesTheNamedFileOnly writes to paths in trees with links and repositories. A
// write changes the file of that path or nothing, and never a file of git. (A law is a property
// that rapid checks with generated inputs.)
func TestLawAWriteChangesTheNamedFileOnly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("creating links needs special rights on Windows")
	}
	names := rapid.SampledFrom([]string{"a", "b", "c", ".git", ".GIT", ".git ", ".g\u200cit", "git~1", "HEAD", "objects", "refs", "commondir"})
	paths := rapid.Custom(func(r *rapid.T) string {
		return strings.Join(rapid.SliceOfN(names, 1, 4).Draw(r, "names"), "/")
	})
	written := 0
	rapid.Check(t, func(r *rapid.T) {
		k := newFilesToolkit(t)
		for range rapid.IntRange(0, 8).Draw(r, "entries") {
			name := filepath.Join(k.dir, paths.Draw(r, "entry"))
			_ = os.MkdirAll(filepath.Dir(name), 0o755)
			switch rapid.IntRange(0, 2).Draw(r, "kind") {
			case 0:
				_ = os.WriteFile(name, []byte("old"), 0o600)
			case 1:
				_ = os.Mkdir(name, 0o755)
			default:
				_ = os.Symlink(paths.Draw(r, "target"), name)
			}
		}
		for range 4 {
			name := paths.Draw(r, "path")
			before := filesBelow(r, k.dir)
			linked := hasLink(k.dir, name)
			_, err := k.call(t, "files_write", args{"path": name, "content": "new"})
			after := filesBelow(r, k.dir)
			if err == nil {
				written++
				require.False(r, linked, "%s is not a way through a link", name)
				require.Equal(r, "new", after[name])
				for part := range strings.SplitSeq(name, "/") {
					require.NotContains(r, []string{".git", ".GIT", ".git ", ".g\u200cit", "git~1"}, part)
				}
				for dir := path.Dir(name); ; dir = path.Dir(dir) {
					require.False(r, k.isRepository(dir), "%s is no repository", dir)
					if dir == "." {
						break
					}
				}
				delete(before, name)
				delete(after, name)
			}
			require.Equal(r, before, after)
		}
	})
	require.NotZero(t, written)
}

// isRepository reports whether git takes a directory for a repository.
func (k toolkit) isRepository(dir string) bool {
	has := func(name string) bool {
		_, err := os.Lstat(filepath.Join(k.dir, filepath.FromSlash(dir), name))
		return err == nil
	}
	return has("HEAD") && (has("commondir") || has("objects") && has("refs"))
}

func TestRepositoriesWithOtherNamesAreNotWritten(t *testing.T) {
	for name, files := range map[string][]string{
		"a repository without a working tree":     {"x/HEAD", "x/objects/1", "x/refs/1", "x/config"},
		"the repository of a linked working tree": {"x/HEAD", "x/commondir", "x/gitdir"},
		"a repository that a file .git names":     {"x/HEAD", "x/objects/1", "x/refs/1", "sub/.git"},
	} {
		t.Run(name, func(t *testing.T) {
			k := newFilesToolkit(t)
			for _, file := range files {
				k.write(t, file, "gitdir: ../x")
			}
			for _, file := range append(files, "x/hooks/pre-commit") {
				_, err := k.call(t, "files_write", args{"path": file, "content": "new"})
				require.Error(t, err, file)
			}
			_, err := k.call(t, "files_write", args{"path": "x/config", "content": "new"})
			require.EqualError(t, err, `"x/config" is in "x", which git takes for a repository, and nothing is written there`)
		})
	}
	t.Run("a repository that the last write would complete", func(t *testing.T) {
		k := newFilesToolkit(t)
		for _, file := range []string{"config", "HEAD", "objects/1"} {
			_, err := k.call(t, "files_write", args{"path": file, "content": "new"})
			require.NoError(t, err)
		}
		_, err := k.call(t, "files_write", args{"path": "refs/1", "content": "new"})
		require.ErrorContains(t, err, `"refs/1" is in ".", which git takes for a repository`)
	})
}

// TestAPlannedChangeNeedsTheSameDirectories replaces a directory between the plan of a write and
// the write itself.
func TestAPlannedChangeNeedsTheSameDirectories(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("creating links needs special rights on Windows")
	}
	// A link to the target replaces the directory. If target is "", another directory replaces it.
	for _, target := range []string{".git/hooks", "other", ""} {
		for _, name := range []string{"dir/f", "dir/new", "dir/sub/new"} {
			t.Run(name+" after dir was replaced by "+cmp.Or(target, "another directory"), func(t *testing.T) {
				k := newFilesToolkit(t)
				k.write(t, ".git/hooks/f", "old")
				k.write(t, "other/f", "old")
				k.write(t, "dir/f", "old")
				root, err := os.OpenRoot(k.dir)
				require.NoError(t, err)
				defer root.Close()
				apply, err := builtin.PlanWrite(t.Context(), root, name, "new")
				require.NoError(t, err)
				require.NoError(t, os.Rename(filepath.Join(k.dir, "dir"), filepath.Join(k.dir, "was")))
				if target == "" {
					k.write(t, "dir/f", "old")
				} else {
					require.NoError(t, os.Symlink(target, filepath.Join(k.dir, "dir")))
				}
				before := filesBelow(t, k.dir)
				require.Error(t, apply())
				require.Equal(t, before, filesBelow(t, k.dir))
			})
		}
	}
}

func TestALinkedDirectoryIsNamed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("creating links needs special rights on Windows")
	}
	k := newFilesToolkit(t)
	k.write(t, "real/sub/f", "old")
	require.NoError(t, os.Symlink("sub", filepath.Join(k.dir, "real", "alias")))
	_, err := k.call(t, "files_write", args{"path": "real/alias/f", "content": "new"})
	require.EqualError(t, err, `"real/alias/f" leads through the symbolic link "real/alias", `+
		`and nothing is written through links; name the directory that it leads to`)
}

func TestALongPathIsNotWritten(t *testing.T) {
	k := newFilesToolkit(t)
	_, err := k.call(t, "files_write", args{"path": strings.Repeat("d/", 2100) + "f", "content": "new"})
	require.ErrorContains(t, err, "the path has 4201 bytes, and at most 4096 are allowed")
}
