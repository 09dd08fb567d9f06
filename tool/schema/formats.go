package schema

import (
	"sync"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// ownFormats are the format go-duration, which the validator lacks, and the formats date-time and
// time. The validator's own checks of the latter refuse a time without an offset.
var ownFormats = sync.OnceValue(func() []*jsonschema.Format {
	return []*jsonschema.Format{
		{Name: formatDuration, Validate: checkDuration},
		{Name: "date-time", Validate: orLocal("date-time")},
		{Name: "time", Validate: orLocal("time")},
	}
})

// orLocal returns the validator's check of a time format, extended to accept a time without an
// offset.
func orLocal(format string) func(any) error {
	c := jsonschema.NewCompiler()
	c.UseLoader(denyAll{})
	c.AssertFormat()
	if err := c.AddResource(location, map[string]any{"format": format}); err != nil {
		panic(err) // the document is constant
	}
	check := c.MustCompile(location).Format.Validate
	return func(v any) error {
		err := check(v)
		if text, ok := v.(string); ok && err != nil && check(text+"Z") == nil {
			return nil
		}
		return err
	}
}

// formatDuration is the format of a time.Duration. JSON Schema's own format "duration" is that of
// ISO 8601.
const formatDuration = "go-duration"

// checkDuration returns an error if v is a string that time.ParseDuration cannot read.
func checkDuration(v any) error {
	text, ok := v.(string)
	if !ok {
		return nil // a format applies to strings only
	}
	_, err := time.ParseDuration(text)
	return err
}

// format describes a format in a problem, with an example if the name does not show how values are
// written.
func (l language) format(name string) string {
	switch name {
	case formatDuration:
		return l.say(`a duration such as "1m30s"`)
	case "date-time":
		return l.say(`text in the format date-time, such as "2006-01-02T15:04:05Z"`)
	}
	return l.say("text in the format %s", name)
}
