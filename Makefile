# What a person or CI calls. Each step says in one line what it does; its output is shown when it fails.
#
#   make demo     install what is missing, build, measure TAYGA in network namespaces, print the report's path
#   make test     install, build, all tests (unit tests of C++ under AddressSanitizer, system tests need root);
#                 TIMES=1: ends with a table of where the time went
#   make test-long  soak, kills by chance, many examples, fuzzing: hours (docs/contributing.md; FUZZ_S=600 for each fuzzer)
#   make fuzz MINUTES=60  all fuzzers, so long together; what they find is beside their logs in build-fuzz/fuzz
#                   SANITIZERS=none: those of C++ alone, four times as fast; what they keep runs once with sanitizers
#   make lint     formatting and static checks          make format    formats all sources
#   make machine  the virtual machine that some devices run in, kept for the next time (docs/virtual-machine.md)
#   make soak MINUTES=60  the Tester alone, in loopback at half of what it can: no loss, no growth, no drift
#   make tsan     what several threads share, under ThreadSanitizer: C++ unit tests, and the engine's trials
#   make accuracy known against measured values, with the reference device, 4 min. (docs/accuracy.md; ACCURACY_DOC=1)
#   make bench    what a frame costs, beside a plain DPDK loop and testpmd (docs/speed.md)
#   make build    engine and reference device           make asan      C++ unit tests under AddressSanitizer
#   make install  PREFIX=/usr/local DESTDIR=            make uninstall
#   make deb      a package of Debian, in build/        make wheel     for pipx, in build/wheel/ (docs/installing.md)
#   make install-dependencies                           make clean

SHELL := /bin/bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := build
.PHONY: demo test test-long fuzz fuzz-short soak tsan accuracy bench build lint format asan asan-build machine clean wheel stage install uninstall deb test-deb install-dependencies install-test-dependencies install-bench-dependencies install-lint-dependencies cpp-test python-test

BUILD := build
ASAN_BUILD := build-sanitizers
PROGRAMS := engine/xlatperf-engine reference/xlatperf-reference bench/accuracy-spin
BIN := .venv/bin
QUIETLY := scripts/quietly.sh
CPP_SOURCES = $(shell find engine reference tests bench -name '*.cpp' -o -name '*.h' 2>/dev/null)
PYTHON_SOURCES := xlatperf tests bench docs packaging

demo: build .venv/.run
	@scripts/demo.sh

test:
	@scripts/test.sh $(if $(TIMES),times)

cpp-test: build
	@$(QUIETLY) "Building the C++ unit tests" ninja -C $(BUILD)
	meson test -C $(BUILD) --print-errorlogs --no-rebuild

# What `make test` runs of C++: each unit test once, with sanitizers (`make cpp-test`: without). By Clang, which needs a third of
# GCC's time for that, and warns of other things. Of debug information only lines, for the traces.
asan-build: install-test-dependencies
	@$(QUIETLY) "Configuring the build with AddressSanitizer and UndefinedBehaviorSanitizer" \
	    env CXX=clang++ scripts/configure.sh $(ASAN_BUILD) -Db_sanitize=address,undefined -Db_lundef=false --buildtype=plain \
	    -Doptimization=0 -Dunity_size=30 -Dfuzzers=beside_tests
	@$(QUIETLY) "Building the C++ unit tests with them" ninja -C $(ASAN_BUILD) meson-test-prereq fuzzers

asan: asan-build
	UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 meson test -C $(ASAN_BUILD) --print-errorlogs --no-rebuild

# How many files of Python tests at a time (0: one after the other).
WORKERS := 4

# Nothing of it is run there, but it has to be able to.
BENCHMARKS := bench/plain-loop bench/steps bench/plain-through

python-test: build .venv/.dev machine stage
	@$(QUIETLY) "Building what the Tester is compared with" ninja -C $(BUILD) $(BENCHMARKS)
	@scripts/python-tests.sh $(WORKERS)

# The kernel and file system of devices that need a virtual machine; once, and again when a package's version changes.
machine: .venv/.run
	@scripts/install-dependencies.sh machine
	@$(QUIETLY) "Making the virtual machine's image, if need be" $(BIN)/python -m xlatperf.lab.machine

FUZZ_S := 600

test-long: build .venv/.dev
	scripts/as-root.sh env XLATPERF_LONG=1 $(BIN)/python -m pytest -m more --timeout 3600
	FUZZ_JOBS=$$(nproc) tests/fuzz/run.sh $(FUZZ_S)
	$(MAKE) test-deb
	$(MAKE) tsan
	$(MAKE) soak MINUTES=30

MINUTES := 60

fuzz: build .venv/.dev
	FUZZ_JOBS=$$(nproc) FUZZ_SANITIZERS=$(SANITIZERS) tests/fuzz/run.sh $(MINUTES)m $(if $(SANITIZERS),cpp)

