// Package browser tests the pages of examples/webchat and examples/analyst in a browser. It is a
// module of its own, so that nobody else needs the driver of the browser.
package browser
