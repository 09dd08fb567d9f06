package scan

// ArgumentSet collects the arguments of one request. The zero value is empty and ready to use.
type ArgumentSet struct {
	// List has the arguments in the order written. The caller may set it to an empty slice, whose
	// memory is then used.
	List []Field
	seen map[string]string // the last value of each argument, if there are many
}

// fewArguments is the largest number of arguments that are compared one by one. More are looked up
// in a map.
const fewArguments = 16

// Add adds an argument, unless the last argument of its name has the same value. It returns false
// if that argument has another value.
func (s *ArgumentSet) Add(a Field) bool {
	last, again := s.value(a.Name)
	if again && last == a.Value {
		return true
	}
	s.List = append(s.List, a)
	if s.seen != nil {
		s.seen[a.Name] = a.Value
	}
	return !again
}

// value returns the last value of an argument.
func (s *ArgumentSet) value(name string) (value string, ok bool) {
	if s.seen == nil && len(s.List) > fewArguments {
		s.seen = make(map[string]string, 4*fewArguments)
		for _, a := range s.List {
			s.seen[a.Name] = a.Value
		}
	}
	if s.seen != nil {
		value, ok = s.seen[name]
		return value, ok
	}
	for i := len(s.List) - 1; i >= 0; i-- {
		if s.List[i].Name == name {
			return s.List[i].Value, true
		}
	}
	return "", false
}
