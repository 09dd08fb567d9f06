#!/bin/sh
# Prints the packages whose tests need the race detector: those that start goroutines in their code,
# in their tests, or in the code of a package of this module that they depend on. The other packages
# have nothing that could race, and the detector would make their tests ten times slower.
#
#	scripts/raced.sh PACKAGES    e.g. scripts/raced.sh ./...
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go}

# A go statement, WaitGroup.Go and the like, the function of a timer or a context, or a server of
# net/http. If a comment matches, a package is tested with the detector unnecessarily; that does no
# harm.
starts='(^|[[:space:];{])go (func *\(|[[:alpha:]_][^[:space:]]*\()|\.Go\(|AfterFunc\(|httptest\.New[[:alpha:]]*Server|\.(Listen[[:alpha:]]*)?Serve(TLS)?\('
MODULE=$($go list -m)
FILES=$(grep -rlE --include='*.go' "$starts" .)
# $* is not quoted, since an argument may contain several patterns.
# shellcheck disable=SC2048,SC2086
tests=$($go list -test -f '{{.ImportPath}} {{join .Deps " "}}' $*)
export MODULE FILES

printf '%s\n' "$tests" | awk '
	BEGIN {
		split(ENVIRON["FILES"], files, "\n")
		for (i in files) {
			pkg = files[i]
			sub(/^\./, ENVIRON["MODULE"], pkg)
			sub(/\/[^\/]*$/, "", pkg)
			starts[pkg] = 1
			if (files[i] !~ /_test\.go$/) inCode[pkg] = 1
		}
	}
	# PACKAGE.test is the program that the go command builds from the tests of a package. It depends
	# on everything that they import.
	$1 ~ /\.test$/ {
		pkg = $1
		sub(/\.test$/, "", pkg)
		raced = pkg in starts
		for (i = 2; i <= NF; i++) raced = raced || $i in inCode
		if (raced) print pkg
	}'
