// Package chinese has the Chinese texts of other packages, in catalogs. For each catalog a test
// checks that it translates all texts of its packages and contains no others.
package chinese
