package builtin

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

const (
	accessAttribute = "system.posix_acl_access"
	// maxAccessList is how long an attribute may be on Linux, in bytes.
	maxAccessList = 64 << 10
)

// accessList returns the access control list of a file, or nil if it has none. With a list, the
// permissions of the group are a limit for everybody whom the list names.
func accessList(file *os.File) ([]byte, error) {
	size, err := unix.Fgetxattr(int(file.Fd()), accessAttribute, nil)
	if hasNoList(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if size > maxAccessList {
		return nil, unix.E2BIG
	}
	list := make([]byte, size)
	size, err = unix.Fgetxattr(int(file.Fd()), accessAttribute, list)
	if err != nil {
		return nil, err
	}
	return list[:size], nil
}

// setAccessList sets the list of a file. If list is nil, it removes the list that a new file gets
// from its directory.
func setAccessList(file *os.File, list []byte) error {
	if list != nil {
		return unix.Fsetxattr(int(file.Fd()), accessAttribute, list, 0)
	}
	if err := unix.Fremovexattr(int(file.Fd()), accessAttribute); !hasNoList(err) {
		return err
	}
	return nil
}

func hasNoList(err error) bool {
	return errors.Is(err, unix.ENODATA) || errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.ENOSYS)
}
