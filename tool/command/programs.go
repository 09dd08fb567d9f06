package command

import "regexp"

// noValue matches arguments without a value.
var noValue = pattern(`(?:FIXED)*`)

// codeArgument matches arguments with an option that contains code, or that names its file. It also
// matches a single option such as --version.
var codeArgument = pattern(`(?:FIXED)*(?:-[a-zA-Z]*[cefgox](?:;REST|REST)|--(?:command|file|execute|eval|source)(?:;|=)REST)(?:FIXED)*
	|--(?:version|help);|-[vVh];`)

var (
	sshFlags = `-[46AaCfGgKkMNqsTtVvXxYy]+;|-[BbcDEeFIiJLlmoOpQRSWw](?:;FIXED|REST)`
	// tarMode is the first argument of tar, if the name of an archive follows it. tarOption is an
	// option, with its argument, that runs no program.
	tarMode   = `-?[ctxruAvzjJZapPkmOSUWhiBs]*f;`
	tarOption = `LONG|--(?:directory|exclude|strip-components|transform|xform)=[^\x00]*;|-C;WORD|-[vzjJkpmOSWP]+;
		|--(?:force-local|gzip|xz|zstd|bzip2|verbose|wildcards|no-same-owner|numeric-owner);`
	rsyncOption = `LONG|--(?:exclude|include)=[^\x00]*;|-[abcdghiklmnopqrtuvxyzACDEFHLNOPRSUWX0-9]+;
		|--(?:archive|checksum|compress|delete|dry-run|partial|progress|quiet|recursive|stats|update|verbose);`
	// gitData are commands of git of which no argument is a program. gitRemote are commands of
	// which some options name a program, with any of their other options.
	gitData = `(?:add|am|apply|blame|branch|cat-file|checkout|cherry-pick|commit|count-objects|describe|diff|init|log
		|ls-files|ls-tree|merge|merge-base|mv|name-rev|notes|reflog|reset|restore|rev-list|rev-parse|revert|rm|shortlog
		|show|show-ref|stash|status|switch|tag|worktree);`
	gitRemote = `(?:archive|clone|fetch|grep|ls-remote|pull|push);(?:LONG|-[0-9abdEFfhIiLlnPpqrvw]+;|--(?:all|bare|cached|
		count|delete|depth|ff-only|force|force-with-lease|heads|mirror|prune|quiet|rebase|refs|set-upstream|tags|verbose);|VALUE)*`
	containerFlags = `-[itdP]+;|--(?:detach|init|interactive|privileged|read-only|rm|tty);|-[evwupn];FIXED|-eNAME|--env=NAME|LONG`
)