# What `make test` runs: a few seconds each, of what `asan` has built, two at a time.
fuzz-short: asan-build .venv/.dev
	@echo "Running each fuzzer for $(FUZZ_SHORT_S) s"; FUZZ_JOBS=2 FUZZ_BUILD=$(ASAN_BUILD) tests/fuzz/run.sh $(FUZZ_SHORT_S)

FUZZ_SHORT_S := 4

soak: build .venv/.run
	$(BIN)/python -m bench.soak --minutes $(MINUTES)

# Not with what tests only bytes: DPDK's rings, memory and clocks between threads are in these rooms.
THREADED := engine/trial engine/state engine/port engine/message engine/control

tsan: install-test-dependencies .venv/.dev
	@$(QUIETLY) "Configuring the build with ThreadSanitizer" env CXX=clang++ scripts/configure.sh build-tsan -Db_sanitize=thread \
	    -Db_lundef=false --buildtype=plain -Doptimization=1 -Dunity_size=30
	@$(QUIETLY) "Building engine and C++ unit tests with it" ninja -C build-tsan engine/xlatperf-engine \
	    $(foreach room,$(THREADED),tests/engine/$(subst /,-,$(room))-test)
	TSAN_OPTIONS=halt_on_error=1 meson test -C build-tsan --print-errorlogs --no-rebuild $(THREADED)
	tests/engine_system/under_tsan.sh build-tsan/engine/xlatperf-engine

accuracy: build .venv/.run
	$(BIN)/python -m bench.accuracy $(if $(ACCURACY_QUICK),--quick) $(if $(ACCURACY_DOC),--document)

bench: build install-bench-dependencies .venv/.run
	@$(QUIETLY) "Building what the Tester is compared with" ninja -C $(BUILD) $(BENCHMARKS)
	@mkdir -p $(BUILD)/speed
	$(BUILD)/bench/steps --benchmark_min_time=0.1 --benchmark_out=$(BUILD)/speed/steps.json
	$(BIN)/python -m bench.speed

build: install-dependencies
	@$(QUIETLY) "Configuring the build" scripts/configure.sh $(BUILD) --buildtype=release
	@$(QUIETLY) "Building engine and reference device" ninja -C $(BUILD) $(PROGRAMS)

PREFIX := /usr/local
DESTDIR :=

wheel: build .venv/.run
	@scripts/make-wheel.sh

# Made again only when something of it changed, so that `sudo make install` behind it leaves no files of root's here.
STAGED = $(shell find xlatperf docs examples packaging *.md LICENSE scripts/make-wheel.sh scripts/make-stage.sh -type f -not -name '*.pyc')
OF_STAGE := $(BUILD)/engine/xlatperf-engine $(BUILD)/reference/xlatperf-reference

stage: $(BUILD)/stage.made

$(OF_STAGE): build
	@:

$(BUILD)/stage.made: $(STAGED) $(OF_STAGE) .venv/.run
	@scripts/make-wheel.sh
	@scripts/make-stage.sh
	@touch $@

install: stage
	@scripts/install.sh '$(PREFIX)' '$(DESTDIR)'

uninstall:
	@scripts/uninstall.sh '$(PREFIX)' '$(DESTDIR)'

deb: stage
	@scripts/install-dependencies.sh deb
	@scripts/make-deb.sh

# On bare roots of Debian 12 and 13 (packaging/try-package.sh): minutes, and needs root.
test-deb: deb
	scripts/as-root.sh packaging/try-package.sh bookworm
	scripts/as-root.sh packaging/try-package.sh trixie

lint: install-lint-dependencies .venv/.dev
	@echo "clang-format --dry-run -Werror"; clang-format --dry-run -Werror $(CPP_SOURCES)
	$(BIN)/ruff check $(PYTHON_SOURCES)
	$(BIN)/ruff format --check $(PYTHON_SOURCES)
	$(BIN)/mypy
	shellcheck scripts/*.sh tests/*/*.sh tests/*/*/*.sh packaging/*.sh .ci/run

format: install-lint-dependencies .venv/.dev
	@echo "clang-format -i"; clang-format -i $(CPP_SOURCES)
	$(BIN)/ruff check --fix $(PYTHON_SOURCES)
	$(BIN)/ruff format $(PYTHON_SOURCES)

clean:
	rm -rf $(BUILD) $(ASAN_BUILD) build-fuzz build-fuzz-plain build-tsan .venv *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

install-dependencies:
	@scripts/install-dependencies.sh

install-test-dependencies: install-dependencies
	@scripts/install-dependencies.sh test

install-bench-dependencies:
	@scripts/install-dependencies.sh bench

install-lint-dependencies:
	@scripts/install-dependencies.sh lint

# The Python environment: to run, and to test and check. Made again when pyproject.toml changes.
.venv/.run: pyproject.toml | install-dependencies
	@scripts/make-venv.sh .
	@touch $@

.venv/.dev: pyproject.toml | install-dependencies
	@scripts/make-venv.sh '.[dev]'
	@touch $@ .venv/.run
