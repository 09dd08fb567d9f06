package orderedjson

// Read reads a text as one JSON value. Objects become map[string]any.
func Read(src string) (any, error) { return new(Reader).Read(src) }

// ReadOrdered reads a text as one JSON value. Objects become *Object.
func ReadOrdered(src string) (any, error) { return (&Reader{Ordered: true}).Read(src) }

// ReadString reads the string at the start of a text, which must begin with a quotation mark. It
// returns the rest of the text, too.
func (r *Reader) ReadString(src string) (s, rest string, err error) {
	r.src, r.at = src, 0
	if s, err = r.text(); err != nil {
		return "", src, err
	}
	return s, src[r.at:], nil
}

// Read reads a text as one JSON value.
func (r *Reader) Read(src string) (any, error) {
	r.src, r.at, r.depth = src, 0, 0
	r.blanks()
	if r.at == len(r.src) {
		return nil, errorf("it is empty")
	}
	v, err := r.value()
	if err != nil {
		return nil, err
	}
	if r.blanks(); r.at < len(r.src) {
		return nil, errorf("more follows after the first value, at byte %d", r.at)
	}
	return v, nil
}
