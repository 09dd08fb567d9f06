package terminal

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/peterh/liner"
	"github.com/stretchr/testify/require"
)

func TestOnlyTheOwnerMayReadTheHistory(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	path := filepath.Join(dir, "vcp", "history")
	require.NoError(t, os.Mkdir(filepath.Dir(path), 0o700))
	for name, lines := range map[string]int{"short": 1, "shortened": 2 * liner.HistoryLimit} {
		t.Run("a "+name+" history is restricted to its owner", func(t *testing.T) {
			require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("message\n", lines)), 0o600))
			require.NoError(t, os.Chmod(path, 0o644))
			h, err := loadHistory(unmasked)
			require.NoError(t, err)
			requireOwnerOnly(t, path)
			require.NoError(t, os.Chmod(path, 0o644))
			h.add("more")
			requireOwnerOnly(t, path)
			kept, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, strings.Join(append(h.lines, "more", ""), "\n"), string(kept))
		})
	}
}

func TestALongHistoryIsShortened(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	h, err := loadHistory(unmasked)
	require.NoError(t, err)
	for i := range 2 * liner.HistoryLimit {
		h.add("message " + strconv.Itoa(i))
	}
	h, err = loadHistory(unmasked)
	require.NoError(t, err)
	require.Len(t, h.lines, liner.HistoryLimit)
	require.Equal(t, "message "+strconv.Itoa(liner.HistoryLimit), h.lines[0])
	kept, err := os.ReadFile(filepath.Join(dir, "vcp", "history"))
	require.NoError(t, err)
	require.Equal(t, strings.Join(h.lines, "\n")+"\n", string(kept))
}

func TestOnlyTheEndOfALongHistoryIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("x", maxHistory)+"\nlast but one\nlast\n"), 0o600))
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	var h history
	require.NoError(t, h.readEnd(f))
	require.Equal(t, []string{"last but one", "last"}, h.lines)
}

func unmasked(message string) string { return message }

func TestTheHistoryLacksSecrets(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	path := filepath.Join(dir, "vcp", "history")
	require.NoError(t, os.Mkdir(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte("old key\nhello\n"), 0o600))
	h, err := loadHistory(func(message string) string { return strings.ReplaceAll(message, "key", "[secret]") })
	require.NoError(t, err)
	h.add("new key")
	kept, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "old [secret]\nhello\nnew [secret]\n", string(kept))
}

func TestAMessageBeforeTheEndOfALongHistoryIsDropped(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	path := filepath.Join(dir, "vcp", "history")
	require.NoError(t, os.Mkdir(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte("old key\n"+strings.Repeat("x", maxHistory)+"\nhello\n"), 0o600))
	_, err := loadHistory(unmasked)
	require.NoError(t, err)
	kept, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "hello\n", string(kept))
}

// requireOwnerOnly requires that only the owner of a file may read and write it.
func requireOwnerOnly(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}
