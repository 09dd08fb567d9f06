package vcpplugin

import "strings"

// variable is a variable of the environment.
type variable struct{ name, value string }

// parseEnv reads a file of lines NAME=VALUE, and ignores all other lines. A line may begin with
// "export". A value may be in single, double or back quotes. Then it may have several lines. In
// double quotes \n and \r are line ends, and \" is a quotation mark. A value without quotes ends at
// " #". References to other variables are not expanded.
func parseEnv(raw []byte) (list []variable) {
	rest := strings.ReplaceAll(string(toUTF8(raw)), "\r\n", "\n")
	for rest != "" {
		line, after, _ := strings.Cut(rest, "\n")
		name, _, found := strings.Cut(line, "=")
		name = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(name), "export "))
		if !found || !validVariable(name) {
			rest = after
			continue
		}
		var value string
		value, rest = envValue(rest[strings.IndexByte(rest, '=')+1:])
		list = append(list, variable{name, value})
	}
	return list
}

// validVariable reports whether a name can be that of a variable.
func validVariable(name string) bool {
	return name != "" && !strings.HasPrefix(name, "#") && !strings.ContainsAny(name, " \t'\"`\x00")
}

// envValue returns the value at the beginning of rest, and the lines after it.
func envValue(rest string) (value, after string) {
	trimmed := strings.TrimLeft(rest, " \t")
	if trimmed != "" && strings.ContainsRune("'\"`", rune(trimmed[0])) {
		quote := trimmed[:1]
		if end := closingQuote(trimmed[1:], quote); end >= 0 {
			value = trimmed[1 : 1+end]
			if quote == `"` {
				value = strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\"`, `"`).Replace(value)
			}
			_, after, _ = strings.Cut(trimmed[end+2:], "\n")
			return value, after
		}
	}
	line, after, _ := strings.Cut(rest, "\n")
	line = " " + line // so that a # directly after the equals sign begins a comment
	if i := strings.Index(line, " #"); i >= 0 {
		line = line[:i]
	}
	return strings.TrimSpace(line), after
}

// closingQuote returns the index of the first quote that is not escaped, or -1.
func closingQuote(s, quote string) int {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quote == `"`:
			i++
		case s[i:i+1] == quote:
			return i
		}
	}
	return -1
}
