# The commands of this repository. "make test" needs only Go; "make lint" and "make fmt" install pinned
# tools into ./bin.

SHELL := /bin/sh
GO ?= go
BIN := $(CURDIR)/bin

GOLANGCI_LINT_VERSION := v2.15.0
GOFUMPT_VERSION := v0.12.0
# The file's name contains the version, so that a new one is installed when the line above changes.
GOLANGCI_LINT := $(BIN)/golangci-lint-$(GOLANGCI_LINT_VERSION)
GOFUMPT := $(BIN)/gofumpt-$(GOFUMPT_VERSION)

# What to test, and how long each fuzz target runs: make fuzz PKG=./parser FUZZ=FuzzChunks FUZZTIME=10m
PKG ?= ./...
FUZZ ?= .
FUZZTIME ?= 30s
BENCH ?= .
TESTFLAGS ?=

.PHONY: all
all: build test check

.PHONY: build
build: ## the binary, as ./bin/vcp
	$(GO) build -o '$(BIN)/vcp' ./cmd/vcp

.PHONY: test
test: ## all tests, long suites as a sample; packages with goroutines under the race detector
	GO='$(GO)' scripts/test.sh '$(PKG)' $(TESTFLAGS)

.PHONY: test-long
test-long: ## all tests, long suites whole
	VCP_TEST_LONG=1 GO='$(GO)' scripts/test.sh '$(PKG)' $(TESTFLAGS)

.PHONY: test-arm64
test-arm64: ## the corpora for arm64, if qemu-user is installed
	GO='$(GO)' scripts/arm64.sh

.PHONY: test-browser
test-browser: ## the pages of the examples in a browser, in a separate module
	cd examples/browser && $(GO) vet . && $(GO) test -timeout 10m $(TESTFLAGS) .

.PHONY: bench
bench: ## all benchmarks
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -timeout 60m $(TESTFLAGS) $(PKG)

.PHONY: bench-eino
bench-eino: ## an iteration compared with another library's agents, in a separate module
	cd benchmarks && $(GO) vet . && $(GO) test -bench Iteration -benchtime 10s -timeout 10m $(TESTFLAGS) .

.PHONY: fuzz
fuzz: ## each fuzz target for FUZZTIME
	GO='$(GO)' scripts/fuzz.sh '$(PKG)' '$(FUZZ)' '$(FUZZTIME)'

.PHONY: check
check: check-fmt vet lint check-mod ## all checks besides the tests

# Both formatters have to agree: they break the alignment of long tables differently.
.PHONY: check-fmt
check-fmt: $(GOFUMPT)
	@files=$$("$$($(GO) env GOROOT)/bin/gofmt" -l . && '$(GOFUMPT)' -l .); if [ -n "$$files" ]; then \
		echo "not formatted; run make fmt:" >&2; echo "$$files" >&2; exit 1; fi

.PHONY: vet
vet:
	$(GO) vet ./...

.PHONY: lint
lint: $(GOLANGCI_LINT) ## the linters of .golangci.yml
	'$(GOLANGCI_LINT)' run

.PHONY: check-mod
check-mod:
	$(GO) mod tidy -diff

.PHONY: fmt
fmt: $(GOFUMPT) ## format all files
	'$(GOFUMPT)' -l -w .

$(GOLANGCI_LINT):
	GOBIN='$(BIN)' $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT_VERSION)
	mv '$(BIN)/golangci-lint' '$@'

$(GOFUMPT):
	GOBIN='$(BIN)' $(GO) install mvdan.cc/gofumpt@$(GOFUMPT_VERSION)
	mv '$(BIN)/gofumpt' '$@'

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## \(.*\)/\1	\2/p' Makefile
