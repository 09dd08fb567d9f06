// Package tabular reads tables row by row and calculates with them in one pass. Its memory depends
// on the number of columns and groups, and not on the number of rows. The exception is XLSX,
// whose shared strings are kept, up to a limit in bytes.
//
// Its files, from the lowest layer up: errors defines the errors; value and date read cells;
// reader, csv, json, the files of xlsx (part, number, workbook, xlsx) and open read rows; filter
// selects rows, and date_column finds the column of the dates; quantiles, group, describe, query,
// aggregate and selection calculate.
package tabular
