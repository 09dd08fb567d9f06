// Package redacttest writes secrets in the spellings that servers may use, and finds parts of a
// secret in displayed text.
package redacttest

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Spelling is one way to write a secret.
type Spelling struct {
	Name          string
	Spell         func(secret string) string
	Before, After string // the text around the spelled secret
	Lead          int    // how many bytes Spell adds before the secret and encodes together with it
	// Long means that a Redactor finds this spelling only for secrets with at least 16 letters and
	// digits.
	Long bool
}

// Write returns the spelled secret with Before and After.
func (s Spelling) Write(secret string) string { return s.Before + s.Spell(secret) + s.After }

// eachByte returns a function that writes each byte of a secret with a format.
func eachByte(format string) func(string) string {
	return func(secret string) string {
		var b strings.Builder
		for _, c := range []byte(secret) {
			fmt.Fprintf(&b, format, c)
		}
		return b.String()
	}
}

// separatedBy returns a function that writes a separator between the characters of a secret.
func separatedBy(separator string) func(string) string {
	return func(secret string) string { return strings.Join(strings.Split(secret, ""), separator) }
}

// compose returns a function that applies first and then second.
func compose(first, second func(string) string) func(string) string {
	return func(secret string) string { return second(first(secret)) }
}

// encodedIn returns a function that encodes the text before and a secret together.
func encodedIn(e *base64.Encoding, before string) func(string) string {
	return func(secret string) string { return e.EncodeToString([]byte(before + secret)) }
}

// same returns a secret as it is.
func same(secret string) string { return secret }

// inJSON returns a secret as it is written within a JSON string.
func inJSON(secret string) string {
	text, _ := json.Marshal(secret) // a string always encodes
	return string(text[1 : len(text)-1])
}

// inLines writes 19 bytes on each line, so that line breaks split the groups of 4 digits of base64.
func inLines(text string) string {
	var b strings.Builder
	for piece := range slices.Chunk([]byte(text), 19) {
		b.Write(piece)
		b.WriteString("\r\n")
	}
	return b.String()
}

// inMail writes a secret in the encoding quoted-printable of mail, with up to 7 of its bytes on
// each line.
func inMail(secret string) string {
	var b strings.Builder
	for piece := range slices.Chunk([]byte(secret), 7) {
		for _, c := range piece {
			if c == '=' || c >= 0x80 {
				fmt.Fprintf(&b, "=%02X", c)
			} else {
				b.WriteByte(c)
			}
		}
		b.WriteString("=\r\n")
	}
	return b.String()
}

// inWideLetters writes a secret in the wide forms of ASCII.
func inWideLetters(secret string) string {
	return strings.Map(func(c rune) rune {
		if c > ' ' && c < 0x7f {
			return c - '!' + '！'
		}
		return c
	}, secret)
}

// backwards returns a secret with its characters in reverse order.
func backwards(secret string) string {
	runes := []rune(secret)
	slices.Reverse(runes)
	return string(runes)
}

// hexWithColons writes the bytes of a secret in hexadecimal, separated by colons.
func hexWithColons(secret string) string {
	return strings.TrimPrefix(eachByte(":%02X")(secret), ":")
}

