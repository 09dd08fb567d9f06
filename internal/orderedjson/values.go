package orderedjson

import (
	"encoding/json"

	"github.com/vcpgo/vcp/internal/text"
)

func (r *Reader) value() (any, error) {
	switch c := r.peek(); {
	case c == '"', c == '\'' && r.Repair:
		return r.text()
	case c == '[':
		return r.array()
	case c == '(' && r.Repair:
		return r.tuple()
	case c == '{':
		return r.object()
	case c == '-' || '0' <= c && c <= '9':
		start := r.at
		err := r.number()
		return json.Number(r.src[start:r.at]), err
	}
	return r.word()
}

// enter reads the bracket that opens a list, a tuple or an object.
func (r *Reader) enter() error {
	r.at++
	if r.depth++; r.depth > MaxDepth {
		return errorf("it is nested more than %d deep", MaxDepth)
	}
	r.blanks()
	return nil
}

// next reads what follows an element: a comma, or the closing bracket, which is end. more reports
// whether another element follows.
func (r *Reader) next(end byte) (more bool, err error) {
	r.blanks()
	comma := r.peek() == ','
	if comma {
		r.at++
		r.blanks()
		if !r.Repair || r.peek() != end {
			return true, nil
		}
		r.note(TrailingComma)
	}
	if !r.closed(end) {
		return false, r.misplaced()
	}
	return false, nil
}

// closed reads the closing bracket end, if it comes next, and reports whether it did.
func (r *Reader) closed(end byte) bool {
	if r.peek() != end {
		return false
	}
	r.at++
	r.depth--
	return true
}

func (r *Reader) array() (any, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	if r.closed(']') {
		return []any{}, nil // needs no memory for elements
	}
	list := make([]any, 0, 4)
	for more := true; more; {
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		if more, err = r.next(']'); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// tuple reads a tuple of Python. As in Python, (1) is not a tuple, and (1,) is.
func (r *Reader) tuple() (any, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	list := make([]any, 0, 4)
	for {
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		r.blanks()
		if len(list) > 1 && r.closed(')') {
			break
		}
		if r.peek() != ',' {
			return nil, r.misplaced()
		}
		r.at++
		if r.blanks(); r.closed(')') {
			break
		}
	}
	r.note(PythonTuple)
	return list, nil
}

func (r *Reader) object() (any, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	members := map[string]any{}
	var names []string
	for more := !r.closed('}'); more; {
		name, err := r.member(members)
		if err != nil {
			return nil, err
		}
		if r.Ordered {
			names = append(names, name)
		}
		if more, err = r.next('}'); err != nil {
			return nil, err
		}
	}
	if r.Ordered {
		return &Object{names, members}, nil
	}
	return members, nil
}

// member reads one member of an object, adds it to members, and returns its name.
func (r *Reader) member(members map[string]any) (name string, err error) {
	if c := r.peek(); c != '"' && (c != '\'' || !r.Repair) {
		return "", r.misplaced()
	}
	if name, err = r.text(); err != nil {
		return "", err
	}
	if _, twice := members[name]; twice {
		return "", errorf("the member %q is given twice", text.TruncateRunes(name, maxName))
	}
	if r.blanks(); r.peek() != ':' {
		return "", r.misplaced()
	}
	r.at++
	r.blanks()
	members[name], err = r.value()
	return name, err
}
