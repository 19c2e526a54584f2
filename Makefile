# lensview: every command that the documentation names.
GO      ?= go
BIN     := bin
FUZZTIME ?= 10s
LINT_VERSION := v2.15.0
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
export CGO_ENABLED ?= 0

.PHONY: build cross test race lint fuzz bench million conns bars faults pictures golden demo clean

# grpcnotrace leaves out gRPC's debug pages, whose templates keep the linker from
# dropping unused methods: 22 MB instead of 26.
build: ## one static binary in bin/
	$(GO) build -trimpath -tags grpcnotrace -ldflags '-s -w -X main.version=$(VERSION)' -o $(BIN)/lensview ./cmd/lensview

PLATFORMS ?= linux/arm64 darwin/amd64 darwin/arm64 freebsd/amd64 freebsd/arm64
cross: ## vet for every platform that is supported; takes minutes when nothing is cached
	@for p in $(PLATFORMS); do \
	  echo "vet $$p"; \
	  GOOS=$${p%/*} GOARCH=$${p#*/} CGO_ENABLED=0 $(GO) vet ./... || exit 1; \
	done
	GOOS=windows CGO_ENABLED=0 $(GO) build ./pkg/...

test: ## every test, with the race detector (which needs a C compiler)
	CGO_ENABLED=1 $(GO) test -race ./...

lint: $(BIN)/golangci-lint ## vet and the linters of .golangci.yml
	$(GO) vet ./...
	$(BIN)/golangci-lint run ./...

$(BIN)/golangci-lint:
	GOBIN=$(abspath $(BIN)) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VERSION)

fuzz: ## every fuzz target for FUZZTIME each
	@for pkg in $$($(GO) list ./...); do \
	  dir=$$($(GO) list -f '{{.Dir}}' $$pkg); \
	  for target in $$(grep -hos '^func Fuzz[A-Za-z0-9_]*' $$dir/*_test.go | sed 's/^func //'); do \
	    echo "fuzz $$pkg $$target"; \
	    $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
	  done; \
	done

bench: ## ratios measured side by side in one run
	$(GO) test ./internal/otlp -run '^$$' -bench '^BenchmarkDecode' -benchtime 2s
	$(GO) test ./internal/ingest -run '^$$' -bench '^BenchmarkReceiver' -benchtime 40x
	$(GO) test ./internal/record -run '^$$' -bench '^Benchmark(Open|Record)$$' -benchtime 5x
	$(GO) test ./internal/store -run '^$$' -bench '^Benchmark(Put|Snapshot|Seal)' -benchtime 2s
	$(GO) test ./internal/store -run '^$$' -bench '^BenchmarkRetained' -benchtime 1x
	$(GO) test ./pkg/telemetry -run '^$$' -bench '^Benchmark(Off|On)$$' -benchtime 500x

SPANS ?= 1000000
MIB ?= 128
million: ## jobs of SPANS spans in several shapes within --memory MIB, everything recomputed plainly
	LENSVIEW_SPANS=$(SPANS) LENSVIEW_MIB=$(MIB) $(GO) test ./internal/store -count=1 -v -timeout 120m -run '^TestMillion$$'

CONNS ?= 16384
conns: ## a connection for each of CONNS ranks: recorded, on the screen, over TLS; wants as many open files
	LENSVIEW_CONNS=$(CONNS) $(GO) test ./cmd/lensview -count=1 -v -timeout 60m -run '^TestManyConnections'

bars: ## the bars the screens are held to, measured in a pseudo terminal; wants the machine for itself
	LENSVIEW_BARS=1 $(GO) test ./cmd/lensview -count=1 -timeout 15m -v -run '^TestBars$$'

FAULTSEEDS ?= 20
faults: ## the diagnosis held against simulated faults at 8, 64 and 1,024 ranks; writes docs/diagnosis-faults.md
	LENSVIEW_FAULTS=$(FAULTSEEDS) $(GO) test ./internal/analysis -count=1 -timeout 60m -v -run '^TestFaults$$'

pictures: ## docs/img anew: the screens over the seeded demo, drawn from their cells
	LENSVIEW_PICTURES=1 $(GO) test ./internal/ui -count=1 -run '^TestPictures$$'

golden: ## rewrite the golden files of tests after a wanted change
	$(GO) test $$(grep -rlE --include='*_test.go' '"update"|/uitest"' . | xargs -n1 dirname | sort -u) -update

demo:
	$(GO) run ./cmd/lensview demo

clean:
	rm -rf $(BIN)
