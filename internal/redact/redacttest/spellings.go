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
	Before, After string // the text around it
	Lead          int    // bytes that are encoded with the secret, before it
	// Long means that Line finds this spelling only for secrets with at least 16 letters and
	// digits.
	Long bool
}

// Write returns the spelled secret with Before and After.
func (s Spelling) Write(secret string) string { return s.Before + s.Spell(secret) + s.After }

func each(format string) func(string) string {
	return func(secret string) string {
		var b strings.Builder
		for _, c := range []byte(secret) {
			fmt.Fprintf(&b, format, c)
		}
		return b.String()
	}
}

func between(separator string) func(string) string {
	return func(secret string) string { return strings.Join(strings.Split(secret, ""), separator) }
}

func then(first, second func(string) string) func(string) string {
	return func(secret string) string { return second(first(secret)) }
}

func as(e *base64.Encoding, before string) func(string) string {
	return func(secret string) string { return e.EncodeToString([]byte(before + secret)) }
}

func same(secret string) string { return secret }

func inJSON(secret string) string {
	text, _ := json.Marshal(secret) // a string always encodes
	return string(text[1 : len(text)-1])
}

func lines(text string) string {
	var b strings.Builder
	for piece := range slices.Chunk([]byte(text), 19) {
		b.Write(piece)
		b.WriteString("\r\n")
	}
	return b.String()
}

