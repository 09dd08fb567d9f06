// Package browser tests the pages of examples/webchat and examples/analyst in a browser. It is a
// module of its own, so that other modules do not depend on the browser's driver.
package browser