// programs run what some of their arguments say: a command, an expression that can start a program,
// the name of a file with code, or the name of a computer that a second program connects to. Their
// names are also ordinary words, so they count only if they are started.
var programs = []interpreter{
	{ // Build tools: an operand may be the assignment of a variable, which may run a command.
		names: programNames(`(?:[bgpndqc]|mingw32-|re)?make|rake|just|scons|waf|ant|mvnw?|gradlew?|bazel|buck|invoke|fab|doit`),
		safe:  noValue,
	},
	{ // Shells of databases: an operand may be a command that starts a shell.
		names: programNames(`sqlite|sqlcipher|duckdb|litecli`),
		safe:  noValue,
		namesCode: pattern(`(?:-(?:init|cmd|separator|newline|nullvalue);FIXED
			|-(?:ascii|batch|box|column|csv|header|html|json|line|list|markdown|readonly|safe|table|tabs);)*WORDWORD(?:FIXED)*
			|--?(?:version|help);`),
	},
	{ // These run code. Without an option that contains or names it, they read it from standard input.
		names: programNames(`psql|pgcli|my(?:sql|cli|sqlsh)|mariadb|usql|sqlplus|sqlcmd|isql|mongo(?:sh)?|cqlsh|clickhouse(?:-client)?
			|gdb|lldb|at|batch|su|runuser|script`),
		safe:      noValue,
		namesCode: codeArgument,
	},
	{ // Languages and macro processors: an operand is code, or a file with code.
		names: programNames(`m4|gm4|dc|gnuplot|maxima|gp|sage|matlab|r|ghci|jshell|swipl|erl|iex|irb|pry|bpython|gforth|clojure|clj
			|sbcl|clisp|ecl|gs|ghostscript|(?:pdf|xe|lua|dvi|la|pdfla|xela|luala)?tex|latexmk|context`),
		safe:      noValue,
		namesCode: anyWord,
	},
	{ // Interpreters that pass what follows their file to the code in it, as arguments.
		names:     programNames(`octave(?:-cli)?|runghc|runhaskell|ocaml|scala|bb|raku|hy|janet|ipython|coffee|[cw]script|mshta`),
		safe:      pattern(`WORD(?:ANY)*`),
		namesCode: anyWord,
	},
	{ // Editors: an operand may be a command (+!ls), and standard input has commands, too.
		names: programNames(`r?ed|ex|[gnr]{0,2}(?:vim?|view|vimdiff)(?:\.[a-z]+)?|elvis|emacs(?:client)?|nano|pico|joe|jed|kak|hx
			|micro|mcedit|zile|mg`),
		safe:      noValue,
		namesCode: pattern(`--(?:version|help);|(?:FIXED)*-{1,2}batch;(?:FIXED)*`),
	},
	{ // Pagers, openers, terminals, and programs that connect two others.
		names: programNames(`less|more|most|lv|w3m|e?links2?|lynx|xdg-open|open|start|explorer|rundll32|regsvr32|wmic|schtasks
			|socat|screen|tmux|crontab|telnet|t?ftp|sftp|lftp|entr|watchexec`),
		safe: noValue,
	},
	{ // These join their arguments to a command.
		names:     programNames(`ssh|rsh|mosh|autossh|sshpass`),
		safe:      noValue,
		namesCode: pattern(`(?:` + sshFlags + `)*WORDWORD(?:FIXED)*|-V;`), // without a command, a shell reads standard input
		starts:    true,
	},
	{
		names:     programNames(`parallel`),
		safe:      noValue,
		namesCode: pattern(`(?:FIXED)*(?::::[:+]*|-a|--arg-file);FIXED(?:FIXED)*|(?:FIXED)*--arg-file=REST(?:FIXED)*|--(?:version|help);`),
		starts:    true,
	},
	{ // Without a file, xargs makes arguments and options of what it reads from standard input.
		names: programNames(`xargs`),
		safe: pattern(`(?:-[0rtx]+;|LONG)*(?:-a;WORD|-aREST|--arg-file=REST)
			(?:-[0rtx]+;|-[nPLsIdE](?:;FIXED|REST)|LONG)*WORD(?:ANY)*`),
		namesCode: pattern(`(?:FIXED)*(?:-a;REST|-aREST|--arg-file=REST)(?:FIXED)*|--(?:version|help);`),
		starts:    true,
	},
	{
		names:  programNames(`systemd-run|unbuffer|tini|dumb-init|strace|ltrace|valgrind|xvfb-run|caffeinate|npx|bunx|uvx`),
		safe:   pattern(`(?:LONG|--;|-[fqy]+;|--(?:user|scope|pty|wait|quiet|collect|pipe|no-block|yes);)*WORD(?:ANY)*`),
		starts: true,
	},
	{
		names:  programNames(`flock|chroot|chrt|taskset|gosu|su-exec`),
		safe:   pattern(`(?:LONG|--;|-[nrfbxse]+;)*WORDWORD(?:ANY)*`),
		starts: true,
	},
	{
		names: programNames(`docker|podman|nerdctl|kubectl|oc`),
		safe: pattern(`(?:LONG)*(?:
			(?:run|exec);(?:` + containerFlags + `)*WORD(?:--;)?WORD(?:ANY)*
			|(?:ps|images|inspect|logs|stats|top|port|diff|start|stop|restart|kill|rm|pull|get|describe);
				(?:LONG|-[a-zA-Z]+;|--(?:container|filter|format|namespace|output|selector|since|tail)=[^\x00]*;|VALUE)*
		)`),
		starts: true,
	},
	{
		names: programNames(`git`),
		safe: pattern(`(?:-C;WORD|-c;WORD|LONG|--no-pager;|-P;)*(?:
			` + gitData + `(?:ANY)*
			|` + gitRemote + `(?:--;(?:ANY)*)?
		)`),
	},
	{ // A name with a colon is an archive on another computer, which tar reaches with ssh.
		names: programNames(`(?:g|bsd)?tar`),
		safe: pattern(tarMode + `(?:
			(?:WORD|-;)(?:` + tarOption + `|VALUE)*(?:--;(?:ANY)*)?
			|LOCAL(?:` + tarOption + `|LOCAL|WORD)*
		)`),
	},
	{ // These, too, use ssh to reach a name with a colon.
		names: programNames(`rsync|scp`),
		safe:  pattern(`(?:` + rsyncOption + `|--;|LOCAL|WORD)*`),
	},
	{ // ImageMagick: a name such as "|ls" runs a command.
		names: programNames(`magick|convert|mogrify|identify|composite|montage|conjure|gm`),
		safe:  pattern(`(?:FIXED|LOCAL)*`),
	},
	{
		names: programNames(`java`),
		safe: pattern(`(?:-D[\w.]+=[^\x00]*;|-X[^\x00\x01]*;|-(?:ea|da|server);|-(?:cp|classpath|p);FIXED|LONG)*
			(?:-jar;WORD|WORD|-m;WORD)(?:ANY)*`),
	},
	{ // A file of Go that follows the first one is code, too.
		names: programNames(`go`),
		safe: pattern(`run;(?:-[a-z]+=FIXED)*(?:\.|\.{0,2}/?[\w/-]+);(?:ANY)*|doc;(?:VALUE)*
			|test;(?:FIXED|-(?:run|bench|skip|count)=[^\x00]*;)*`),
	},
}

// programOption matches a program and one of its options whose argument is a program or a command.
// Many programs have the options with long names.
var programOption = regexp.MustCompile(`^(?:\S* --?(?:[a-z]+-)*(?:exec|execdir|ok|okdir|exec-batch|execute|eval|cmd|command|program` +
	`|rsh|askpass|pager|extcmd|upload-pack|receive-pack|checkpoint-action)` +
	`|split --filter|rg --pre|(?:fd|fdfind) -[xX]|zip -TT|man -[PH]|n(?:c|cat|etcat) -[ec]|ncat --sh-exec)$`)
