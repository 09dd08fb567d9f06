package builtin

import "context"

// occurrences returns how often part, which is not empty, occurs in text, and the offsets of the
// first occurrences, up to limit. Occurrences may overlap. The time is in proportion to the lengths
// of both, by the algorithm of Knuth, Morris and Pratt. A call of strings.Index for each occurrence
// could read all of part each time.
func occurrences(ctx context.Context, text, part string, limit int) (n int, first []int, err error) {
	w := work{ctx: ctx}
	border, err := borders(&w, part)
	if err != nil {
		return 0, nil, err
	}
	matched := 0 // the length of the longest prefix of part that the text up to the current byte ends with
	for i := range len(text) {
		if err := w.add(1); err != nil {
			return 0, nil, err
		}
		for matched > 0 && text[i] != part[matched] {
			matched = border[matched-1]
		}
		if text[i] == part[matched] {
			matched++
		}
		if matched == len(part) {
			if n++; len(first) < limit {
				first = append(first, i+1-len(part))
			}
			matched = border[matched-1] // the next occurrence may begin within this one
		}
	}
	return n, first, nil
}

// borders returns a length for each beginning s[:i+1] of s: that of the longest shorter text with
// which s[:i+1] both begins and ends.
func borders(w *work, s string) ([]int, error) {
	list := make([]int, len(s))
	for i := 1; i < len(s); i++ {
		if err := w.add(1); err != nil {
			return nil, err
		}
		n := list[i-1]
		for n > 0 && s[i] != s[n] {
			n = list[n-1]
		}
		if s[i] == s[n] {
			n++
		}
		list[i] = n
	}
	return list, nil
}
