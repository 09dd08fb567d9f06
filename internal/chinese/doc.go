// Package chinese has the Chinese texts of other packages, in catalogs. For each catalog a test
// checks that it contains all texts of its packages and no others.
package chinese
