package schema

import (
	"errors"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// ReadJSON lets tests compare our reader with others.
var ReadJSON = readJSON

// WorkAndFindings counts the work that checking a value is thought to take, and what the validator finds: it reports from each visit
// that fails.
func WorkAndFindings(s *Schema, value string) (work, findings int) {
	v, err := readJSON(value)
	if err != nil {
		panic(err)
	}
	w := worker{costs: s.shape.costs, limit: 1 << 40}
	w.visit(v, map[*jsonschema.Schema]int{s.root: 1})
	var invalid *jsonschema.ValidationError
	errors.As(s.root.Validate(v), &invalid)
	return w.done, causes(invalid)
}

func causes(err *jsonschema.ValidationError) int {
	if err == nil {
		return 0
	}
	count := 1
	for _, cause := range err.Causes {
		count += causes(cause)
	}
	return count
}
