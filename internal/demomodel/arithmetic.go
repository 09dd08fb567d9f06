package demomodel

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// findArithmetic returns the longest stretches of a text that read as an expression with an
// operator. Words for operators ("times", "乘以") become signs.
func findArithmetic(text string) []value {
	e := expression{pieces: lex(text)}
	var found []value
	for i := 0; i < len(e.pieces); i++ {
		e.operators = 0
		out, next := e.sum(i)
		if next == 0 || e.operators == 0 {
			continue
		}
		v := value{span: span{e.pieces[i].start, e.pieces[next-1].end}, kind: kindArithmetic, text: out}
		if written := text[v.start:v.end]; strings.Join(strings.Fields(written), "") == out {
			v.text = written
		}
		found = append(found, v)
		i = next - 1
	}
	return found
}

// A piece is a number 'n', an operator 'o', a word 'w', one of '(', ')' and ',', or '?' for the rest.
type piece struct {
	span
	class byte
	text  string
}

var (
	dateForm     = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}\b`)
	numberForm   = regexp.MustCompile(`^(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?`)
	notNumber    = regexp.MustCompile(`^(?:[^\P{L}\p{Han}x]|\.\d)`) // 3rd, 5km and 1.2.3 are no numbers; 17x23 is two
	operatorForm = regexp.MustCompile(`(?i)^(?:(\*\*|[-+*/^%×÷−·]|加上?|减去?|乘以?|除以)|` +
		`(multiplied by|divided by|to the power of|square root of|times|plus|minus|over|modulo|mod|squared|cubed|x)(?:\P{L}|$))`)
	wordForm  = regexp.MustCompile(`^[^\P{L}\p{Han}](?:[^\P{L}\p{Han}]|[\p{Nd}_])*`)
	otherForm = regexp.MustCompile(`^(?:[\p{L}\p{Nd}.]+|.)`)
)

var signs = map[string]string{
	"**": "^", "×": "*", "÷": "/", "−": "-", "·": "*", "加": "+", "加上": "+", "减": "-", "减去": "-", "乘": "*", "乘以": "*", "除以": "/",
	"multiplied by": "*", "divided by": "/", "to the power of": "^", "square root of": "sqrt", "times": "*", "plus": "+", "minus": "-",
	"over": "/", "modulo": "%", "mod": "%", "squared": "^2", "cubed": "^3", "x": "*", "（": "(", "）": ")",
}

func lex(text string) []piece {
	var pieces []piece
	for i := 0; i < len(text); {
		p := pieceAt(text[i:])
		p.start, p.end = i, i+p.end
		if p.class != ' ' {
			pieces = append(pieces, p)
		}
		i = p.end
	}
	return pieces
}

// pieceAt returns the piece with which a text begins; its end is its length.
func pieceAt(rest string) piece {
	r, size := utf8.DecodeRuneInString(rest)
	as := func(class byte, written string) piece {
		sign, text := signs[strings.ToLower(written)], written
		if sign != "" {
			text = sign
		}
		return piece{span{0, len(written)}, class, text}
	}
	number, operator := numberForm.FindString(rest), operatorForm.FindStringSubmatch(rest)
	switch {
	case unicode.IsSpace(r):
		return as(' ', rest[:size])
	case dateForm.MatchString(rest):
		return as('?', dateForm.FindString(rest))
	case number != "" && !notNumber.MatchString(rest[len(number):]):
		p := as('n', number)
		p.text = strings.ReplaceAll(number, ",", "")
		return p
	case number != "":
		return as('?', otherForm.FindString(rest))
	case operator != nil:
		return as('o', operator[1]+operator[2])
	case strings.ContainsRune("(),（）", r):
		p := as(0, rest[:size])
		p.class = p.text[0]
		return p
	case wordForm.MatchString(rest):
		return as('w', wordForm.FindString(rest))
	}
	return as('?', rest[:size])
}

// An expression reads pieces. Its rules return what they read from piece i on and the piece after
// it, which is 0 if there is nothing of the kind.
type expression struct {
	pieces    []piece
	operators int // that were read
}

func (e *expression) at(i int) piece {
	if i < len(e.pieces) {
		return e.pieces[i]
	}
	return piece{}
}

func (e *expression) sum(i int) (out string, next int) {
	if out, next = e.operand(i); next == 0 {
		return "", 0
	}
	for p := e.at(next); p.class == 'o' && p.text != "sqrt"; p = e.at(next) {
		if len(p.text) > 1 { // squared
			out, next = out+p.text, next+1
			e.operators++
			continue
		}
		before := e.operators
		right, after := e.operand(next + 1)
		if after == 0 {
			e.operators = before
			break
		}
		out, next = out+p.text+right, after
		e.operators++
	}
	return out, next
}

func (e *expression) operand(i int) (string, int) {
	p := e.at(i)
	if p.class == 'o' && (p.text == "-" || p.text == "+") {
		out, next := e.operand(i + 1)
		return p.text + out, next
	}
	switch sign, of := e.at(i+1), e.at(i+2); {
	case p.class == 'n' && (sign.text == "%" || strings.EqualFold(sign.text, "percent")) && strings.EqualFold(of.text, "of"):
		if whole, next := e.operand(i + 3); next > 0 { // 12% of 80
			e.operators++
			return "(" + whole + "*" + p.text + "/100)", next
		}
		return p.text, i + 1
	case p.class == 'n', p.class == 'w' && (p.text == "pi" || p.text == "e"):
		return p.text, i + 1
	case p.class == '(':
		return e.group(i)
	case p.class == 'w' && sign.class == '(' && sign.start == p.end, p.text == "sqrt" && sign.class == '(':
		e.operators++
		out, next := e.group(i + 1)
		return p.text + out, next
	case p.class == 'o' && p.text == "sqrt":
		e.operators++
		out, next := e.operand(i + 1)
		return "sqrt(" + out + ")", next
	}
	return "", 0
}

// group reads a bracket, which may hold a list.
func (e *expression) group(i int) (string, int) {
	out := e.at(i).text
	for {
		inner, next := e.sum(i + 1)
		if next == 0 {
			return "", 0
		}
		p := e.at(next)
		out += inner + p.text
		switch i = next; p.class {
		case ',':
		case ')':
			return out, next + 1
		default:
			return "", 0
		}
	}
}