// Spellings lists all spellings.
var Spellings = []Spelling{
	{Name: "as it is", Spell: same},
	{Name: "in capital letters", Spell: strings.ToUpper},
	{Name: "in small letters", Spell: strings.ToLower},
	{Name: "as a bearer token", Spell: same, Before: "Bearer "},
	{Name: "after its name", Spell: same, Before: "x-api-key:", After: ";"},
	{Name: "in a query", Spell: url.QueryEscape, Before: "https://h.example/v1?api_key=", After: "&x=1"},
	{Name: "as a password of a URL", Spell: url.PathEscape, Before: "https://user:", After: "@h.example/v1"},
	{Name: "as a user of a URL", Spell: url.PathEscape, Before: "https://", After: "@h.example/v1"},
	{Name: "escaped for a URL", Spell: url.QueryEscape},
	{Name: "escaped for a URL in small letters", Spell: compose(url.PathEscape, strings.ToLower)},
	{Name: "all of it escaped for a URL", Spell: eachByte("%%%02X")},
	{Name: "all of it escaped for a URL in small letters", Spell: eachByte("%%%02x")},
	{Name: "all of it escaped for a URL twice", Spell: compose(eachByte("%%%02X"), url.QueryEscape)},
	{
		Name:  "all of it escaped for a URL three times",
		Spell: compose(compose(eachByte("%%%02X"), url.QueryEscape), url.QueryEscape),
	},
	{Name: "as JavaScript's escape function writes it", Spell: eachByte("%%u00%02x")},
	{Name: "in JSON", Spell: inJSON},
	{Name: "in JSON within JSON", Spell: compose(inJSON, inJSON)},
	{
		Name:  "in JSON with its slashes escaped",
		Spell: func(s string) string { return strings.ReplaceAll(inJSON(s), "/", `\/`) },
	},
	{Name: "all of it escaped for JSON", Spell: eachByte(`\u%04x`)},
	{Name: "all of it escaped for JSON in capital letters", Spell: eachByte(`\u%04X`)},
	{Name: "all of it escaped for JSON within JSON", Spell: compose(eachByte(`\u%04x`), inJSON)},
	{Name: "as code points in braces", Spell: eachByte(`\u{%x}`)},
	{Name: "as code points of 8 digits", Spell: eachByte(`\U%08x`)},
	{Name: "as bytes of a program", Spell: eachByte(`\x%02x`)},
	{Name: "in octal", Spell: eachByte(`\%03o`)},
	{Name: "in HTML", Spell: html.EscapeString},
	{Name: "as references of HTML", Spell: eachByte("&#%d;")},
	{Name: "as references without semicolons", Spell: eachByte("&#%d")},
	{Name: "as hexadecimal references", Spell: eachByte("&#x%x;")},
	{Name: "as references with zeros", Spell: eachByte("&#X000000%02X;")},
	{Name: "as references of references", Spell: compose(eachByte("&#%d;"), html.EscapeString)},
	{Name: "in base64", Spell: encodedIn(base64.StdEncoding, "")},
	{Name: "in base64 without padding", Spell: encodedIn(base64.RawStdEncoding, "")},
	{Name: "in base64 for URLs", Spell: encodedIn(base64.URLEncoding, "")},
	{Name: "in base64 for URLs without padding", Spell: encodedIn(base64.RawURLEncoding, "")},
	{Name: "in base64 with a user", Spell: encodedIn(base64.StdEncoding, "user:"), Lead: 5, Before: "Basic "},
	{Name: "in base64 as a bearer token", Spell: encodedIn(base64.StdEncoding, "Bearer "), Lead: 7},
	{
		Name:  "in base64 of base64",
		Spell: compose(encodedIn(base64.StdEncoding, "k"), encodedIn(base64.StdEncoding, "")), Lead: 1,
	},
	{Name: "in base64 in lines", Spell: compose(encodedIn(base64.StdEncoding, "Bearer "), inLines), Lead: 7},
	{Name: "in base64 within a URL", Spell: compose(encodedIn(base64.StdEncoding, "?"), url.QueryEscape), Lead: 1},
	{Name: "in base64 of a URL", Spell: compose(eachByte("%%%02x"), encodedIn(base64.RawURLEncoding, ""))},
	{Name: "in hexadecimal", Spell: func(s string) string { return hex.EncodeToString([]byte(s)) }},
	{Name: "in hexadecimal with colons", Spell: hexWithColons},
	{Name: "in hexadecimal with blanks", Spell: eachByte("%02x ")},
	{Name: "in hexadecimal as in a program", Spell: eachByte("0x%02x, ")},
	{Name: "in hexadecimal of base64", Spell: compose(encodedIn(base64.StdEncoding, ""),
		func(s string) string { return hex.EncodeToString([]byte(s)) })},
	{Name: "as a list of numbers", Spell: eachByte("%d ")},
	{Name: "as a list of numbers with commas", Spell: eachByte("%d,")},
	{Name: "in mail", Spell: inMail},
	{Name: "all of it escaped for mail", Spell: eachByte("=%02X")},
	{Name: "with control characters between", Spell: separatedBy("\x01")},
	{Name: "with zeros between", Spell: separatedBy("\x00")},
	{Name: "with escape sequences between", Spell: separatedBy("\x1b\x08")},
	{Name: "with invisible characters between", Spell: separatedBy("\u200b")},
	{Name: "with characters of reading order between", Spell: separatedBy("\u202e\u2066")},
	{Name: "with soft hyphens between", Spell: separatedBy("\u00ad")},
	{Name: "with joiners and variants between", Spell: separatedBy("\u200d\ufe0f")},
	{Name: "one letter per line", Spell: separatedBy("\r\n")},
	{Name: "with blanks between", Spell: separatedBy(" ")},
	{Name: "with wide blanks between", Spell: separatedBy("\u3000")},
	{Name: "with hyphens between", Spell: separatedBy("-"), Long: true},
	{Name: "joined by a program", Spell: separatedBy(`" + "`), Long: true},
	{Name: "in wide letters", Spell: inWideLetters},
	{Name: "backwards", Spell: backwards},
}

