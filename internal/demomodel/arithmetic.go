package demomodel

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A span is a half-open range of bytes of a part.
type span struct{ start, end int }

func (s span) overlaps(t span) bool { return s.start < t.end && t.start < s.end }

// A value is something in the user's text that an argument may be made of.
type value struct {
	span
	text string // as an argument, which may differ from what is written
}

// findArithmetic returns the arithmetic in a text: the longest stretches that read as an expression and hold an operator. Words
// for operators ("times", "乘以") become signs.
func findArithmetic(text string) []value {
	parts := lexArithmetic(text)
	var found []value
	for i := 0; i < len(parts); {
		p := arithmetic{parts: parts, at: i}
		if p.expression() && p.operators > 0 {
			first, last := parts[i], parts[p.at-1]
			v := value{span: span{first.start, last.end}, text: p.text()}
			if written := text[v.start:v.end]; !p.reworded {
				v.text = written
			}
			found = append(found, v)
			i = p.at
			continue
		}
		i++
	}
	return found
}

// A piece is one number, sign or word of an expression; other is anything that is none.
type piece struct {
	span
	class byte // 'n' number, 'o' operator, '(' ')' ',' as they are, 'w' word, '?' other
	text  string
	moved bool // text is not what is written
}

var (
	numberForm = regexp.MustCompile(`^(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?`)
	dateForm   = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
	dateHead   = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}(?:\D|$)`)
)

var operatorSigns = []struct{ written, sign string }{
	{"**", "^"},
	{"+", "+"},
	{"-", "-"},
	{"*", "*"},
	{"/", "/"},
	{"^", "^"},
	{"%", "%"},
	{"×", "*"},
	{"÷", "/"},
	{"−", "-"},
	{"·", "*"},
	{"加上", "+"},
	{"减去", "-"},
	{"乘以", "*"},
	{"除以", "/"},
	{"加", "+"},
	{"减", "-"},
	{"乘", "*"},
}

var operatorWords = []struct{ written, sign string }{
	{"multiplied by", "*"},
	{"divided by", "/"},
	{"to the power of", "^"},
	{"times", "*"},
	{"plus", "+"},
	{"minus", "-"},
	{"over", "/"},
	{"modulo", "%"},
	{"mod", "%"},
	{"squared", "^2"},
	{"cubed", "^3"},
	{"square root of", "sqrt"},
	{"x", "*"},
}

func lexArithmetic(text string) []piece {
	var pieces []piece
	for i := 0; i < len(text); {
		p := lexPiece(text, i)
		if p.class != ' ' {
			pieces = append(pieces, p)
		}
		i = p.end
	}
	return pieces
}

func lexPiece(text string, i int) piece {
	rest := text[i:]
	r, size := utf8.DecodeRuneInString(rest)
	one := func(class byte, n int, as string) piece {
		return piece{span: span{i, i + n}, class: class, text: as, moved: as != rest[:n]}
	}
	if unicode.IsSpace(r) {
		return one(' ', size, rest[:size])
	}
	if n := len(dateHead.FindString(rest)); n > 0 {
		return one('?', len("2006-01-02"), rest[:len("2006-01-02")])
	}
	if number := numberForm.FindString(rest); number != "" {
		after, _ := utf8.DecodeRuneInString(rest[len(number):])
		// 3rd, 5km and 1.2.3 are no numbers; 17x23 is two.
		joined := unicode.IsLetter(after) && !isHan(after) && after != 'x' || after == '.' && len(rest) > len(number)+1 && unicode.IsDigit(rune(rest[len(number)+1]))
		if !joined {
			return one('n', len(number), strings.ReplaceAll(number, ",", ""))
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' })
		if end < 0 {
			end = len(rest)
		}
		return one('?', end, rest[:end])
	}
	for _, o := range operatorSigns {
		if strings.HasPrefix(rest, o.written) {
			return one('o', len(o.written), o.sign)
		}
	}
	if strings.ContainsRune("(),（）", r) {
		as := strings.NewReplacer("（", "(", "）", ")").Replace(rest[:size])
		return one(as[0], size, as)
	}
	if unicode.IsLetter(r) && !isHan(r) {
		return lexWord(rest, one)
	}
	return one('?', size, rest[:size])
}

func lexWord(rest string, one func(byte, int, string) piece) piece {
	for _, o := range operatorWords {
		if len(rest) < len(o.written) || !strings.EqualFold(rest[:len(o.written)], o.written) {
			continue
		}
		if after, _ := utf8.DecodeRuneInString(rest[len(o.written):]); unicode.IsLetter(after) {
			continue
		}
		return one('o', len(o.written), o.sign)
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return isHan(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	if end < 0 {
		end = len(rest)
	}
	return one('w', end, rest[:end])
}

// arithmetic reads an expression and remembers how far it came. Its methods report whether there was one; on failure at stands
// where it stood.
type arithmetic struct {
	parts     []piece
	at        int
	out       []string
	operators int
	reworded  bool
}

func (a *arithmetic) text() string {
	return strings.Join(a.out, "")
}

func (a *arithmetic) peek() piece {
	if a.at < len(a.parts) {
		return a.parts[a.at]
	}
	return piece{class: '$'}
}

func (a *arithmetic) take() {
	p := a.parts[a.at]
	a.out = append(a.out, p.text)
	a.reworded = a.reworded || p.moved
	a.at++
}

// try undoes what a rule took where it fails.
func (a *arithmetic) try(rule func() bool) bool {
	saved := *a
	if rule() {
		return true
	}
	*a = saved
	return false
}

func (a *arithmetic) expression() bool {
	if !a.operand() {
		return false
	}
	for a.try(func() bool {
		p := a.peek()
		if p.class != 'o' || strings.HasPrefix(p.text, "sqrt") {
			return false
		}
		a.operators++
		a.take()
		if len(p.text) > 1 { // squared: nothing follows
			return true
		}
		return a.operand()
	}) {
	}
	return true
}

func (a *arithmetic) operand() bool {
	return a.try(func() bool {
		for p := a.peek(); p.class == 'o' && (p.text == "-" || p.text == "+"); p = a.peek() {
			a.take()
		}
		p := a.peek()
		switch {
		case p.class == 'n':
			return a.percent() || a.number()
		case p.class == '(':
			return a.group()
		case p.class == 'w' && (p.text == "pi" || p.text == "e"):
			a.take()
			return true
		case p.class == 'w':
			a.take()
			a.operators++
			return a.peek().class == '(' && a.peek().start == p.end && a.group()
		case p.class == 'o' && p.text == "sqrt":
			a.take()
			a.operators++
			if a.peek().class == '(' {
				return a.group()
			}
			a.out = append(a.out, "(")
			if !a.operand() {
				return false
			}
			a.out = append(a.out, ")")
			return true
		}
		return false
	})
}

func (a *arithmetic) number() bool {
	a.take()
	return true
}

// percent reads "12% of 80".
func (a *arithmetic) percent() bool {
	return a.try(func() bool {
		if a.at+2 >= len(a.parts) {
			return false
		}
		sign, of := a.parts[a.at+1], a.parts[a.at+2]
		if sign.text != "%" && !strings.EqualFold(sign.text, "percent") || !strings.EqualFold(of.text, "of") {
			return false
		}
		number := a.parts[a.at].text
		a.at += 3
		before := len(a.out)
		if !a.operand() {
			return false
		}
		whole := strings.Join(a.out[before:], "")
		a.out = append(a.out[:before], "("+whole+"*"+number+"/100)")
		a.operators++
		a.reworded = true
		return true
	})
}

// group reads a bracket, which may hold a list.
func (a *arithmetic) group() bool {
	a.take()
	for {
		if !a.expression() {
			return false
		}
		switch a.peek().class {
		case ',':
			a.take()
		case ')':
			a.take()
			return true
		default:
			return false
		}
	}
}
