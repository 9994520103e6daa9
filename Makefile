# "make" lists the targets. Recipes are one line where they can be; longer work is in scripts/.

SHELL       := /bin/bash
.ONESHELL:
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
STAMP   := -ldflags "-X main.stamped=$(VERSION)"

# The environment of builds for CUDA: our own cuda.h and an empty libcuda.a stand in for a toolkit.
CUDA := eval "$$(scripts/cuda-env.sh)";

# Tests that only the CUDA build has, and their packages. The others say of it, on a machine without a card, what they say
# of the other build; test-long runs them, too.
CUDA_FILES    = $(shell grep -rl --include='*_test.go' '^//go:build cuda' . 2>/dev/null | xargs -r grep -l '^func Test')
CUDA_PACKAGES = $(sort $(dir $(CUDA_FILES)))
CUDA_TESTS    = $(shell grep -ohE '^func Test[A-Za-z0-9_]+' $(CUDA_FILES) /dev/null | sed 's/func //' | paste -sd '|')

# Packages without cgo. They build for Windows with no C compiler. Each is named besides the pattern
# for what lies below it: a pattern passes over packages that cannot be built, a name does not.
PORTABLE := $(foreach p,frame config gpu budget transfer kernels pipeline bench probe report internal/sharedlib internal/stopwatch cmd/pinring-probe,$(if $(wildcard $(p)/*.go),./$(p) ./$(p)/...)) ./cmd/internal/...

TOOLS       := .cache/bin
DEPGUARD    := $(TOOLS)/depguard-v2.3.0
STATICCHECK := $(TOOLS)/staticcheck-v0.8.2

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | while IFS=$$'\t' read -r name text; do printf '  make %-12s %s\n' "$$name" "$$text"; done

.PHONY: setup
setup: ## install what is missing (apt) and check versions
	@scripts/setup.sh

.PHONY: build
build: setup ## bin/pinring, which runs with or without an NVIDIA driver; no CUDA toolkit needed
	@echo "building bin/pinring $(VERSION) (a few minutes the first time)" >&2
	scripts/build-program.sh $(VERSION)

.PHONY: demo
demo: build ## sample to out/demo.mp4, the out-of-memory that the ring prevents, and the comparison as out/compare.html
	@scripts/demo.sh

.PHONY: test
test: setup ## vet both builds, run all tests under the race detector (under 15 minutes on 2 cores)
	@go vet -race ./...
	go test -race -timeout 20m ./...
	$(CUDA)
	go build -tags cuda ./...
	go vet -tags cuda ./...
	go test -tags cuda -c -o /dev/null ./...
	go test -tags cuda -run '^($(CUDA_TESTS))$$' $(CUDA_PACKAGES)

.PHONY: asan
asan: setup ## ten files through a build with the address sanitizer, and a planted fault that it must find
	@scripts/check-asan.sh

.PHONY: examples
examples: setup ## build, test and run the examples as modules of their own outside of the repository
	@scripts/examples.sh

.PHONY: test-long
test-long: setup ## the tests of both builds, and half a minute on each fuzz target
	@PINRING_TEST_LONG=1 go test -race -timeout 60m ./...
	($(CUDA) go test -tags cuda -timeout 60m ./...)
	grep -rn --include='*_test.go' -oE '^func Fuzz[A-Za-z0-9_]+' . | while IFS=: read -r file _ func; do
		echo "$$file: $${func#func }"
		go test "$$(dirname "$$file")" -run '^$$' -fuzz "^$${func#func }\$$" -fuzztime 30s -fuzzminimizetime 10x
	done

.PHONY: lint
lint: setup $(DEPGUARD) $(STATICCHECK) ## formatting, vet, tidy go.mod, import rules, staticcheck
	@unformatted=$$(gofmt -l $$(git ls-files '*.go'))
	if [ -n "$$unformatted" ]; then echo "gofmt would change:" $$unformatted; exit 1; fi
	go mod tidy -diff
	$(CUDA)
	export GOFLAGS="$$(go env GOFLAGS) -tags=cuda"
	go vet ./...
	$(DEPGUARD) ./...
	$(STATICCHECK) ./...

# Tools are built once, at the version in their name, and stay out of go.mod.
$(DEPGUARD):
	@GOBIN="$(CURDIR)/$(TOOLS)" go install github.com/OpenPeeDeeP/depguard/v2/cmd/depguard@$(lastword $(subst -, ,$@))
	mv $(TOOLS)/depguard $@
$(STATICCHECK):
	@GOBIN="$(CURDIR)/$(TOOLS)" go install honnef.co/go/tools/cmd/staticcheck@$(lastword $(subst -, ,$@))
	mv $(TOOLS)/staticcheck $@

.PHONY: bench
bench: build ## measure against the ffmpeg program in pairs, into out/bench (a quarter of an hour; keep the machine quiet)
	@scripts/bench/bench.sh out/bench

.PHONY: kernels
kernels: setup ## rebuild the kernels' PTX and say whether it differs from what is committed
	@scripts/build-ptx.sh
	git diff --exit-code --stat -- '*.ptx' || { echo "the PTX that was committed is not what the sources give"; exit 1; }

.PHONY: windows
windows: ## bin/pinring-probe.exe, and all packages without cgo built and vetted for Windows; needs Go only
	@export CGO_ENABLED=0 GOOS=windows GOARCH=amd64
	go build $(PORTABLE)
	go vet $(PORTABLE)
	go build $(STAMP) -o bin/pinring-probe.exe ./cmd/pinring-probe

.PHONY: test-windows
test-windows: ## installs wine and mingw (1.2 GB) where missing; what is for Windows, under wine with test doubles: API plumbing only
	@scripts/test-windows.sh

.PHONY: check
check: setup ## compare cuda.h and what is believed of nvml.h with NVIDIA's headers and assemble the PTX, where those can be had
	@scripts/check-cuda-abi.sh
	scripts/check-ptx.sh

.PHONY: clean
clean: ## remove what was built
	@rm -rf bin out .cache
