package main

import (
	"fmt"
	"strings"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/tool"
)

// fileText shows a file that a call has yielded: its name, what it is and how large.
func fileText(f tool.File) string {
	return fmt.Sprintf("[file] %s (%s, %s)", visible(truncated(f.Name, shownValue)), visible(truncated(f.MediaType, shownValue)), bytesText(len(f.Data)))
}

// detailsText shows the beginning of what a call tells people; "" where that is nothing, or no more than the model was told.
func detailsText(r *executor.Result) string {
	if _, ok := r.Details.(executor.ArgumentsDetails); ok { // the message says it in fewer words
		return ""
	}
	text := detailsJSON(r.Details)
	if text == "" || text == "null" || text == strings.TrimSpace(withoutEditNote(r)) {
		return ""
	}
	return "[details] " + visible(truncated(text, shownResult))
}

// detailsJSON is what a tool gave as JSON. What it gave may have methods of its own, which may do anything.
func detailsJSON(details any) (text string) {
	if details == nil {
		return ""
	}
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	b, err := orderedjson.Encode(details)
	if err != nil {
		return ""
	}
	return string(b)
}

// bytesText is a size with the digits that people read.
func bytesText(n int) string {
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1_000_000)
	case n >= 1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	}
	return plural(n, "byte", "bytes")
}
