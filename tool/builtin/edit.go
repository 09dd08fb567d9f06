package builtin

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"unicode"

	"github.com/vcpgo/vcp/tool"
)

const (
	// maxNamedLines limits the occurrences of an ambiguous text that an error names.
	maxNamedLines = 5
	// maxCompared limits the lines that notFound compares, and maxComparedLine their length in
	// characters.
	maxCompared, maxComparedLine = 20_000, 200
	// minSimilarity is how similar a line must be to be shown; see similarity.
	minSimilarity = 0.4
	// stepsPerPair is the cost of one pair of characters in a map, in steps; see work.
	stepsPerPair = 8
)

type editInput struct {
	Path    string `json:"path" jsonschema:"the file to edit, relative to the root directory, such as README.md"`
	OldText string `json:"oldText" jsonschema:"the text to replace, exactly as it is in the file with its line breaks and indentation; it must occur once, so include enough of the lines around it"`
	NewText string `json:"newText" jsonschema:"the text to put in its place; empty to delete it"`
}

func (f files) editMethod() (tool.Method, error) {
	return tool.New("edit",
		"Edits a text file: replaces one piece of text with another. Read the file with files_read first, and copy the old text from it exactly.",
		f.edit, tool.AgentCallable(), tool.WithRisk(tool.RiskWrite), tool.Title("Edit file"), tool.Uses(writeResource),
		tool.WithPreview(f.previewEdit),
		tool.Example(map[string]any{"path": "config.yaml", "oldText": "port: 8080", "newText": "port: 9090"}))
}

func (f files) edit(ctx context.Context, in editInput) (tool.Output, error) {
	c, err := f.planEdit(ctx, in)
	if err != nil {
		return tool.Output{}, err
	}
	return f.apply(ctx, c)
}

func (f files) previewEdit(ctx context.Context, in editInput) (string, error) {
	return preview(f.planEdit(ctx, in))
}

// planEdit returns the change that an edit would make. It changes nothing.
func (f files) planEdit(ctx context.Context, in editInput) (*change, error) {
	switch in.OldText {
	case "":
		return nil, errorf("oldText is empty; copy the text to replace from the file, or use files_write for a new file")
	case in.NewText:
		return nil, errorf("oldText and newText are equal, so there is nothing to change")
	}
	name, _, err := f.target(ctx, in.Path)
	if err != nil {
		return nil, err
	}
	c, err := f.plan(ctx, name)
	if err == nil && c.old == nil {
		err = newMissingError(name)
	}
	if err != nil {
		return nil, err
	}
	// Models write line feeds alone. So all kinds of line ends count as equal, unless the file has
	// several kinds and contains oldText exactly.
	whole, text, old := c.old.text, c.old.text, in.OldText
	end := lineEnd(whole)
	exact := end == "" && strings.Contains(whole, old)
	if !exact {
		text, old = withLineFeeds(whole), withLineFeeds(old)
	}
	at := strings.Index(text, old)
	if at < 0 {
		return nil, f.notFound(ctx, name, whole, in.OldText)
	}
	if strings.Contains(text[at+1:], old) { // another occurrence, which may overlap the first
		return nil, ambiguous(ctx, name, text, old)
	}
	from, to, replacement := at, at+len(old), in.NewText
	if !exact {
		from, to = originalOffset(whole, from), originalOffset(whole, to)
		replacement = withLineEnds(replacement, cmp.Or(end, lineEnd(whole[from:to])))
	}
	if whole[from:to] == replacement {
		return nil, errorf("oldText and newText are equal, so there is nothing to change")
	}
	c.content = whole[:from] + replacement + whole[to:]
	if len(c.content) > maxWritten {
		return nil, errorf("%q would have %d bytes, and a file of at most %d is written", shorten(name, maxEcho),
			len(c.content), maxWritten)
	}
	c.done = sentence("Edited %s at line %d.", displayPath(name), 1+strings.Count(whole[:from], "\n"))
	return c, nil
}

// ambiguous returns the error for a text that occurs more than once. It names the lines of the
// occurrences, which may overlap.
func ambiguous(ctx context.Context, name, text, old string) error {
	n, first, err := occurrences(ctx, text, old, maxNamedLines)
	if err != nil {
		return err
	}
	var lines []string
	for _, at := range first {
		lines = append(lines, strconv.Itoa(1+strings.Count(text[:at], "\n")))
	}
	where := sentence("%s", strings.Join(lines, ", "))
	if n > len(lines) {
		where = sentence("%s and more", strings.Join(lines, ", "))
	}
	return errorf("oldText occurs %d times in %q, in lines %v, and it must occur once: include more of the lines around the intended place",
		n, shorten(name, maxEcho), where)
}

// notFound returns the error for a text that does not occur. If a line of the file is similar to
// the first line of old that is not blank, the error shows the most similar line.
func (f files) notFound(ctx context.Context, name, text, old string) error {
	wanted := ""
	for line := range strings.Lines(old) {
		if wanted = strings.TrimSpace(line); wanted != "" {
			break
		}
	}
	best, bestLine, number := 0.0, 0, 0
	found := ""
	pairs := pairsOf(wanted)
	w := work{ctx: ctx}
	for line := range strings.Lines(text) {
		if number++; number > maxCompared {
			break
		}
		if err := w.add(stepsPerPair * min(len(line), maxComparedLine)); err != nil {
			return err
		}
		if s := similarity(pairs, pairsOf(line)); s > best {
			best, bestLine, found = s, number, strings.TrimRight(line, "\r\n")
		}
	}
	shown := shorten(name, maxEcho)
	switch {
	case best < minSimilarity:
		return errorf("oldText does not occur in %q; read the file with files_read, and copy the text from it exactly", shown)
	case withoutSpace(found) == withoutSpace(wanted) && strings.Contains(withoutSpace(text), withoutSpace(old)):
		return errorf("oldText does not occur in %q, but line %d differs from it only in white space; the line is %q: copy the white space exactly",
			shown, bestLine, shorten(found, maxMatchLine))
	default:
		return errorf("oldText does not occur in %q; the nearest line is line %d: %q. Copy the text exactly from files_read with startLine %d",
			shown, bestLine, shorten(found, maxMatchLine), bestLine)
	}
}

// withoutSpace returns s without its white space. It does not use strings.Fields, because a list of
// short words needs much more memory than their text.
func withoutSpace(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// pairsOf counts the pairs of neighboring characters of a line, without its white space. It reads
// the first maxComparedLine characters.
func pairsOf(line string) map[[2]rune]int {
	pairs := map[[2]rune]int{}
	previous, n := rune(0), 0
	for _, r := range line {
		if unicode.IsSpace(r) {
			continue
		}
		if n++; n > maxComparedLine {
			break
		}
		pairs[[2]rune{previous, r}]++
		previous = r
	}
	return pairs
}

// similarity returns the share of pairs that two lines have in common, from 0 to 1.
func similarity(a, b map[[2]rune]int) float64 {
	common, all := 0, 0
	for pair, n := range a {
		common += min(n, b[pair])
		all += n
	}
	for _, n := range b {
		all += n
	}
	return 2 * float64(common) / float64(max(all, 1))
}
