package chat

import "golang.org/x/sys/unix"

// processScope identifies the running system, or returns "".
func processScope() string {
	boot, err := unix.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return ""
	}
	return boot
}
