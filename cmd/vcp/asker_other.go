//go:build !unix

package main

import (
	"errors"
	"os"
)

// canAsk is false where a question cannot be ended from outside.
const canAsk = false

func openTerminal() (*os.File, error) { return nil, errors.ErrUnsupported }

func discardTyped(*os.File) {}
