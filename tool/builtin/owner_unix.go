//go:build unix

package builtin

import (
	"io/fs"
	"os"
	"syscall"
)

func ownerOf(info fs.FileInfo) owner {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return owner{int(stat.Uid), int(stat.Gid)}
	}
	return owner{}
}

// linksOf returns how many names a file has, or 1 if the number is not known.
func linksOf(_ *os.File, info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Nlink)
	}
	return 1
}
