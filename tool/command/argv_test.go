//go:build unix

package command_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool/command"
)

// mistakesOf loads a file with one method, which has the given field run. It returns the fields
// with mistakes.
func mistakesOf(t *testing.T, dir, run string) []string {
	t.Helper()
	const properties = "        parameters: {properties: {a: {type: string}, b: {type: string}}}\n"
	const method = "tools:\n  - id: t\n    methods:\n      - name: m\n        description: d\n"
	path := write(t, dir, "tools.yaml", method+properties+"        run: ["+run+"]\n")
	_, err := command.Load(path)
	if err == nil {
		return nil
	}
	var mistakes command.FileErrors
	require.ErrorAs(t, err, &mistakes)
	var fields []string
	for _, m := range mistakes {
		fields = append(fields, strings.TrimPrefix(m.Field, "tools[0].methods[0]."))
	}
	return fields
}

func TestNoValueIsCode(t *testing.T) {
	dir := t.TempDir()
	for run, field := range map[string]string{
		// A shell runs its first argument that is not an option.
		`sh, -c, "${a}"`:                      "run[2]",
		`sh, -c, --, "${a}"`:                  "run[3]",
		`sh, --, "${a}"`:                      "run[2]",
		`bash, -c, -x, "${a}"`:                "run[3]",
		`bash, -x, -c, +x, "echo ${a}"`:       "run[4]",
		`bash, -o, pipefail, "${a}"`:          "run[3]",
		`bash, -euo, pipefail, "${a}"`:        "run[3]",
		`bash, --rcfile, "${a}", x.sh`:        "run[2]",
		`bash, --unknown, x.sh, "${a}"`:       "run[3]",
		`bash, "-c${a}"`:                      "run[1]",
		`bash, "${a}", -c, "${b}"`:            "run[1]",
		`sh, -s, x, "${a}"`:                   "run[3]",
		`/usr/bin/zsh-5.9, -c, "${a}"`:        "run[2]",
		`bash.exe, -c, "${a}"`:                "run[2]",
		`sh, /dev/stdin, "${a}"`:              "run[2]",
		`fish, -c, x, -c, "${a}"`:             "run[4]",
		`python3, -c, "${a}"`:                 "run[2]",
		`python3, "-c${a}"`:                   "run[1]",
		`python3, "-Ic${a}"`:                  "run[1]",
		`python3.12, -W, ignore, -c, "${a}"`:  "run[4]",
		`python3, -X, dev, "${a}"`:            "run[3]",
		`python3, -m, timeit, "${a}"`:         "run[3]",
		`python3, -m, "${a}"`:                 "run[2]",
		`perl, -e, print, -e, "${a}"`:         "run[4]",
		`perl, -e, print, "${a}", -e, "${b}"`: "run[5]",
		`perl, -ne, print, "${a}"`:            "run[3]", // perl runs a value such as "id|" as a command
		`perl, -I, lib, "${a}"`:               "run[3]",
		`perl, "-M${a}", x.pl`:                "run[1]",
		`ruby, -r, json, -e, "${a}"`:          "run[4]",
		`node, -pe, "${a}"`:                   "run[2]",
		`node, "--eval=${a}"`:                 "run[1]",
		`node, -e, x, -r, "${a}"`:             "run[4]",
		`node, --import, "${a}", x.js`:        "run[2]",
		`deno, eval, "${a}"`:                  "run[2]",
		`deno, run, -A, "${a}"`:               "run[3]",
		`bun, exec, "${a}"`:                   "run[2]",
		`bun, -e, "${a}"`:                     "run[2]",
		`php, "-r${a}"`:                       "run[1]",
		`lua, -e, x=1, "${a}"`:                "run[3]",
		`awk, "${a}"`:                         "run[1]",
		`awk, -F, ",", "${a}"`:                "run[3]",
		`awk, "-F${a}", "{print}"`:            "run[1]",
		// If a is absent, -v takes the program as its argument, and b is code.
		`awk, -v, "x=${a}", "{print}", "${b}"`:          "run[2]",
		`gawk, -f, x.awk, -e, "${a}"`:                   "run[4]",
		`gawk, -f, x.awk, --source, "${a}"`:             "run[4]",
		`sed, "s/x/${a}/"`:                              "run[1]",
		`sed, -n, p, x.txt, -e, "${a}"`:                 "run[5]",
		`powershell, -Command, x.ps1, "${a}"`:           "run[3]",
		`pwsh, -NoProfile, "${a}"`:                      "run[2]",
		`cmd, /c, x.bat, "${a}"`:                        "run[3]",
		`ssh, host, ls, "${a}"`:                         "run[3]",
		`osascript, -e, "${a}"`:                         "run[2]",
		`tclsh, "${a}"`:                                 "run[1]",
		`env, "${a}"`:                                   "run[1]",
		`env, A=1, sh, "${a}"`:                          "run[3]",
		`env, "-S${a}"`:                                 "run[1]",
		`busybox, "${a}"`:                               "run[1]",
		`busybox, awk, "${a}"`:                          "run[2]",
		`timeout, 5, "${a}"`:                            "run[2]",
		`sudo, -u, x, nice, -n, 5, python3, "${a}"`:     "run[7]",
		`node, inspect, "${a}"`:                         "run[2]",
		`x.bat, "${a}"`:                                 "run[1]", // cmd interprets the arguments of a batch file
		`su, user, -c, "${a}"`:                          "run[3]",
		`find, ., -exec, awk, "${a}"`:                   "run[4]",
		`xargs, sh, "${a}"`:                             "run[2]",
		`docker, run, -i, image, sh, -c, "${a}"`:        "run[6]",
		`docker, run, -i, image, sh, -c, --, "${a}"`:    "run[7]",
		`docker, run, -i, image, python3, "-c${a}"`:     "run[5]",
		`find, ., -exec, bash, -c, -x, "${a}", "{}", ;`: "run[6]",
		// These read their code from standard input, which contains the values of a call.
		`sh`:              "run[0]",
		`bash, -x`:        "run[0]",
		`sh, -s, x`:       "run[0]",
		`python3, -`:      "run[0]",
		`env, sh`:         "run[1]",
		`node, --inspect`: "run[0]",
		// An operand of these is a command, an assignment that runs one, or a file with code.
		`make, "${a}"`:                        "run[1]", // A:=$(shell ls)
		`gmake, -C, x, all, "V=${a}"`:         "run[4]",
		`sqlite3, notes.db, "${a}"`:           "run[2]", // .shell ls
		`psql, -c, "${a}"`:                    "run[2]", // \! ls
		`mysql, "-e${a}"`:                     "run[1]",
		`ed, "${a}"`:                          "run[1]", // !ls
		`vim, "${a}"`:                         "run[1]", // +!ls
		`/usr/bin/vim.basic, -es, "${a}"`:     "run[2]",
		`emacs, --batch, "${a}"`:              "run[2]",
		`less, "${a}"`:                        "run[1]",
		`gdb, -batch, -ex, "${a}"`:            "run[3]",
		`gnuplot, -e, "${a}"`:                 "run[2]",
		`m4, "-Dx=${a}", x.m4`:                "run[1]",
		`octave, --eval, "${a}"`:              "run[2]",
		`pdflatex, "${a}"`:                    "run[1]",
		`socat, "${a}", x`:                    "run[1]", // EXEC:ls
		`ssh, "${a}", ls`:                     "run[1]",
		`parallel, echo, ":::", "${a}"`:       "run[3]",
		`systemd-run, --user, "${a}"`:         "run[2]",
		`strace, -o, x, "${a}"`:               "run[3]",
		`flock, x.lock, "${a}"`:               "run[2]",
		`npx, -y, "${a}"`:                     "run[2]",
		`docker, run, "${a}"`:                 "run[2]",
		`docker, run, --rm, image, "${a}"`:    "run[4]",
		`docker, run, image, make, "${a}"`:    "run[4]",
		`kubectl, exec, pod, --, "${a}"`:      "run[4]",
		`kubectl, get, "--kubeconfig=${a}"`:   "run[2]",
		`git, "${a}"`:                         "run[1]", // an alias
		`git, -c, "alias.x=${a}", x`:          "run[2]",
		`git, -C, "${a}", status`:             "run[2]", // its configuration names programs
		`git, config, "${a}", x`:              "run[2]",
		`git, bisect, run, "${a}"`:            "run[3]",
		`git, fetch, --upload-pack, "${a}"`:   "run[3]",
		`git, grep, "-O${a}"`:                 "run[2]",
		`tar, "${a}"`:                         "run[1]",
		`tar, tf, "${a}"`:                     "run[2]", // host:file
		`tar, tf, "./${a}", "${b}"`:           "run[3]", // b is the archive if a is absent
		`tar, xf, x.tar, "--to-command=${a}"`: "run[3]",
		`tar, -I, "${a}", -cf, x.tar`:         "run[2]",
		`rsync, -e, "${a}", x, y`:             "run[2]",
		`rsync, -a, "${a}", x`:                "run[2]", // host:file
		`rsync, -a, "host:dir/${a}", x`:       "run[2]", // a shell of the host reads it
		`convert, "${a}", x.png`:              "run[1]", // |ls
		`java, -cp, "${a}", Main`:             "run[2]",
		`go, run, x.go, "${a}"`:               "run[3]",
		`timeout, 5, make, "${a}"`:            "run[3]",
		`find, ., -exec, "${a}", "{}", +`:     "run[3]",
		`find, ., -exec, make, "${a}", +`:     "run[4]",
		// The argument of these options is a program.
		`unknown, --exec, "${a}"`:         "run[2]",
		`unknown, "--rsync-command=${a}"`: "run[1]",
		`sort, "--compress-program=${a}"`: "run[1]",
		`rg, --pre, "${a}", x`:            "run[2]",
		// These read commands from standard input.
		`psql, notes`:                     "run[0]",
		`sqlite3, -init, x.sql, notes.db`: "run[0]",
		`vim, x.txt`:                      "run[0]",
		`m4`:                              "run[0]",
		`at, now`:                         "run[0]",
		`ssh, -p, "22", host`:             "run[0]",
		`su, user`:                        "run[0]",
		`parallel, rm`:                    "run[0]",
		`xargs, rm`:                       "run[0]",
		`env, xargs, -0, rm`:              "run[1]",
	} {
		t.Run(run, func(t *testing.T) { assert.Equal(t, []string{field}, mistakesOf(t, dir, run)) })
	}
}

