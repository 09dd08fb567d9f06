package workspace

import "github.com/vcpgo/vcp/cmd/vcp/internal/cli"

// Protect keeps the file tools from changing files in which the command records what happens, such
// as the file of --audit. It ignores "". It is called before the engine runs.
func (s *Workspace) Protect(files ...string) {
	for _, file := range files {
		if file != "" {
			s.records = append(s.records, file)
		}
	}
}

// protected returns the files and directories that the file tools must not change: those that
// decide which programs run and which calls need approval, and those in which vcp records what
// happened.
func (s *Workspace) protected() []string {
	list := append(s.sources.Files(), s.records...)
	if s.File != "" {
		list = append(list, s.File)
	}
	for _, variable := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"} {
		if dir, err := cli.UserDir(variable); err == nil {
			list = append(list, dir)
		}
	}
	return list
}
