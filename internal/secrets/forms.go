package secrets

// findForms calls mark for each part of a text that has the form of a secret. Such parts are keys
// with the prefix of a provider, JSON web tokens, private keys, credentials of HTTP, passwords in
// URLs, and values of names such as "password". A hash or a UUID without such a name is not a
// secret. findForms takes time in proportion to s.
func findForms(s string, mark func(from, to int)) {
	for i := range keyForms {
		keyForms[i].find(s, mark)
	}
	findPrivateKeys(s, mark)
	findURLPasswords(s, mark)
	lower := lowerASCII(s)
	for i := range secretNames {
		secretNames[i].find(s, lower, mark)
	}
}
