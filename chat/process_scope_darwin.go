package chat

import "golang.org/x/sys/unix"

// processScope identifies the scope in which process IDs are unique: one run of the
// system, from its start to its shutdown. It returns "" if the system does not say.
func processScope() string {
	boot, err := unix.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return ""
	}
	return boot
}