func TestFixedCodeTakesValues(t *testing.T) {
	dir := t.TempDir()
	for _, run := range []string{
		`sh, x.sh, "${a}", "${b}"`, `sh, ./x.sh, "--a=${a}"`, `sh, -c, "echo \"$1\"", sh, "${a}"`,
		`bash, -ec, "echo \"$1\"", x, "${a}"`, `bash, -euo, pipefail, x.sh, "${a}"`,
		`bash, --norc, -c, --, "ls \"$0\"", "${a}"`, `sh, x.sh, -c, "${a}"`, `sh, /opt/x.sh, "${a}"`,
		`python3, x.py, "${a}"`, `python3, -u, -W, ignore, x.py, -c, "${a}"`,
		`python3, -c, "import sys", "${a}"`, `python3, -m, json.tool, "${a}"`, `python3, --version`,
		`perl, -e, print, "${a}"`, `perl, -MJSON, -le, print, --, "${a}"`, `perl, -lne, print, x.txt`,
		`ruby, -e, "puts 1", "${a}"`, `ruby, x.rb, "${a}"`,
		`node, x.js, "${a}"`, `node, --no-warnings, --max-old-space-size=100, x.mjs, "${a}"`,
		`node, -e, x, "${a}"`, `node, --unknown, x.js`, `node, -v`,
		`deno, run, --allow-net, x.ts, "${a}"`, `bun, run, x, "${a}"`, `bun, x.ts, "${a}"`,
		`php, -d, a=1, x.php, "${a}"`, `lua, -l, x, x.lua, "${a}"`,
		`awk, "{print}", "${a}"`, `awk, -F, ",", "-vx=${a}", "{print x}", "${b}"`, `gawk, -f, x.awk, "${a}"`,
		`sed, -n, 1p, "${a}"`, `sed, -e, p, --, "${a}"`,
		`pwsh, -NoProfile, -ExecutionPolicy, Bypass, -File, x.ps1, "${a}"`, `ssh, host, uptime`, `osascript, x.scpt, "${a}"`,
		`env, "A=${a}", ls, "${b}"`, `timeout, -k, 1, 5, ls, "${a}"`, `busybox, ls, "${a}"`,
		`nice, -n, 5, python3, x.py, "${a}"`, `docker, run, image, python3, x.py, "${a}"`, `cat, x.bat, "${a}"`,
		`find, "${a}", -exec, grep, "${b}", "{}", +`, `grep, -r, node, "${a}"`, `git, log, "--author=${a}"`, `ls, "${a}"`,
		`make, -C, x, all`, `sqlite3, -json, notes.db, "select 1"`, `psql, -c, "select 1"`, `psql, -At, --file=x.sql`,
		`gdb, -batch, -ex, bt, x`, `m4, x.m4`, `octave, x.m, "${a}"`, `emacs, --batch, -l, x.el`, `at, -f, x, now`,
		`xargs, -a, x, -n, "1", ls, "${a}"`, `parallel, ls, ":::", x`, `flock, x.lock, ls, "${a}"`, `npx, -y, prettier, "${a}"`,
		`git, status`, `git, -C, x, commit, -m, "${a}"`, `git, log, -n, "5", --, "${a}"`, `git, clone, --depth=1, "${a}"`,
		`git, push, origin, "${a}"`, `git, grep, -n, "${a}"`, `tar, czf, x.tgz, "${a}"`, `tar, -xf, x.tar, --, "${a}"`,
		`tar, xf, "./${a}", -C, out`, `rsync, -a, --delete, "in/${a}", out`, `convert, "./${a}", x.png`, `docker, logs, "${a}"`,
		`docker, run, --rm, -e, A=1, image, ls, "${a}"`, `kubectl, exec, pod, --, ls, "${a}"`, `kubectl, get, pods, -n, "${a}"`,
		`java, "-Dx=${a}", -jar, x.jar, "${b}"`, `go, run, ./cmd/x, "${a}"`, `go, test, ./..., "-run=${a}"`,
		`gh, pr, view, -c, "${a}"`, `jq, .x, "${a}"`, `curl, "${a}"`, `python3, x.py, --exec, "${a}"`,
		`sh, -c, "exec make -- \"$1\"", sh, "${a}"`,
	} {
		t.Run(run, func(t *testing.T) { assert.Empty(t, mistakesOf(t, dir, run)) })
	}
	assert.NoFileExists(t, filepath.Join(dir, "x.sh"), "the check does not need the files")
}
