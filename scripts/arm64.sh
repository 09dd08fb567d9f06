#!/bin/sh
# Runs the corpora for arm64 under qemu-user. It also runs the tests of internal/needles, which has
# assembly only for amd64. An emulator is slow, so long suites run as a sample. Without qemu-aarch64
# the script says so and runs nothing.
#
#	scripts/arm64.sh
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go}
unset VCP_TEST_LONG

command -v qemu-aarch64 >/dev/null || {
	echo 'qemu-aarch64 is not installed (Debian package qemu-user), so the corpora do not run for arm64' >&2
	exit 0
}
binaries=$(mktemp -d)
trap 'rm -rf "$binaries"' EXIT
failed=0

# run DIRECTORY PATTERN runs the tests of a package whose names match, in its directory, as the go
# command does.
run() {
	echo "== arm64 $1 $2"
	GOARCH=arm64 CGO_ENABLED=0 $go test -c -o "$binaries/test" "./$1"
	(cd "$1" && qemu-aarch64 "$binaries/test" -test.run "$2" -test.timeout 15m) || failed=1
}

# A corpus is a directory of cases that golden.Load reads. Tests of corpora have one of these words
# in their names.
for file in $(grep -rlF 'golden.Load(' --include='*_test.go' . | sort); do
	run "$(dirname "${file#./}")" 'Corpus|DialectExamples'
done
run internal/needles .
exit $failed
