package command

import (
	"regexp"
	"strings"
)

// interpreter is a program that runs code or another program that its arguments name. In this file,
// a value is the place of a parameter in the arguments. The model chooses the text there.
type interpreter struct {
	names *regexp.Regexp
	// safe matches arguments in which no value is code, an option that takes code, or the name of a
	// program. It contains only known options. It does not match an unknown option before a value,
	// since the option might take the next element as its argument.
	safe *regexp.Regexp
	// namesCode matches arguments that contain the code, or the name of its file. It is used only
	// if no argument contains a value. If it does not match, the program reads its code from
	// standard input, which contains the arguments of the call. nil means that the program never
	// reads code from there.
	namesCode *regexp.Regexp
	// starts reports that the program starts another one, which its arguments name.
	starts bool
}

// pattern compiles a pattern of a list of arguments. In the pattern, a semicolon is the end of an
// element. In the list, a value is the character U+0001, and each element ends with NUL. A value
// may be empty in a call, and its element may be absent.
func pattern(s string) *regexp.Regexp {
	return regexp.MustCompile(`(?s)^(?:` + strings.NewReplacer(
		"ANY", `[^\x00]*\x00`, // any element
		"FIXED", `[^\x00\x01]*\x00`, // an element without a value
		"REST", `[^\x00\x01]+\x00`, // the rest of an element without a value, at least one character
		"TAIL", `[^\x00\x01]*\x00`, // the rest of an element without a value
		"WORD", `(?:[^-+\x00\x01][^\x00\x01]*\x00)`, // an element without a value that is not an option
		"FILE", `(?:[^-+\x00\x01][^\x00\x01]*[./][^\x00\x01]*\x00)`, // a WORD that is a file, and not a command of the program
		"VALUE", `(?:(?:[^-\x00][^\x00]*)?\x00)`, // an element, with or without a value, that is not an option
		// an element that is a local path, with or without a value; programs that connect to other
		// computers read a name with a colon before the first slash as one of theirs
		"LOCAL", `(?:(?:[^-:/\x00\x01][^:/\x00\x01]*)?/[^\x00]*\x00)`,
		"LONG", `--[\w-]+=[^\x00\x01]*\x00`, // a long option with its argument
		"NAME", `[A-Za-z_]\w*=[^\x00]*\x00`, // the assignment of a variable, to a value or a fixed text
		";", `\x00`, " ", "", "\n", "", "\t", "",
	).Replace(s) + `)$`)
}

// noBlanks removes what divides a long pattern into lines.
var noBlanks = strings.NewReplacer(" ", "", "\n", "", "\t", "")

// programNames returns a pattern of the names of programs, which may have a version or an
// extension.
func programNames(s string) *regexp.Regexp {
	return regexp.MustCompile(`^(?i:` + noBlanks.Replace(s) + `)-?[0-9.]*(?i:\.exe)?$`)
}

// withCode returns the pattern of an interpreter that has options with code. More options may
// follow the code. The options end at the first element that is not an option.
func withCode(options, code string) *regexp.Regexp {
	return pattern(`(?:` + options + `|LONG)*(?:
		(?:WORD|--;REST)(?:ANY)*
		|(?:` + code + `)(?:` + options + `|LONG|` + code + `|VALUE)*(?:(?:--;|WORD)(?:ANY)*)?
	)`)
}

var (
	// anyWord matches arguments with at least one element that is not an option, or a single option
	// such as --version.
	anyWord = pattern(`(?:FIXED)*WORD(?:FIXED)*|--(?:version|help);|-[vVh];`)

	// shellFlags lacks o, which takes an argument, and s, which reads code from standard input.
	shellFlags = `abcdefghijklmnpqrtuvwxyzBCDEHPT`
	pyFlags    = `-[bBdEhIOPqRsSuvx]`
	perlFlags  = `-[acflsStTuUvVwWX0-9]` // without n and p, with which a value such as "id|" runs as a command
	rubyFlags  = `-[acdhlsSUvwWy0-9]`
	denoFlags  = `-[ARWNESq]+;|--(?:allow|deny|no|unstable)-[a-z-]+;|--quiet;|LONG`
	sedFlags   = `-[nErsuz]+;|-iTAIL|LONG|--(?:quiet|silent|regexp-extended|posix|sandbox|separate|null-data);`
	sedCode    = `-[nErsuz]*[ef](?:;FIXED|REST)|--(?:expression|file);FIXED`
)

