// Package browser tests the page of examples/webchat in a browser. It is a module of its own, so that
// nobody else needs the driver of the browser.
package browser
