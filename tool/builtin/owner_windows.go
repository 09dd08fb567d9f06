package builtin

import (
	"io/fs"
	"os"
	"syscall"
)

func ownerOf(fs.FileInfo) owner { return owner{} }

// linksOf returns how many names a file has, or 1 if the number is not known.
func linksOf(file *os.File, _ fs.FileInfo) int {
	var info syscall.ByHandleFileInformation
	if err := syscall.GetFileInformationByHandle(syscall.Handle(file.Fd()), &info); err != nil {
		return 1
	}
	return int(info.NumberOfLinks)
}
