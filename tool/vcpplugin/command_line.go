package vcpplugin

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// splitCommandLine splits entryPoint.command at white space outside of quotes, as a shell does. It
// refuses the characters of pipes, redirections, substitutions and lists of commands, since no
// shell reads the command line.
func splitCommandLine(s string) (argv []string, err error) {
	var word strings.Builder
	begun, quote := false, rune(0)
	for _, r := range s {
		switch {
		case r == 0:
			return nil, errors.New("entryPoint.command contains the character NUL")
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, begun = r, true
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			if begun {
				argv = append(argv, word.String())
			}
			word.Reset()
			begun = false
		case strings.ContainsRune("|&;<>()$`", r):
			return nil, fmt.Errorf("entryPoint.command is %q; %q needs a shell, and none is used: write a script, and name it here", s, r)
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("entryPoint.command is %q; the quotation mark %q is not closed", s, quote)
	}
	if begun {
		argv = append(argv, word.String())
	}
	switch {
	case len(argv) == 0 || argv[0] == "":
		return nil, errors.New("entryPoint.command is missing")
	case strings.Contains(argv[0], "="):
		return nil, fmt.Errorf("entryPoint.command is %q; it must begin with a program (put variables into config.env)", s)
	}
	return argv, nil
}

// interpreters are the programs that run scripts, by file extension, if an entry point names only a
// script.
var interpreters = map[string]string{".js": "node", ".mjs": "node", ".cjs": "node", ".py": "python", ".sh": "sh"}

// scriptCommand returns the command line of a script, or nil if no interpreter has its extension.
func scriptCommand(script string) []string {
	if program, ok := interpreters[strings.ToLower(filepath.Ext(script))]; ok {
		return []string{program, script}
	}
	return nil
}
