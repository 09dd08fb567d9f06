package schema

import "time"

// formatDuration is the format of a time.Duration; "duration" is that of ISO 8601.
const formatDuration = "go-duration"

func checkDuration(v any) error {
	text, ok := v.(string)
	if !ok {
		return nil // a format applies to strings only
	}
	_, err := time.ParseDuration(text)
	return err
}

// Models are told this of strings whose format or encoding has a name that does not show how they
// are written.
const (
	durationExample = `a duration such as "1m30s"`
	bytesNote       = "bytes in base64"
)

// formatText describes a format, with an example if its name does not show how it is written.
func formatText(format string) string {
	switch format {
	case formatDuration:
		return durationExample
	case "date-time":
		return `text in the format date-time, such as "2006-01-02T15:04:05Z"`
	}
	return "text in the format " + format
}
