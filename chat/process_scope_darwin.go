package chat

import "golang.org/x/sys/unix"

// processScope identifies the running system. It returns "" if the system cannot be identified.
func processScope() string {
	boot, err := unix.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return ""
	}
	return boot
}
