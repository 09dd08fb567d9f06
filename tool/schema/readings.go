package schema

import (
	"slices"
	"strings"
)

const (
	// maxReread limits the text that is read again for further declarations of an argument, in
	// bytes, because a foreign schema may have thousands of declarations.
	maxReread = 4 * maxText
	// maxReadings limits how many combinations of readings are checked. maxWork limits the total
	// cost of these checks.
	maxReadings = 64
)

// readAll reads an argument by each of its declarations and stores all readings. It returns the
// value of the first. Only all arguments together show which declaration applies; see reread. If no
// declaration accepts the text, refused says what is expected.
func (r *request) readAll(i int, arg *Text) (v any, refused *Problem) {
	d := &r.parameters.declared[i]
	earlier := r.repaired
	all := readings{slot: i}
	var expected []string
	for tries, n := range d.declarations() {
		if tries > 0 && (r.left == 0 || tries*len(arg.Value) > maxReread) { // a limit is reached
			break
		}
		v, problem := r.readValue(arg, n.info)
		if problem == nil && isHuge(v) {
			long := r.longNumber()
			problem = &long
		}
		repaired := r.repaired.since(earlier)
		r.repaired = earlier
		if problem != nil {
			if refused == nil {
				refused = problem
			}
			if !slices.Contains(expected, problem.Expected) {
				expected = append(expected, problem.Expected)
			}
			continue
		}
		if !slices.ContainsFunc(all.list, func(other reading) bool { return identity(other.value) == identity(v) }) {
			all.list = append(all.list, reading{v, repaired})
		}
	}
	switch {
	case all.list == nil && r.left == 0: // a declaration that was not tried may accept the text
		problem := r.tooMuchWork()
		return nil, &problem
	case all.list == nil:
		refused.Expected = strings.Join(expected, r.say(" or "))
		if _, choices := d.unite(); choices != nil {
			refused.Code, refused.Expected = CodeEnum, r.oneOf(choices)
		}
		return nil, refused
	}
	r.several = append(r.several, all)
	return all.list[0].value, nil
}

// reread searches for readings of the arguments that the schema accepts together, and sets them. It
// is called if the schema refuses the first readings. If it finds no others, it sets the first
// readings again and returns false. size is at least the valueSize of the arguments.
func (r *request) reread(size int) bool {
	most := min(maxReadings, maxWork/max(1, r.work(r.all(), size, r.parameters.root, maxWork)))
	at := make([]int, len(r.several)) // the index of the reading that is tried, for each of r.several
	for range most {                  // at counts through all combinations; its first element counts fastest
		i := 0
		for ; i < len(at); i++ {
			at[i] = (at[i] + 1) % len(r.several[i].list)
			r.use(r.several[i], at[i])
			if at[i] != 0 {
				break
			}
		}
		if i == len(at) { // all have been tried, and the first ones are in use again
			return false
		}
		if validates(r.parameters.root, r.all()) {
			for i, s := range r.several {
				s.list[0] = s.list[at[i]]
			}
			return true
		}
	}
	for _, s := range r.several {
		r.use(s, 0)
	}
	return false
}

// use sets the argument of s to its reading n.
func (r *request) use(s readings, n int) {
	r.slots[s.slot].value = s.list[n].value
}

// keepRepairs records the repairs of the readings that are in use. These are the first of each
// argument, because reread moves them there.
func (r *request) keepRepairs() {
	for _, s := range r.several {
		r.repaired.join(&s.list[0].repaired)
	}
}
