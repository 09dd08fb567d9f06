package cli

import (
	"io"
	"os"
)

// OpenInput opens the file that the first argument names. If there is no argument, or it is "-",
// OpenInput returns stdin. name is what errors call the input.
func OpenInput(stdin io.Reader, args []string) (in io.ReadCloser, name string, err error) {
	if len(args) == 0 || args[0] == "-" {
		return io.NopCloser(stdin), "standard input", nil
	}
	f, err := os.Open(args[0])
	if err != nil {
		return nil, "", Message("cannot read the file: %v", err)
	}
	return f, args[0], nil
}
