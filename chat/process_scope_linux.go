package chat

import "os"

// processScope identifies the running system and the PID namespace of this process. It returns ""
// if one of them cannot be identified.
func processScope() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	namespace, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return string(boot) + namespace
}
