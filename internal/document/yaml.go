package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"

	"go.yaml.in/yaml/v3"
)

// parseYAML reads one YAML document. The library first makes a tree of nodes, in which an alias is
// a single node, so the tree grows in proportion to the text. Only a tree without aliases becomes
// values.
func parseYAML(data []byte, limits Limits) (v Value, err error) {
	defer func() {
		if p := recover(); p != nil { // no input is known that makes the library panic
			v, err = Value{}, errors.New("the YAML reader failed")
		}
	}()
	d := yaml.NewDecoder(bytes.NewReader(data))
	var top yaml.Node
	if err := d.Decode(&top); errors.Is(err, io.EOF) {
		return Value{}, nil
	} else if err != nil {
		return Value{}, syntaxError(data, err)
	}
	if len(top.Content) == 0 {
		return Value{}, nil
	}
	t := yamlTree{limits: limits}
	if v, err = t.value(top.Content[0], 0); err != nil {
		return Value{}, err
	}
	var second yaml.Node
	if err := d.Decode(&second); err == nil {
		return Value{}, &refusedError{
			fmt.Sprintf(`line %d: more than one document; take out the second, which begins with "---"`, second.Line),
		}
	} else if !errors.Is(err, io.EOF) {
		return Value{}, yamlError(err)
	}
	return v, nil
}

// syntaxError returns the library's error with the line of the problem. The library itself names
// the line on which the list or mapping around the problem begins. Therefore syntaxError searches
// for the shortest beginning of the document, in whole lines, that has the same problem.
func syntaxError(data []byte, err error) error {
	const maxSearched = 64 << 10 // bytes; the search parses up to 16 beginnings of the document
	if len(data) > maxSearched {
		return yamlError(err)
	}
	var ends []int // offsets after each line, except the last one
	for i, c := range data {
		if c == '\n' && i+1 < len(data) {
			ends = append(ends, i+1)
		}
	}
	problem := yamlProblem(err)
	line := 1 + sort.Search(len(ends), func(i int) bool {
		var top yaml.Node
		err := yaml.NewDecoder(bytes.NewReader(data[:ends[i]])).Decode(&top)
		return err != nil && !errors.Is(err, io.EOF) && yamlProblem(err) == problem
	})
	return fmt.Errorf("line %d: %s", line, oneLine(problem))
}

// yamlProblem returns the text of the library's error without the line.
func yamlProblem(err error) string {
	problem := strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, found := strings.CutPrefix(problem, "line "); found {
		if _, after, found := strings.Cut(rest, ": "); found {
			return after
		}
	}
	return problem
}

// yamlError returns the library's error as one short line.
func yamlError(err error) error {
	return errors.New(oneLine(strings.TrimPrefix(err.Error(), "yaml: ")))
}

// yamlTree converts the library's nodes to values, within limits.
type yamlTree struct {
	limits  Limits
	entries int
}

func (t *yamlTree) value(n *yaml.Node, depth int) (Value, error) {
	switch {
	case n.Kind == yaml.AliasNode, n.Anchor != "":
		return Value{}, &refusedError{fmt.Sprintf("line %d: anchors and aliases are not read; write the value out, "+
			`or quote a text that begins with "&" or "*"`, n.Line)}
	case n.Style&yaml.TaggedStyle != 0:
		return Value{}, &refusedError{
			fmt.Sprintf(`line %d: tags are not allowed; remove the tag, or quote a text that begins with "!"`, n.Line),
		}
	}
	switch n.Kind {
	case yaml.SequenceNode:
		if err := t.enter(len(n.Content), depth); err != nil {
			return Value{}, err
		}
		v := Value{Kind: List, Line: n.Line, Items: make([]Value, 0, len(n.Content))}
		for _, item := range n.Content {
			value, err := t.value(item, depth+1)
			if err != nil {
				return Value{}, err
			}
			v.Items = append(v.Items, value)
		}
		return v, nil
	case yaml.MappingNode:
		return t.mapping(n, depth)
	}
	return Value{Kind: scalarKind(n.ShortTag()), Line: n.Line, Text: n.Value}, nil
}

func (t *yamlTree) mapping(n *yaml.Node, depth int) (Value, error) {
	if err := t.enter(len(n.Content)/2, depth); err != nil {
		return Value{}, err
	}
	v := Value{Kind: Mapping, Line: n.Line, Fields: make([]Field, 0, len(n.Content)/2)}
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, err := t.value(n.Content[i], depth+1)
		if err != nil {
			return Value{}, err
		}
		switch {
		case !key.Scalar() || n.Content[i].ShortTag() == "!!merge":
			return Value{}, &refusedError{fmt.Sprintf("line %d: the name of a field is %s; allowed is a text",
				n.Content[i].Line, key)}
		case seen[key.Text]:
			return Value{}, &refusedError{fmt.Sprintf("line %d: the field %q occurs twice", n.Content[i].Line,
				shortened(key.Text))}
		}
		seen[key.Text] = true
		value, err := t.value(n.Content[i+1], depth+1)
		if err != nil {
			return Value{}, err
		}
		v.Fields = append(v.Fields, Field{Name: key.Text, Line: n.Content[i].Line, Value: value})
	}
	return v, nil
}

// enter counts the entries of a list or mapping. depth is the number of lists and mappings around
// it.
func (t *yamlTree) enter(entries, depth int) error {
	if depth >= t.limits.Depth {
		return t.limits.tooDeep()
	}
	if t.entries += entries; t.entries > t.limits.Entries {
		return t.limits.tooMany()
	}
	return nil
}

func scalarKind(tag string) Kind {
	switch tag {
	case "!!null":
		return Null
	case "!!bool":
		return Bool
	case "!!int", "!!float":
		return Number
	}
	return String // a date, too
}
