#!/bin/sh
# Runs each fuzz target for TIME, since the go command fuzzes one target of one package at a time.
# All targets run, also after one has failed; the exit status says whether any did.
#
# TARGETS is a regular expression, as for go test -list.
#
#	scripts/fuzz.sh PACKAGES TARGETS TIME    e.g. scripts/fuzz.sh ./parser . 10m
set -eu
export VCP_TEST_LONG=1 # all seeds, not the sample that the tests run
pkgs=$(${GO:-go} list "$1")
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failed=

# fuzz TARGET PACKAGE TIME fails if the target does. Before version 1.27 Go sometimes reports the end
# of TIME as a failure: "context deadline exceeded" without a failing input. That is ignored.
fuzz() {
	echo "== $2 $1 for $3"
	# The pipeline has the status of tee, so a line of the output says that go test failed.
	{ ${GO:-go} test -run '^$' -fuzz "^$1\$" -fuzztime "$3" -timeout 0 "$2" 2>&1 || echo "exit status of $1 is not 0"; } |
		tee "$output"
	grep -q "^exit status of $1 is not 0\$" "$output" || return 0
	grep -q '^ *context deadline exceeded$' "$output" && ! grep -qE 'Failing input|panic|fatal error' "$output" || return 1
	echo "$1: the time was over; no failing input"
}

for pkg in $pkgs; do
	list=$(${GO:-go} test -list "$2" "$pkg")
	for target in $(printf '%s\n' "$list" | grep '^Fuzz' || true); do
		fuzz "$target" "$pkg" "$3" || failed="$failed $target"
	done
done
if [ -n "$failed" ]; then
	echo "failed:$failed" >&2
	exit 1
fi
