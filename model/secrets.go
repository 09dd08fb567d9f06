package model

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

const (
	shortestSecret = 4 // bytes; to take out what is shorter would tear words
	shortestPart   = 8 // bytes of a secret's beginning
	masked         = "[secret]"
)

// secrets takes every secret of Options out of a text, in the spellings in which servers repeat them.
type secrets struct {
	whole *strings.Replacer
	known []string
}

func secretsOf(o Options, u *url.URL) *secrets {
	s := &secrets{}
	s.add(o.APIKey)
	for _, key := range slices.Sorted(maps.Keys(o.Headers)) {
		for _, value := range o.Headers[key] {
			s.add(value)
			_, bare, _ := strings.Cut(value, " ") // "Bearer KEY", "Basic KEY"
			s.add(bare)
			if user, password, ok := (&http.Request{Header: http.Header{"Authorization": {value}}}).BasicAuth(); ok {
				s.addLogin(user, password)
			}
		}
	}
	if u.User != nil {
		password, _ := u.User.Password()
		s.addLogin(u.User.Username(), password)
	}
	var found []string
	for _, value := range s.known {
		found = append(found, spellings(value)...)
	}
	// A secret that holds another one is taken out first.
	slices.SortFunc(found, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var pairs []string
	for _, value := range slices.Compact(found) {
		pairs = append(pairs, value, masked)
	}
	s.whole = strings.NewReplacer(pairs...)
	return s
}

func (s *secrets) add(value string) {
	if value = strings.TrimSpace(value); len(value) >= shortestSecret {
		s.known = append(s.known, value)
	}
}

// addLogin adds a password, as it is and as the Authorization header has it. A user without a password is a token.
func (s *secrets) addLogin(user, password string) {
	s.add(password)
	if password == "" {
		s.add(user)
	}
	login := []byte(user + ":" + password)
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		s.add(e.EncodeToString(login))
	}
}

var percent = regexp.MustCompile(`%[0-9A-F]{2}`)

// spellings are the ways in which a server may repeat a value: as it is or as a part of a URL, and either within JSON that is shown
// as it came.
func spellings(value string) []string {
	list := []string{value}
	for _, escaped := range []string{url.QueryEscape(value), url.PathEscape(value)} {
		list = append(list, escaped, percent.ReplaceAllStringFunc(escaped, strings.ToLower))
	}
	for _, spelling := range slices.Clone(list) {
		html, _ := json.Marshal(spelling) // strings always encode
		plain, _ := encodeJSON(spelling)
		list = append(list, string(html[1:len(html)-1]), string(plain[1:len(plain)-1]))
	}
	for _, spelling := range slices.Clone(list) {
		list = append(list, strings.ReplaceAll(spelling, "/", `\/`))
	}
	return list
}

// Replace returns a text without secrets.
func (s *secrets) Replace(text string) string {
	text = s.whole.Replace(text)
	for _, value := range s.known {
		text = withoutPart(text, value)
	}
	return text
}

// withoutPart takes the beginning of a secret out of a text where the text itself leaves out the rest: "sk-12345****cdef". A text that
// ends there may have been cut.
func withoutPart(text, secret string) string {
	if len(secret) < shortestPart {
		return text
	}
	var b strings.Builder
	for {
		at := strings.Index(text, secret[:shortestPart])
		if at < 0 {
			return b.String() + text
		}
		b.WriteString(text[:at])
		text = text[at:]
		part := shared(text, secret)
		if elision.MatchString(text[part:]) {
			b.WriteString(masked)
		} else {
			part = 1
			b.WriteString(text[:part])
		}
		text = text[part:]
	}
}

var elision = regexp.MustCompile(`^(\*\*|\.\.\.|…|••|$)`)

// shared returns how many bytes two texts begin with alike.
func shared(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
