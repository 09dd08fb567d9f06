package command

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// codeOption matches the beginning of an option that contains code, or that takes code as its
// argument.
var codeOption = regexp.MustCompile(`^(?:[-+][a-zA-Z]*[ceErp]` +
	`|--(?:eval|print|execute|command|source|expression|import)|-(?i:command|encodedcommand)|/[cCkK])`)

// startsNext matches the options of the program find that are followed by a program to run.
var startsNext = regexp.MustCompile(`^-(?:exec|ok)(?:dir)?$`)

// notCode are elements that look like the name of a file or module with code, but are not: names of
// standard input, modules of Python that run their arguments, and commands of node and tsx.
var notCode = []string{
	"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0",
	"timeit", "pdb", "trace", "profile", "cProfile", "runpy", "code", "doctest", "IPython",
	"inspect", "watch",
}

// interpreterOf returns the interpreter that an element names, or nil. started reports that the
// element is in the place of a program.
func interpreterOf(a argument, started bool) *interpreter {
	if !a.fixed() {
		return nil
	}
	lists := [][]interpreter{interpreters, programs}
	if !started {
		lists = lists[:1]
	}
	for _, list := range lists {
		if i := slices.IndexFunc(list, func(p interpreter) bool { return p.names.MatchString(baseName(a)) }); i >= 0 {
			return &list[i]
		}
	}
	return nil
}

// baseName returns the name of the program at the path in an element.
func baseName(a argument) string { return path.Base(strings.ReplaceAll(a.String(), `\`, "/")) }

// programIn returns the index of the element with the argument of the option argv[i]. It returns -1
// if that argument contains no value, or if the option of the program argv[0] takes no program.
func programIn(argv []argument, i int) int {
	option, _, withArgument := strings.Cut(argv[i].String(), "=")
	option, _, withValue := strings.Cut(option, "\x01") // U+0001 is a value; see argument.String
	if !withArgument && !withValue {
		i++
	}
	if i < len(argv) && !argv[i].fixed() && programOption.MatchString(baseName(argv[0])+" "+option) {
		return i
	}
	return -1
}

// matches reports whether p matches the arguments, each followed by a NUL. Elements of notCode
// count as "-", so that they do not match WORD.
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

// word stands for the elements after a value, such as PROGRAM in awk -v x=VALUE PROGRAM. Some
// patterns match only with such an element.
var word = argument{parts: []part{{text: "x"}}}

// codeIn returns the index of the first element of argv in which a value may become code, or of an
// interpreter that reads its code from standard input. It returns -1 if argv has neither. An
// unknown program may start an interpreter that its arguments name. The arguments of such an
// interpreter are checked only from the first option that takes code.
func codeIn(argv []argument) int {
	started := true // argv[i] is the program, or all programs before it are known to start another one
	known := false  // a program before argv[i] has a pattern for its arguments
	for i, a := range argv {
		runs := started || i > 0 && startsNext.MatchString(argv[i-1].String())
		p := interpreterOf(a, runs)
		if p == nil {
			if j := programIn(argv, i); j >= 0 && !known {
				return j
			}
			started = started && i > 0
			continue
		}
		known = known || runs && !p.starts
		started = started && p.starts
		if p.starts && !runs {
			continue
		}
		checked, hasValue := runs, false // checked: the arguments from here on are checked
		for j := i + 1; j < len(argv); j++ {
			checked = checked || codeOption.MatchString(argv[j].String())
			if argv[j].fixed() {
				continue
			}
			hasValue = true
			if checked && !matches(p.safe, append(slices.Clone(argv[i+1:j+1]), word)) {
				return j
			}
		}
		if runs && !hasValue && p.namesCode != nil && !matches(p.namesCode, argv[i+1:]) {
			return i
		}
	}
	return -1
}

// markOptionsEnd sets optionsEnded for the elements that follow "--". A "--" among the options of
// an interpreter ends only the options of the interpreter, not those of the code that it runs.
func markOptionsEnd(argv []argument) {
	optionsEnded := false
	var current *interpreter // the last interpreter up to argv[i], or nil
	argsStart := 0           // the index of its first argument
	for i := range argv {
		if p := interpreterOf(argv[i], i == 0 || current != nil && current.starts); p != nil {
			optionsEnded, current, argsStart = false, p, i+1
		}
		argv[i].optionsEnded = optionsEnded
		if argv[i].fixed() && argv[i].String() == "--" {
			optionsEnded = optionsEnded || current == nil || matches(current.safe, argv[argsStart:i])
		}
	}
}
