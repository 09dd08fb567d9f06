package builtin_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

// asUser calls f on a thread that works with files as the user and the group with the given id. It
// skips the test if the thread may not change its user.
func asUser(t *testing.T, id int, f func()) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		var err error
		defer func() { done <- err }()
		// Unlike syscall.Setgroups, a raw call changes only this thread.
		if _, _, errno := syscall.RawSyscall(syscall.SYS_SETGROUPS, 0, 0, 0); errno != 0 {
			err = errno
		}
		if err = errors.Join(err, unix.Setfsgid(id), unix.Setfsuid(id)); err == nil {
			f()
		}
	}()
	if err := <-done; err != nil {
		t.Skip("no thread can work as another user: ", err)
	}
}

// needRoot skips a test that gives files to other users, unless it runs as root.
func needRoot(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can give files to others")
	}
}

func accessOf(t require.TestingT, name string) (mode os.FileMode, user, group uint32) {
	info, err := os.Stat(name)
	require.NoError(t, err)
	stat := info.Sys().(*syscall.Stat_t)
	return info.Mode(), stat.Uid, stat.Gid
}

// TestLawAChangeKeepsPermissionsAndOwner edits files with any permissions and owners. (A law is a
// property that rapid checks with generated inputs.)
func TestLawAChangeKeepsPermissionsAndOwner(t *testing.T) {
	needRoot(t)
	k := newFilesToolkit(t)
	name := filepath.Join(k.dir, "f")
	rapid.Check(t, func(r *rapid.T) {
		k.write(t, "f", "old")
		user, group := rapid.IntRange(0, 3).Draw(r, "user"), rapid.IntRange(0, 3).Draw(r, "group")
		require.NoError(r, os.Chown(name, user, group))
		require.NoError(r, os.Chmod(name, os.FileMode(rapid.IntRange(0, 0o777).Draw(r, "mode"))))
		oldMode, oldUser, oldGroup := accessOf(r, name)
		_, err := k.call(t, "files_edit", args{"path": "f", "oldText": "old", "newText": "new"})
		require.NoError(r, err)
		newMode, newUser, newGroup := accessOf(r, name)
		require.Equal(r, []any{oldMode, oldUser, oldGroup}, []any{newMode, newUser, newGroup})
	})
}

func TestPermissionsAreNotGivenToAnotherGroup(t *testing.T) {
	needRoot(t)
	for _, tt := range []struct {
		name        string
		mode        os.FileMode
		user, group int
		text, err   string
	}{
		// The program works as user 7 with group 7.
		{"the program's own user and group", 0o640, 7, 7, "Edited f at line 1.", ""},
		{
			"a group that may do more than others", 0o664, 7, 8, "",
			`"f" cannot be written: its permissions are for a group that this program may not give to a new file`,
		},
		{"a group that may do less than others", 0o604, 7, 8, "", `"f" cannot be written: its permissions are for a group`},
		{
			"a group that may do the same as others", 0o644, 7, 8,
			"Edited f at line 1. Its owner or its group could not be kept: it belongs to the user of this program now.",
			"",
		},
		{
			"another owner", 0o664, 8, 7,
			"Edited f at line 1. Its owner or its group could not be kept: it belongs to the user of this program now.",
			"",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := newFilesToolkit(t)
			require.NoError(t, os.Chown(k.dir, 7, 7))
			k.write(t, "f", "old")
			name := filepath.Join(k.dir, "f")
			require.NoError(t, os.Chown(name, tt.user, tt.group))
			require.NoError(t, os.Chmod(name, tt.mode))
			text, err := "", errors.New("not called")
			asUser(t, 7, func() {
				out, callErr := k.call(t, "files_edit", args{"path": "f", "oldText": "old", "newText": "new"})
				text, err = out.Text, callErr
			})
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				require.Equal(t, "old", k.read(t, "f"))
				_, user, group := accessOf(t, name)
				require.Equal(t, [2]uint32{uint32(tt.user), uint32(tt.group)}, [2]uint32{user, group})
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.text, text)
			mode, _, _ := accessOf(t, name)
			require.Equal(t, tt.mode, mode)
			require.Equal(t, []string{"f"}, k.names(t))
		})
	}
}

// accessList is an access control list in which user 7 may read and write, and the group nothing.
// It has the form of the attribute: a version, then a tag, permissions and an ID for each entry.
const accessList = "\x02\x00\x00\x00" +
	"\x01\x00\x06\x00\xff\xff\xff\xff" + "\x02\x00\x06\x00\x07\x00\x00\x00" +
	"\x04\x00\x00\x00\xff\xff\xff\xff" + "\x10\x00\x06\x00\xff\xff\xff\xff" + "\x20\x00\x00\x00\xff\xff\xff\xff"

func TestAnEditKeepsAccessControlLists(t *testing.T) {
	k := newFilesToolkit(t)
	k.write(t, "f", "old")
	k.write(t, "without", "old") // has no list, and must not get the list that its directory gives to new files
	name := filepath.Join(k.dir, "f")
	if err := unix.Setxattr(name, "system.posix_acl_access", []byte(accessList), 0); err != nil {
		t.Skip("the file system has no access control lists: ", err)
	}
	require.NoError(t, unix.Setxattr(k.dir, "system.posix_acl_default", []byte(accessList), 0))
	for _, file := range []string{"f", "without"} {
		oldMode, _, _ := accessOf(t, filepath.Join(k.dir, file))
		_, err := k.call(t, "files_edit", args{"path": file, "oldText": "old", "newText": "new"})
		require.NoError(t, err)
		newMode, _, _ := accessOf(t, filepath.Join(k.dir, file))
		require.Equal(t, oldMode, newMode)
	}
	list := make([]byte, 1<<10)
	n, err := unix.Getxattr(name, "system.posix_acl_access", list)
	require.NoError(t, err)
	require.Equal(t, accessList, string(list[:n]))
	_, err = unix.Getxattr(filepath.Join(k.dir, "without"), "system.posix_acl_access", list)
	require.ErrorIs(t, err, unix.ENODATA)
}
