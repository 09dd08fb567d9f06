// Package chinese has the Chinese texts of other packages, one catalog for each. Each of these
// packages has a test that its catalog lacks no text and has none that nothing uses.
package chinese
