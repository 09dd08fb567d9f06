package configuration

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/tool"
)

// namedSource is a source that has a name and nothing else.
type namedSource struct {
	tool.Source
	name string
}

func (s namedSource) Name() string { return s.name }

// fill sets each string in v to text: in fields, in elements, and in the keys and values of maps.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), text)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, text)
		fill(value, text)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	}
}

// TestLawNoFieldShowsASecret puts a secret, or the key for the server, into every text of a
// configuration. No 8 consecutive characters of either are shown. (A law is a property that rapid
// checks with generated inputs.)
func TestLawNoFieldShowsASecret(t *testing.T) {
	const key = "correct horse battery staple"
	t.Setenv(EnvKey, key)
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringMatching("[a-z]{6}[0-9]{4}[A-Z]{4}[a-z0-9]{16}").Draw(t, "secret")
		form := rapid.SampledFrom([]string{
			"api_key=sk-%s", "Bearer %s", "password: %s", "token=%s", "https://ann:%s@example.org/v1", "sk-%s",
			"ghp_%s123456",
			key + "%.0s", // the key, and nothing of the secret
		}).Draw(t, "form")
		// 45 words are longer than maxShownText.
		prefix := strings.Repeat("word ", rapid.IntRange(0, 45).Draw(t, "words before the secret"))
		suffix := rapid.SampledFrom([]string{"", " and more", "\nand more"}).Draw(t, "suffix")
		text := prefix + fmt.Sprintf(form, secret) + suffix
		s := DefaultSettings()
		fill(reflect.ValueOf(&s.Config).Elem(), text)
		for name := range s.Own {
			s.Own[name] = text
		}
		s.File = text
		s.Sources = []tool.Source{namedSource{name: text}}
		s.Overrides = map[string]tool.Override{text: {}}
		for output, write := range map[string]func(out *strings.Builder) error{
			"text": func(out *strings.Builder) error { return s.WriteText(out) },
			"JSON": func(out *strings.Builder) error { return s.WriteJSON(out) },
		} {
			var out strings.Builder
			require.NoError(t, write(&out))
			for _, hidden := range []string{secret, key} {
				for i := range len(hidden) - 7 {
					require.NotContains(t, out.String(), hidden[i:i+8], output)
				}
			}
			for i := range Fields {
				require.Contains(t, out.String(), Fields[i].Name)
			}
		}
	})
}
