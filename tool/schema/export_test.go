package schema

import (
	"errors"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// WorkAndFindings returns the estimated work of checking a value in JSON, and the number of the
// validator's errors. The validator has one error for each visit that fails.
func WorkAndFindings(s *Schema, value string) (work, findings int) {
	v, err := orderedjson.Read(value)
	if err != nil {
		panic(err)
	}
	root := s.parameters.root
	w := worker{costs: s.parameters.costs, limit: 1 << 40}
	w.visit(v, map[*jsonschema.Schema]int{root: 1})
	var invalid *jsonschema.ValidationError
	errors.As(root.Validate(v), &invalid)
	return w.done, causes(invalid)
}

// causes returns the number of errors in the tree of err.
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

// RepairNames lists the names of all repairs.
func RepairNames() []string { return repairNames[:] }
