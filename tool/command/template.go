package command

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// templateName matches names that are valid for a file, for a tool and for a script.
var templateName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9-]{0,39}$`)

// New writes a commented file of one command tool, NAME.yaml, and the script that it runs, NAME.sh,
// to a directory, and returns their paths. It replaces no file: if one exists, the error wraps
// fs.ErrExist, and nothing is written.
func New(dir, name string) (file, script string, err error) {
	if !templateName.MatchString(name) {
		return "", "", fmt.Errorf("the name %q cannot be used; allowed are up to 40 letters, digits and hyphens, with a letter first", name)
	}
	file, script = filepath.Join(dir, name+".yaml"), filepath.Join(dir, name+".sh")
	for _, path := range []string{file, script} {
		if _, err := os.Lstat(path); err == nil {
			return "", "", fmt.Errorf("%w, and is not replaced; choose another name, or remove the file",
				&os.PathError{Op: "create", Path: path, Err: os.ErrExist})
		}
	}
	for path, text := range map[string]string{file: templateYAML, script: templateScript} {
		if err := create(path, strings.ReplaceAll(text, "NAME", name)); err != nil {
			return "", "", err
		}
	}
	return file, script, nil
}

func create(path, text string) error {
	//nolint:gosec // the user's umask applies, as for any text that a person writes
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}

const templateYAML = `# Tools for vcp. Each method runs a program. Try it:
#   vcp tools check NAME.yaml
#   vcp call --tools NAME.yaml NAME_greet name=Ann
#   vcp chat --tools NAME.yaml "Greet the person Ann."
tools:
  - id: NAME                    # a model calls the method below as NAME_greet
    description: Greetings.
    methods:
      - name: greet
        description: Greets a person by name.   # models choose by this sentence
        risk: read              # read, write or dangerous; by default a person must approve write and dangerous
        parameters:             # a JSON Schema of the arguments
          type: object
          properties:
            name: {type: string, description: the person to greet}
            language: {type: string, enum: [en, zh], default: en}
          required: [name]
        # The program and its arguments. No shell reads them. All arguments of the call also come as
        # one JSON object on standard input. What the program prints is the result.
        run: [sh, NAME.sh, "${name}", "${language}"]
        timeout: 5s
        examples:
          - {name: Ann, language: zh}
        # More fields:
        # title: Greet                  # the name for people
        # aliases: [hello]              # other names for the method
        # tags: [demo]
        # dir: .                        # the working directory, relative to this file
        # env: [MY_TOKEN]               # variables of your environment that the program may see
        # output: auto                  # text, json, or auto: JSON if it is {"output": ..., "details": ..., "files": [...]}
        # idempotent: true              # may run again after a failure
        # concurrency: 1                # how many calls run at once
        # secretParameters: [password]  # arguments that are masked wherever calls are shown
`

const templateScript = `# $1, $2 and so on are the arguments in the field run of NAME.yaml.
name=$1
language=$2

# All arguments are one JSON object on standard input; jq or another language can read it.
arguments=$(cat)

# Lines on standard error are shown to the person as progress. A status other than 0 is a failure,
# with these lines as the reason.
echo "greeting for $arguments" >&2

case $language in
zh) echo "你好，$name！" ;;
*) echo "Hello, $name!" ;;
esac
`
