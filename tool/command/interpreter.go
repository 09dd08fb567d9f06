package command

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// interpreter is a program that runs code or another program that its arguments name.
type interpreter struct {
	names *regexp.Regexp
	// safe matches arguments in which no value is code, an option that takes code, or the name of
	// a program. It lists known options only. An unknown option before a value does not match,
	// since it might take the next element as its argument.
	safe *regexp.Regexp
	// named matches arguments without values that name the code or its file. If they do not, the
	// program reads its code from standard input, which contains the values of a call. nil means
	// that it never does.
	named *regexp.Regexp
	// starts reports that the arguments name another program.
	starts bool
}

// pattern compiles the pattern of a list of arguments. A semicolon is the end of an element. A
// value is the character U+0001. A value may be empty, and an element with one may be absent.
func pattern(s string) *regexp.Regexp {
	return regexp.MustCompile(`(?s)^(?:` + strings.NewReplacer(
		"ANY", `[^\x00]*\x00`, // any element
		"FIXED", `[^\x00\x01]*\x00`, // an element without values
		"REST", `[^\x00\x01]+\x00`, // the rest of such an element, which is not empty
		"TAIL", `[^\x00\x01]*\x00`, // the rest of such an element
		"WORD", `(?:[^-+\x00\x01][^\x00\x01]*\x00)`, // such an element that is no option
		"FILE", `(?:[^-+\x00\x01][^\x00\x01]*[./][^\x00\x01]*\x00)`, // a word that no command has
		"VALUE", `(?:(?:[^-\x00][^\x00]*)?\x00)`, // an element that is no option
		"LONG", `--[\w-]+=[^\x00\x01]*\x00`, // an option with its argument
		"NAME", `[A-Za-z_]\w*=[^\x00]*\x00`, // the assignment of a variable
		";", `\x00`, " ", "", "\n", "", "\t", "",
	).Replace(s) + `)$`)
}

// named returns a pattern of the names of programs, which may have a version or an extension.
func named(s string) *regexp.Regexp {
	return regexp.MustCompile(`^(?i:` + s + `)-?[0-9.]*(?i:\.exe)?$`)
}

// coded returns the pattern of an interpreter with options that contain code. Its options continue
// after the code and end before the first other element.
func coded(options, code string) *regexp.Regexp {
	return pattern(`(?:` + options + `|LONG)*(?:
		(?:WORD|--;REST)(?:ANY)*
		|(?:` + code + `)(?:` + options + `|LONG|` + code + `|VALUE)*(?:(?:--;|WORD)(?:ANY)*)?
	)`)
}

var (
	anyWord = pattern(`(?:FIXED)*WORD(?:FIXED)*|--(?:version|help);|-[vVh];`)

	shellFlags = `abcdefghijklmnpqrtuvwxyzBCDEHPT` // neither o, which takes an argument, nor s: code on standard input
	pyFlags    = `-[bBdEhIOPqRsSuvx]`
	perlFlags  = `-[acflsStTuUvVwWX0-9]` // not n and p, with which a value "id|" is a command
	rubyFlags  = `-[acdhlsSUvwWy0-9]`
	denoFlags  = `-[ARWNESq]+;|--(?:allow|deny|no|unstable)-[a-z-]+;|--quiet;|LONG`
	sedFlags   = `-[nErsuz]+;|-iTAIL|LONG|--(?:quiet|silent|regexp-extended|posix|sandbox|separate|null-data);`
	sedCode    = `-[nErsuz]*[ef](?:;FIXED|REST)|--(?:expression|file);FIXED`
)

