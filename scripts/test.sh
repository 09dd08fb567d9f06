#!/bin/sh
# Runs the tests of packages. Those that scripts/raced.sh names run with the race detector, the
# others without it. Both groups run, also if the first fails. The race detector needs a working C
# compiler; if there is none, all run without the detector.
#
# Tests whose names begin with TestUnraced do not need the race detector, and would take ten times as
# long under it. They skip themselves under the detector, and then run once more without it.
#
#	scripts/test.sh PACKAGES [FLAGS OF GO TEST]    e.g. scripts/test.sh ./... -run Name -v
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go}
packages=$1
shift

# This limit is per package, and for hangs only: several times as long as the slowest package takes
# on a slow machine, with long suites. "make test" and "make test-long" use the same limit, since the
# go command reuses a cached result only for the same one.
timeout=30m

# $packages and the lists below are not quoted, since each may be several patterns or packages.
# shellcheck disable=SC2086
all=$($go list $packages)
raced=
# The race detector needs cgo, and cgo needs a C compiler with its headers. Compiling the one package
# that needs both shows whether they work.
if [ -n "${VCP_TEST_LONG:-}" ]; then
	echo 'long suites run without the race detector; "make test" runs samples of them with it' >&2
elif $go build -race runtime/cgo 2>/dev/null; then
	raced=$(GO=$go scripts/raced.sh "$packages")
else
	echo 'no working C compiler, so the race detector is off' >&2
	export CGO_ENABLED=0 # otherwise the go command would try a compiler that lacks its headers
fi
# No package is called "none", so nothing is excluded if no package needs the detector.
plain=$(printf '%s\n' "$all" | grep -vxF -e "${raced:-none}" || true)

# By default a program with the race detector sleeps a second before it exits, also each program
# that a test starts.
export GORACE="${GORACE:-atexit_sleep_ms=0}"

failed=0
# run PACKAGES [FLAGS OF GO TEST] runs the tests of a list, which may be empty.
run() {
	list=$1
	shift
	[ -n "$list" ] || return 0
	echo "$go test $* $(printf '%s' "$list" | tr '\n' ' ')"
	# shellcheck disable=SC2086
	$go test "$@" $list || failed=1
}
# The packages of modernc.org are C programs translated to Go: SQLite and a JavaScript engine. The
# detector would find no race of this module in them, and make them five times as slow.
run "$raced" -race '-gcflags=modernc.org/...=-race=false' -timeout $timeout "$@"
run "$plain" -timeout $timeout "$@"
unraced=
for pkg in $raced; do
	grep -qs '^func TestUnraced' "$($go list -f '{{.Dir}}' "$pkg")"/*_test.go && unraced="$unraced $pkg"
done
run "$unraced" -timeout $timeout -run '^TestUnraced' "$@"
exit $failed
