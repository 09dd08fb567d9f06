package eval

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// A Report describes the tries at the tasks of a suite. It is not safe for concurrent use.
type Report struct {
	Suite string // its name
	Model string // the model and its server, in words for people
	Tries []Try
	// Notes are further sentences, such as one about a variant whose tries were skipped.
	Notes []string
}

// MaxWrong returns the largest number of wrong calls of one variant, and that variant.
func (r *Report) MaxWrong() (wrong int, variant string) {
	for _, name := range r.variants() {
		if n := r.sum(name).wrong; n > wrong {
			wrong, variant = n, name
		}
	}
	return wrong, variant
}

// variants returns the names of the variants, in the order of their first tries.
func (r *Report) variants() (names []string) {
	for i := range r.Tries {
		if name := r.Tries[i].Variant; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// sums are totals of tries.
type sums struct {
	tries, solved, errors, wrong int
	iterations                   int
	prompt, reply                int // tokens
	mistakes, corrected          int
	duration                     time.Duration
}

func (s *sums) add(t *Try) {
	s.tries++
	if t.Solved() {
		s.solved++
	}
	if t.Err != nil {
		s.errors++
	}
	s.wrong += t.Wrong
	s.iterations += t.Iterations
	s.prompt += t.Prompt
	s.reply += t.Reply
	s.mistakes += t.Mistakes
	s.corrected += t.Corrected
	s.duration += t.Duration
}

// mean returns total, a sum over all tries, divided by the number of tries.
func (s *sums) mean(total int) string {
	return strconv.FormatFloat(float64(total)/float64(s.tries), 'f', 1, 64)
}

func (s *sums) solvedOf() string { return fmt.Sprintf("%d/%d", s.solved, s.tries) }

func (s *sums) cost() string {
	return fmt.Sprintf("%s replies, %d tokens", s.mean(s.iterations), (s.prompt+s.reply)/s.tries)
}

func (r *Report) sum(variant string) (s sums) {
	for i := range r.Tries {
		if r.Tries[i].Variant == variant {
			s.add(&r.Tries[i])
		}
	}
	return s
}

// WriteMarkdown writes the report as a Markdown document.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Evaluation of %s\n\nSuite: %s. Tries: %d.\n\n", shown(r.Model), shown(r.Suite), len(r.Tries))
	r.summary(&b)
	byTask := func(t *Try) string { return t.Task.ID }
	r.grouped(&b, "kind", func(t *Try) string { return cmp.Or(t.Task.Kind, "other") }, (*sums).solvedOf)
	r.grouped(&b, "task", byTask, (*sums).solvedOf)
	b.WriteString("\nReplies and tokens of one try:\n")
	r.grouped(&b, "task", byTask, (*sums).cost)
	r.failures(&b)
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "\n%s\n", shown(note))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// summary writes a table with one row for each variant.
func (r *Report) summary(b *strings.Builder) {
	b.WriteString("| variant | solved | wrong calls | mistakes | corrected | replies | prompt tokens | reply tokens |" +
		" seconds | errors |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, name := range r.variants() {
		s := r.sum(name)
		fmt.Fprintf(b, "| %s | %d of %d (%d %%) | %d | %d | %d | %s | %s | %s | %.1f | %d |\n",
			shown(name), s.solved, s.tries, 100*s.solved/s.tries, s.wrong, s.mistakes, s.corrected,
			s.mean(s.iterations), s.mean(s.prompt), s.mean(s.reply), s.duration.Seconds()/float64(s.tries), s.errors)
	}
	b.WriteString("\nReplies, tokens and seconds are means of one try. Tokens are those that the server reports. " +
		"A wrong call ran, changes\nsomething, and is not expected. " +
		"A corrected mistake is one that the next reply corrects.\n")
}

// grouped writes a table with a row for each group of tries and a column for each variant. cell
// describes the tries of one group and one variant.
func (r *Report) grouped(b *strings.Builder, title string, group func(*Try) string, cell func(*sums) string) {
	variants := r.variants()
	var groups []string
	tries := map[[2]string]*sums{}
	for i := range r.Tries {
		t := &r.Tries[i]
		g := group(t)
		if !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
		key := [2]string{g, t.Variant}
		if tries[key] == nil {
			tries[key] = &sums{}
		}
		tries[key].add(t)
	}
	fmt.Fprintf(b, "\n| %s |", title)
	for _, v := range variants {
		fmt.Fprintf(b, " %s |", shown(v))
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(variants)) + "\n")
	for _, g := range groups {
		fmt.Fprintf(b, "| %s |", shown(g))
		for _, v := range variants {
			if s := tries[[2]string{g, v}]; s != nil {
				fmt.Fprintf(b, " %s |", cell(s))
			} else {
				b.WriteString(" |")
			}
		}
		b.WriteString("\n")
	}
}

// failures lists the tries that are not solved.
func (r *Report) failures(b *strings.Builder) {
	first := true
	for i := range r.Tries {
		t := &r.Tries[i]
		if t.Solved() {
			continue
		}
		if first {
			b.WriteString("\nNot solved:\n\n")
			first = false
		}
		if t.Err != nil {
			fmt.Fprintf(b, "- %s, %s: error: %s\n", shown(t.Task.ID), shown(t.Variant), shown(t.Err.Error()))
			continue
		}
		fmt.Fprintf(b, "- %s, %s: %s. Answer: %s\n", shown(t.Task.ID), shown(t.Variant),
			shown(strings.Join(t.Failures, "; ")), cmp.Or(shown(strings.TrimSpace(t.Answer)), "none"))
	}
}

// maxShown is how many characters of one text a report shows.
const maxShown = 300

// shown returns at most maxShown characters of a foreign text on one line. Characters that Markdown
// may read as markup are escaped; characters that cannot be printed become spaces.
func shown(text string) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n++; n > maxShown {
			b.WriteString("…")
			break
		}
		switch {
		case strings.ContainsRune("\\`*_|<>[]&#~", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case !unicode.IsPrint(r):
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