// interpreters are common ones.
var interpreters = []interpreter{
	{
		names: named(`(?:ba|da|z|k|mk|pdk|ok|ya|a|c|tc)?sh`),
		safe: pattern(`(?:[-+][` + shellFlags + `]+;|[-+][` + shellFlags + `]*[oO][` + shellFlags + `]*;FIXED|LONG
			|--(?:norc|noprofile|posix|login|restricted|verbose|noediting);|--(?:rcfile|init-file);FIXED)*
			(?:WORD|--?;REST)(?:ANY)*`),
		named: pattern(`(?:[-+][^s\x00]*;|--TAIL|[-+][` + shellFlags + `]*[oO];FIXED)*WORD(?:FIXED)*|--(?:version|help);`),
	},
	{
		names: named(`(?:python|pypy)w?`),
		safe: pattern(`(?:` + pyFlags + `+;|` + pyFlags + `*[WX](?:;FIXED|REST)|LONG|--check-hash-based-pycs;FIXED)*
			(?:` + pyFlags + `*c(?:;FIXED|REST)|` + pyFlags + `*m;WORD|WORD|--;REST)(?:ANY)*`),
		named: anyWord,
	},
	{
		names: named(`perl`),
		safe: coded(perlFlags+`+;|`+perlFlags+`*(?:I(?:;FIXED|REST)|[CdDFMmx]TAIL)`,
			perlFlags+`*[eE](?:;FIXED|REST)`),
		named: anyWord,
	},
	{
		names: named(`j?ruby`),
		safe: coded(rubyFlags+`+;|`+rubyFlags+`*(?:[IrCE](?:;FIXED|REST)|[FKTx]TAIL)`,
			rubyFlags+`*e(?:;FIXED|REST)`),
		named: anyWord,
	},
	{
		names: named(`node(?:js)?|tsx|ts-node`),
		safe: coded(`-[cT];|-[rCP];FIXED|--(?:import|require|loader|experimental-loader|conditions|env-file|input-type);FIXED
			|--(?:enable-source-maps|expose-gc|no-warnings|no-deprecation|pending-deprecation|throw-deprecation|permission|preserve-symlinks
			|test|watch|trace-(?:warnings|deprecation|uncaught)|experimental-(?:strip-types|transform-types|vm-modules|sqlite)|use-system-ca);`,
			`(?:-e|-p|-pe|--eval|--print);FIXED|--(?:eval|print)=REST`),
		named: anyWord,
	},
	{
		names: named(`deno`),
		safe:  pattern(`(?:` + denoFlags + `)*(?:FILE|(?:run|eval|serve);(?:` + denoFlags + `)*WORD)(?:ANY)*`),
		named: anyWord,
	},
	{
		names: named(`bun`),
		safe:  pattern(`(?:LONG)*(?:FILE|run;(?:LONG)*WORD)(?:ANY)*|(?:-e|-p|--eval|--print);FIXED(?:VALUE)*`),
		named: anyWord,
	},
	{
		names: named(`php`),
		safe:  coded(`-[nqCH]+;|-[cdz](?:;FIXED|REST)`, `-[rBREfF](?:;FIXED|REST)`),
		named: anyWord,
	},
	{
		names: named(`lua(?:jit)?`), // a file follows its code
		safe:  pattern(`(?:-[el](?:;FIXED|REST)|-[vEW];)*(?:WORD|--;REST)(?:ANY)*`),
		named: anyWord,
	},
	{
		names: named(`(?:[gmn]|go|original-)?awk`),
		safe: coded(`-F(?:;FIXED|REST)|-v;FIXED|-vNAME|-[bcgnNOPrSst]+;|--(?:assign|field-separator|include|load);FIXED|--assign=NAME
			|-[il](?:;FIXED|REST)|--(?:posix|re-interval|sandbox|csv|traditional|characters-as-bytes);`,
			`-[fe](?:;FIXED|REST)|--(?:file|source);FIXED|--(?:file|source)=REST`),
	},
	{
		names: named(`g?sed`), // its options continue after any element
		safe: pattern(`(?:` + sedFlags + `)*(?:(?:WORD|` + sedCode + `|--(?:expression|file)=REST)
			(?:VALUE|` + sedFlags + `|` + sedCode + `)*(?:--;(?:ANY)*)?|--;REST(?:ANY)*)`),
	},
	{
		names: named(`fish|rscript|julia|osascript|elixir|groovy|guile|nu|xonsh`),
		safe:  coded(`-l;FIXED|--(?:vanilla|no-config|no-init);`, `(?:-[ceE]|--eval|--command);FIXED`),
		named: anyWord,
	},
	{
		names: named(`tclsh|wish|expect|racket`),
		safe:  pattern(`WORD(?:ANY)*`),
		named: anyWord,
	},
	{
		names: named(`powershell|pwsh`), // without -File it joins its arguments to one command
		safe: pattern(`(?i:-(?:noprofile|nop|nologo|noninteractive|noni|sta|mta);
			|-(?:executionpolicy|ex|ep|windowstyle|w|workingdirectory|wd|version|inputformat|outputformat);FIXED)*
			(?i:-file|-f);WORD(?:ANY)*`),
		named: anyWord,
	},
	{
		names: named(`cmd`), // it joins its arguments to one command
		safe:  pattern(`(?:FIXED)*`),
	},
	{
		names:  named(`ssh|rsh|watch|parallel|su|runuser|.*\.(?:bat|cmd)`), // so do these, and cmd runs batch files
		safe:   pattern(`(?:FIXED)*`),
		starts: true,
	},
	{
		names:  named(`env`),
		safe:   pattern(`(?:-i?;|--ignore-environment;|-[uC];FIXED|LONG|--;|NAME)*WORD(?:ANY)*`),
		starts: true,
	},
	{
		names: named(`timeout`),
		safe: pattern(`(?:-[fpv]+;|-[ks];FIXED|LONG|--(?:foreground|preserve-status|verbose);|--;)*
			[0-9]TAILWORD(?:ANY)*`),
		starts: true,
	},
	{
		names:  named(`nice|ionice`),
		safe:   pattern(`(?:-[nc];FIXED|-[nc]?[0-9]+;|LONG|--;)*WORD(?:ANY)*`),
		starts: true,
	},
	{
		names:  named(`sudo|doas`),
		safe:   pattern(`(?:-[bEHkn]+;|-[ugpC];FIXED|LONG|--;|NAME)*WORD(?:ANY)*`),
		starts: true,
	},
	{
		names:  named(`busybox|toybox|nohup|setsid|stdbuf|time|xargs`),
		safe:   pattern(`(?:-[cfwp]+;|-[ioe]REST|LONG|--;)*WORD(?:ANY)*`),
		starts: true,
	},
}

