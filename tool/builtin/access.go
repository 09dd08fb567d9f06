package builtin

import (
	"bytes"
	"io/fs"
	"os"
)

// access says who may do what with a file.
type access struct {
	mode  fs.FileMode // the permissions
	owner owner
	list  []byte // the access control list of Linux, or nil
}

// owner is the user and the group of a file, on systems that have them.
type owner struct{ user, group int }

func accessOf(file *os.File, info fs.FileInfo) (access, error) {
	list, err := accessList(file)
	return access{info.Mode().Perm(), ownerOf(info), list}, err
}

func (a access) equal(b access) bool {
	return a.mode == b.mode && a.owner == b.owner && bytes.Equal(a.list, b.list)
}

// errGroup is the error for a file whose permissions a new file would give to another group.
var errGroup = errorf("its permissions are for a group that this program may not give to a new file; a member of the group can change it")

// give gives a new file the access of the old one. The caller has made the new file accessible to
// its owner only, so at no time may anybody do more with it than with the old file. give reports
// whether the owner and the group were kept.
func (a access) give(file *os.File) (kept bool, err error) {
	info, err := file.Stat()
	if err != nil {
		return false, err
	}
	kept = true
	now := ownerOf(info)
	if now.group != a.owner.group && file.Chown(-1, a.owner.group) != nil {
		// The new file keeps its own group. Unless a group may do the same as others, members of
		// the new or of the old group could do more with the new file than with the old one. With a
		// list, the mode does not tell what the group may do.
		ofGroup, ofOthers := a.mode>>3&7, a.mode&7
		if a.list != nil || ofGroup != ofOthers {
			return false, errGroup
		}
		kept = false
	}
	if err := setAccessList(file, a.list); err != nil {
		return false, err
	}
	if err := file.Chmod(a.mode); err != nil {
		return false, err
	}
	// The user is changed last, since only the owner may change the rest.
	if now.user != a.owner.user && file.Chown(a.owner.user, -1) != nil {
		kept = false
	}
	return kept, nil
}
