package secrets

const (
	// minSecret is the length of the shortest secret that is searched for, in bytes. Shorter ones
	// would be found in any text.
	minSecret = 4
	// pieceLength is the length of the shortest piece of a secret that is searched for, in bytes.
	// Pieces are searched for because errors often repeat only a part of an argument.
	pieceLength = 8
)

// Cover masks the values in texts, in place. It finds a value as it is, and with the escapes of
// JSON, Go, HTML and URLs, also nested. It also finds every piece of 8 bytes or more of a value. It
// does not find values of fewer than 4 bytes. It takes time in proportion to values and texts, and
// memory in proportion to texts and to the number of values.
func Cover(values []string, texts ...*string) {
	if len(values) == 0 {
		return
	}
	textBytes, valueBytes := 0, 0
	for _, text := range texts {
		textBytes += len(*text)
	}
	for _, value := range values {
		valueBytes += len(value)
	}
	known := newKnownValues(minSecret, pieceLength)
	if valueBytes > textBytes {
		known.onlyIn = newKnownValues(pieceLength, pieceLength)
		for _, text := range texts {
			known.onlyIn.add(*text)
			known.onlyIn.add(WithoutEscapes(*text))
		}
	}
	for _, value := range values {
		known.add(value)
		known.add(WithoutEscapes(value))
	}
	for _, text := range texts {
		*text = findEscaped(*text, known.find).mask(*text)
	}
}