// codeOption matches the beginning of an element that has code of an interpreter, or that is
// directly before such code.
var codeOption = regexp.MustCompile(`^(?:[-+][a-zA-Z]*[ceErp]` +
	`|--(?:eval|print|execute|command|source|expression|import)|-(?i:command|encodedcommand)|/[cCkK])`)

// startsNext matches options of find, which runs the program after them.
var startsNext = regexp.MustCompile(`^-(?:exec|ok)(?:dir)?$`)

// notCode are elements that do not name fixed code: names of standard input, modules of Python that
// run their arguments, and commands of node and tsx.
var notCode = []string{
	"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0",
	"timeit", "pdb", "trace", "profile", "cProfile", "runpy", "code", "doctest", "IPython",
	"inspect", "watch",
}

// find returns the interpreter that an element names, or nil.
func find(a argument) *interpreter {
	if !a.fixed() {
		return nil
	}
	name := path.Base(strings.ReplaceAll(a.String(), `\`, "/"))
	i := slices.IndexFunc(interpreters, func(p interpreter) bool { return p.names.MatchString(name) })
	if i < 0 {
		return nil
	}
	return &interpreters[i]
}

// matches reports whether p matches the arguments.
func matches(p *regexp.Regexp, argv []argument) bool {
	var b strings.Builder
	for _, a := range argv {
		s := a.String()
		if a.fixed() && slices.Contains(notCode, s) {
			s = "-"
		}
		b.WriteString(s)
		b.WriteByte(0)
	}
	return p.MatchString(b.String())
}

// word stands for the elements after a value, such as the program of awk after a variable.
var word = argument{parts: []part{{text: "x"}}}

// codeIn returns the index of the first element of argv in which a value may become code, or -1. It
// returns the index of an interpreter that reads its code from standard input, too. An interpreter
// that an unknown program may start is checked only from an option that takes code.
func codeIn(argv []argument) int {
	started := true // whether argv[i] is a program that runs for certain, or its argument
	for i, a := range argv {
		p := find(a)
		if p == nil {
			started = started && i > 0
			continue
		}
		runs := started || i > 0 && startsNext.MatchString(argv[i-1].String())
		started = started && p.starts
		if p.starts && !runs {
			continue
		}
		option, values := runs, false
		for j := i + 1; j < len(argv); j++ {
			option = option || codeOption.MatchString(argv[j].String())
			if argv[j].fixed() {
				continue
			}
			values = true
			if option && !matches(p.safe, append(slices.Clone(argv[i+1:j+1]), word)) {
				return j
			}
		}
		if runs && !values && p.named != nil && !matches(p.named, argv[i+1:]) {
			return i
		}
	}
	return -1
}

// guard marks the elements that follow "--", which ends the options of the program. A "--" among
// the options of an interpreter ends only those.
func guard(argv []argument) {
	guarded, last, from := false, (*interpreter)(nil), 0
	for i := range argv {
		if p := find(argv[i]); p != nil {
			guarded, last, from = false, p, i+1
		}
		argv[i].guarded = guarded
		if argv[i].fixed() && argv[i].String() == "--" {
			guarded = guarded || last == nil || matches(last.safe, argv[from:i])
		}
	}
}