// leakBytes is the number of consecutive bytes of a secret that must not be shown.
const leakBytes = 8

// Leak returns a part of shown that reveals 8 consecutive bytes of the secret, with the name of the
// spelling if the part is encoded. It returns "" if no part does.
func Leak(shown, secret string) string {
	seen := visible(shown)
	for i := range len(secret) - leakBytes + 1 {
		part := secret[i : i+leakBytes]
		if !utf8.ValidString(part) {
			continue // part begins or ends within a character
		}
		isVisible := visible(part) == strings.ToLower(part)
		if strings.Contains(shown, part) || isVisible && strings.Contains(seen, visible(part)) {
			return part
		}
	}
	for _, s := range Spellings {
		whole := visible(s.Spell(secret))
		if !sharesPiece(seen, whole) {
			continue
		}
		for _, part := range s.cachedParts(secret, whole) {
			if strings.Contains(seen, part) {
				return fmt.Sprintf("%s (%s)", part, s.Name)
			}
		}
	}
	return ""
}

// sharesPiece reports whether the displayed text contains 4 consecutive bytes of a spelled secret,
// or the spelled secret has fewer than 4 bytes. If it returns false, the spelling cannot leak, and
// needs no exact comparison.
func sharesPiece(displayed, spelled string) bool {
	const piece = 4
	for i := 0; i+piece <= len(spelled); i++ {
		if strings.Contains(displayed, spelled[i:i+piece]) {
			return true
		}
	}
	return len(spelled) < piece
}

// partsCache caches the results of Spelling.parts, because tests search many texts for one secret.
var partsCache sync.Map

// cachedParts returns the result of parts, which it computes only once.
func (s Spelling) cachedParts(secret, whole string) []string {
	key := [2]string{s.Name, secret}
	if parts, ok := partsCache.Load(key); ok {
		return parts.([]string)
	}
	parts := s.parts(secret, whole)
	partsCache.Store(key, parts)
	return parts
}

// parts returns the parts of whole that spell 8 consecutive bytes of the secret each. whole is the
// visible text of the spelled secret.
func (s Spelling) parts(secret, whole string) (parts []string) {
	ends := make([]int, len(secret)+1) // ends[i] is the end of secret[:i] in whole
	for i := range ends {
		start := visible(s.Spell(secret[:i]))
		switch {
		case strings.HasPrefix(whole, start):
			ends[i] = len(start)
		case utf8.ValidString(secret[:i]):
			return s.estimatedParts(secret, whole)
		default:
			ends[i] = -1 // within a character that the spelling writes as a whole
		}
	}
	for i := range len(secret) - leakBytes + 1 {
		if ends[i] >= 0 && ends[i+leakBytes] >= 0 {
			parts = append(parts, whole[ends[i]:ends[i+leakBytes]])
		}
	}
	return parts
}

// estimatedParts is like parts, for a spelling that does not write each byte separately.
func (s Spelling) estimatedParts(secret, whole string) (parts []string) {
	whole = whole[len(whole)*s.Lead/(len(secret)+s.Lead):]
	// A decoder cannot begin at each byte, so a part is longer by half than the bytes that it
	// spells.
	size := (leakBytes*len(whole) + len(secret) - 1) / len(secret) * 3 / 2
	for i := 0; i+size <= len(whole); i++ {
		parts = append(parts, whole[i:i+size])
	}
	return parts
}

// visible returns text without invisible characters, in lower case.
func visible(text string) string {
	return strings.ToLower(strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) || !unicode.IsPrint(c) || unicode.In(c, unicode.Mn) {
			return -1
		}
		return c
	}, text))
}
