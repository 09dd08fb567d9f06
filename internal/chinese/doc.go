// Package chinese has the Chinese texts of other packages, in catalogs. Each catalog has a test:
// the catalog must translate all texts of its packages, and contain no others.
package chinese