func mail(secret string) string {
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

func wide(secret string) string {
	return strings.Map(func(c rune) rune {
		if c > ' ' && c < 0x7f {
			return c - '!' + '！'
		}
		return c
	}, secret)
}

func backwards(secret string) string {
	runes := []rune(secret)
	slices.Reverse(runes)
	return string(runes)
}

func colons(secret string) string {
	return strings.TrimPrefix(each(":%02X")(secret), ":")
}

// Spellings lists all spellings.
var Spellings = []Spelling{
	{Name: "as it is", Spell: same},
	{Name: "in capital letters", Spell: strings.ToUpper},
	{Name: "in small letters", Spell: strings.ToLower},
	{Name: "as a bearer", Spell: same, Before: "Bearer "},
	{Name: "after its name", Spell: same, Before: "x-api-key:", After: ";"},
	{Name: "in a query", Spell: url.QueryEscape, Before: "https://h.example/v1?api_key=", After: "&x=1"},
	{Name: "as a password of a URL", Spell: url.PathEscape, Before: "https://user:", After: "@h.example/v1"},
	{Name: "as a user of a URL", Spell: url.PathEscape, Before: "https://", After: "@h.example/v1"},
	{Name: "escaped for a URL", Spell: url.QueryEscape},
	{Name: "escaped for a URL in small letters", Spell: then(url.PathEscape, strings.ToLower)},
	{Name: "all of it escaped for a URL", Spell: each("%%%02X")},
	{Name: "all of it escaped for a URL in small letters", Spell: each("%%%02x")},
	{Name: "all of it escaped for a URL twice", Spell: then(each("%%%02X"), url.QueryEscape)},
	{Name: "all of it escaped for a URL three times", Spell: then(then(each("%%%02X"), url.QueryEscape), url.QueryEscape)},
	{Name: "as old scripts escape it", Spell: each("%%u00%02x")},
	{Name: "in JSON", Spell: inJSON},
	{Name: "in JSON within JSON", Spell: then(inJSON, inJSON)},
	{Name: "in JSON with its slashes escaped", Spell: func(s string) string { return strings.ReplaceAll(inJSON(s), "/", `\/`) }},
	{Name: "all of it escaped for JSON", Spell: each(`\u%04x`)},
	{Name: "all of it escaped for JSON in capital letters", Spell: each(`\u%04X`)},
	{Name: "all of it escaped for JSON within JSON", Spell: then(each(`\u%04x`), inJSON)},
	{Name: "as code points in braces", Spell: each(`\u{%x}`)},
	{Name: "as code points of 8 digits", Spell: each(`\U%08x`)},
	{Name: "as bytes of a program", Spell: each(`\x%02x`)},
	{Name: "in octal", Spell: each(`\%03o`)},
	{Name: "in HTML", Spell: html.EscapeString},
	{Name: "as references of HTML", Spell: each("&#%d;")},
	{Name: "as references without their end", Spell: each("&#%d")},
	{Name: "as hexadecimal references", Spell: each("&#x%x;")},
	{Name: "as references with zeros", Spell: each("&#X000000%02X;")},
	{Name: "as references of references", Spell: then(each("&#%d;"), html.EscapeString)},
	{Name: "in base64", Spell: as(base64.StdEncoding, "")},
	{Name: "in base64 without its end", Spell: as(base64.RawStdEncoding, "")},
	{Name: "in base64 for URLs", Spell: as(base64.URLEncoding, "")},
	{Name: "in base64 for URLs without its end", Spell: as(base64.RawURLEncoding, "")},
	{Name: "in base64 with a user", Spell: as(base64.StdEncoding, "user:"), Lead: 5, Before: "Basic "},
	{Name: "in base64 as a bearer", Spell: as(base64.StdEncoding, "Bearer "), Lead: 7},
	{Name: "in base64 of base64", Spell: then(as(base64.StdEncoding, "k"), as(base64.StdEncoding, ""))},
	{Name: "in base64 in lines", Spell: then(as(base64.StdEncoding, "Bearer "), lines), Lead: 7},
	{Name: "in base64 within a URL", Spell: then(as(base64.StdEncoding, "?"), url.QueryEscape)},
	{Name: "in base64 of a URL", Spell: then(each("%%%02x"), as(base64.RawURLEncoding, ""))},
	{Name: "in hexadecimal", Spell: func(s string) string { return hex.EncodeToString([]byte(s)) }},
	{Name: "in hexadecimal with colons", Spell: colons},
	{Name: "in hexadecimal with blanks", Spell: each("%02x ")},
	{Name: "in hexadecimal as in a program", Spell: each("0x%02x, ")},
	{Name: "in hexadecimal of base64", Spell: then(as(base64.StdEncoding, ""),
		func(s string) string { return hex.EncodeToString([]byte(s)) })},
	{Name: "as a list of numbers", Spell: each("%d ")},
	{Name: "as a list of numbers with commas", Spell: each("%d,")},
	{Name: "in mail", Spell: mail},
	{Name: "all of it escaped for mail", Spell: each("=%02X")},
	{Name: "with control characters between", Spell: between("\x01")},
	{Name: "with zeros between", Spell: between("\x00")},
	{Name: "with escape sequences between", Spell: between("\x1b\x08")},
	{Name: "with invisible characters between", Spell: between("\u200b")},
	{Name: "with marks of reading order between", Spell: between("\u202e\u2066")},
	{Name: "with soft hyphens between", Spell: between("\u00ad")},
	{Name: "with joiners and variants between", Spell: between("\u200d\ufe0f")},
	{Name: "a letter a line", Spell: between("\r\n")},
	{Name: "with blanks between", Spell: between(" ")},
	{Name: "with wide blanks between", Spell: between("\u3000")},
	{Name: "with hyphens between", Spell: between("-"), Long: true},
	{Name: "joined by a program", Spell: between(`" + "`), Long: true},
	{Name: "in wide letters", Spell: wide},
	{Name: "backwards", Spell: backwards},
}

// row is the least number of consecutive bytes of a secret that must not be shown.
const row = 8

// Leak returns a part of shown that reveals 8 bytes of the secret in a row, in one of the
// spellings, or "" if no part does.
func Leak(shown, secret string) string {
	seen := visible(shown)
	for i := range len(secret) - row + 1 {
		part := secret[i : i+row]
		if !utf8.ValidString(part) {
			continue // a character that was split is not part of a text
		}
		readable := visible(part) == strings.ToLower(part)
		if strings.Contains(shown, part) || readable && strings.Contains(seen, visible(part)) {
			return part
		}
	}
	for _, s := range Spellings {
		whole := visible(s.Spell(secret))
		if !sharesPiece(seen, whole) {
			continue
		}
		for _, part := range s.knownParts(secret, whole) {
			if strings.Contains(seen, part) {
				return fmt.Sprintf("%s (%s)", part, s.Name)
			}
		}
	}
	return ""
}

// sharesPiece reports whether two texts share 4 bytes. A spelling that shares none with the
// displayed text cannot leak, and needs no exact comparison.
func sharesPiece(a, b string) bool {
	const piece = 4
	for i := 0; i+piece <= len(b); i++ {
		if strings.Contains(a, b[i:i+piece]) {
			return true
		}
	}
	return len(b) < piece
}

// known keeps the parts of secrets, since tests look for one secret in many texts.
var known sync.Map

// knownParts returns what parts returns, and computes it once.
func (s Spelling) knownParts(secret, whole string) []string {
	key := [2]string{s.Name, secret}
	if parts, ok := known.Load(key); ok {
		return parts.([]string)
	}
	parts := s.parts(secret, whole)
	known.Store(key, parts)
	return parts
}

// parts returns the parts of whole, the visible spelling, that spell 8 bytes of the secret each.
func (s Spelling) parts(secret, whole string) (parts []string) {
	ends := make([]int, len(secret)+1) // of each byte of the secret in whole
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
	for i := range len(secret) - row + 1 {
		if ends[i] >= 0 && ends[i+row] >= 0 {
			parts = append(parts, whole[ends[i]:ends[i+row]])
		}
	}
	return parts
}

// estimatedParts is like parts, for a spelling that does not write each byte by itself.
func (s Spelling) estimatedParts(secret, whole string) (parts []string) {
	whole = whole[len(whole)*s.Lead/(len(secret)+s.Lead):]
	// A decoder cannot begin everywhere, so a part is half as long again as a row.
	size := (row*len(whole) + len(secret) - 1) / len(secret) * 3 / 2
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
