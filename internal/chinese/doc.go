// Package chinese has the Chinese texts of other packages, one catalog for each. Each of these
// packages has a test that its catalog contains all its texts and no others.
package chinese