// interpreters are the interpreters that are recognized.
var interpreters = []interpreter{
	{
		names: programNames(`(?:ba|da|z|k|mk|pdk|ok|ya|a|c|tc)?sh`),
		safe: pattern(`(?:[-+][` + shellFlags + `]+;|[-+][` + shellFlags + `]*[oO][` + shellFlags + `]*;FIXED|LONG
			|--(?:norc|noprofile|posix|login|restricted|verbose|noediting);|--(?:rcfile|init-file);FIXED)*
			(?:WORD|--?;REST)(?:ANY)*`),
		namesCode: pattern(`(?:[-+][^s\x00]*;|--TAIL|[-+][` + shellFlags + `]*[oO];FIXED)*WORD(?:FIXED)*|--(?:version|help);`),
	},
	{
		names: programNames(`(?:python|pypy)w?`),
		safe: pattern(`(?:` + pyFlags + `+;|` + pyFlags + `*[WX](?:;FIXED|REST)|LONG|--check-hash-based-pycs;FIXED)*
			(?:` + pyFlags + `*c(?:;FIXED|REST)|` + pyFlags + `*m;WORD|WORD|--;REST)(?:ANY)*`),
		namesCode: anyWord,
	},
	{
		names: programNames(`perl`),
		safe: withCode(perlFlags+`+;|`+perlFlags+`*(?:I(?:;FIXED|REST)|[CdDFMmx]TAIL)`,
			perlFlags+`*[eE](?:;FIXED|REST)`),
		namesCode: anyWord,
	},
	{
		names: programNames(`j?ruby`),
		safe: withCode(rubyFlags+`+;|`+rubyFlags+`*(?:[IrCE](?:;FIXED|REST)|[FKTx]TAIL)`,
			rubyFlags+`*e(?:;FIXED|REST)`),
		namesCode: anyWord,
	},
	{
		names: programNames(`node(?:js)?|tsx|ts-node`),
		safe: withCode(`-[cT];|-[rCP];FIXED|--(?:import|require|loader|experimental-loader|conditions|env-file|input-type);FIXED
			|--(?:enable-source-maps|expose-gc|no-warnings|no-deprecation|pending-deprecation|throw-deprecation|permission|preserve-symlinks
			|test|watch|trace-(?:warnings|deprecation|uncaught)|experimental-(?:strip-types|transform-types|vm-modules|sqlite)|use-system-ca);`,
			`(?:-e|-p|-pe|--eval|--print);FIXED|--(?:eval|print)=REST`),
		namesCode: anyWord,
	},
	{
		names:     programNames(`deno`),
		safe:      pattern(`(?:` + denoFlags + `)*(?:FILE|(?:run|eval|serve);(?:` + denoFlags + `)*WORD)(?:ANY)*`),
		namesCode: anyWord,
	},
	{
		names:     programNames(`bun`),
		safe:      pattern(`(?:LONG)*(?:FILE|run;(?:LONG)*WORD)(?:ANY)*|(?:-e|-p|--eval|--print);FIXED(?:VALUE)*`),
		namesCode: anyWord,
	},
	{
		names:     programNames(`php`),
		safe:      withCode(`-[nqCH]+;|-[cdz](?:;FIXED|REST)`, `-[rBREfF](?:;FIXED|REST)`),
		namesCode: anyWord,
	},
	{
		names:     programNames(`lua(?:jit)?`), // a file may follow the code
		safe:      pattern(`(?:-[el](?:;FIXED|REST)|-[vEW];)*(?:WORD|--;REST)(?:ANY)*`),
		namesCode: anyWord,
	},
	{
		names: programNames(`(?:[gmn]|go|original-)?awk`),
		safe: withCode(`-F(?:;FIXED|REST)|-v;FIXED|-vNAME|-[bcgnNOPrSst]+;|--(?:assign|field-separator|include|load);FIXED|--assign=NAME
			|-[il](?:;FIXED|REST)|--(?:posix|re-interval|sandbox|csv|traditional|characters-as-bytes);`,
			`-[fe](?:;FIXED|REST)|--(?:file|source);FIXED|--(?:file|source)=REST`),
	},
	{
		names: programNames(`g?sed`), // options may follow any element
		safe: pattern(`(?:` + sedFlags + `)*(?:(?:WORD|` + sedCode + `|--(?:expression|file)=REST)
			(?:VALUE|` + sedFlags + `|` + sedCode + `)*(?:--;(?:ANY)*)?|--;REST(?:ANY)*)`),
	},
	{
		names:     programNames(`fish|rscript|julia|osascript|elixir|groovy|guile|nu|xonsh`),
		safe:      withCode(`-l;FIXED|--(?:vanilla|no-config|no-init);`, `(?:-[ceE]|--eval|--command);FIXED`),
		namesCode: anyWord,
	},
	{
		names:     programNames(`tclsh|wish|expect|racket`),
		safe:      pattern(`WORD(?:ANY)*`),
		namesCode: anyWord,
	},
	{
		names: programNames(`powershell|pwsh`), // without -File, it joins its arguments to one command
		safe: pattern(`(?i:-(?:noprofile|nop|nologo|noninteractive|noni|sta|mta);
			|-(?:executionpolicy|ex|ep|windowstyle|w|workingdirectory|wd|version|inputformat|outputformat);FIXED)*
			(?i:-file|-f);WORD(?:ANY)*`),
		namesCode: anyWord,
	},
	{
		names: programNames(`cmd`), // it joins its arguments to one command
		safe:  pattern(`(?:FIXED)*`),
	},
	{
		// These join their arguments to one command, too; cmd runs batch files.
		names:  programNames(`watch|.*\.(?:bat|cmd)`),
		safe:   pattern(`(?:FIXED)*`),
		starts: true,
	},
	{
		names:  programNames(`env`),
		safe:   pattern(`(?:-i?;|--ignore-environment;|-[uC];FIXED|LONG|--;|NAME)*WORD(?:ANY)*`),
		starts: true,
	},
	{
		names: programNames(`timeout`),
		safe: pattern(`(?:-[fpv]+;|-[ks];FIXED|LONG|--(?:foreground|preserve-status|verbose);|--;)*
			[0-9]TAILWORD(?:ANY)*`),
		starts: true,
	},
	{
		names:  programNames(`nice|ionice`),
		safe:   pattern(`(?:-[nc];FIXED|-[nc]?[0-9]+;|LONG|--;)*WORD(?:ANY)*`),
		starts: true,
	},
	{
		names:  programNames(`sudo|doas`),
		safe:   pattern(`(?:-[bEHkn]+;|-[ugpC];FIXED|LONG|--;|NAME)*WORD(?:ANY)*`),
		starts: true,
	},
	{
		names:  programNames(`busybox|toybox|nohup|setsid|stdbuf|time`),
		safe:   pattern(`(?:-[cfwp]+;|-[ioe]REST|LONG|--;)*WORD(?:ANY)*`),
		starts: true,
	},
}
