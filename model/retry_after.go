package model

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// retryAfter returns the pause that a server asks for. It is 0 if the server does not ask, or
// writes anything that is not a time.
func retryAfter(h http.Header, now time.Time) time.Duration {
	// Some servers add this header, which is more precise.
	if d := parsePause(h.Get("Retry-After-Ms"), time.Millisecond); d > 0 {
		return d
	}
	value := h.Get("Retry-After")
	if at, err := http.ParseTime(strings.TrimSpace(value)); err == nil {
		return max(0, at.Sub(now))
	}
	return parsePause(value, time.Second)
}

// parsePause reads a number of units, with or without decimals. It returns 0 for anything else, and
// maxDuration for a value that a Duration cannot contain.
func parsePause(value string, unit time.Duration) time.Duration {
	value = strings.TrimSpace(value)
	if strings.Trim(value, "0123456789.") != "" { // ParseFloat would also read "1e3", "-5" and "inf"
		return 0
	}
	n, err := strconv.ParseFloat(value, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0
	}
	if n *= float64(unit); n >= float64(maxDuration) {
		return maxDuration
	}
	return time.Duration(n)
}
