# Short names for the commands behind them; each works without make as well.

.PHONY: help demo lint features test circuits unit rtl rtl-checks wave formal rtl-mutants cocotb fusesoc cyclone-host rtl-coverage synth frequency bochs cross bench-test test-long torture weight man bench bench-provers bench-faces capi rapidsnark node node-test python python-test packages go go-test kzg-test test-cluster setup wasm test-web

help: ## Lists these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

demo: ## Shows the engine at work
	tools/setup.sh demo
	cargo run --release --no-default-features --package bucketwheel-cli -- demo

# Fast steps come first, in this order also with make -j. The last steps mostly use one processor, in simulators and emulators, or
# wait for Ray, so three of them run at once, each silent until it ends. (Cargo warns that it cannot share make's processors.)
test: ## Everything that must pass; names and installs its requirements first, takes somewhat more than an hour on two cores
	@echo "make test takes somewhat more than an hour on two cores. It first names and installs missing Debian packages and parts of Rust;"
	@echo "packages of npm and PyPI go to target/."
	tools/setup.sh
	$(MAKE) --no-print-directory lint
	$(MAKE) --no-print-directory features
	$(MAKE) --no-print-directory circuits
	$(MAKE) --no-print-directory unit
	$(MAKE) --no-print-directory --jobs 3 --output-sync=target rtl-checks test-cluster cross bochs bench-test go-test kzg-test test-web

# The workspace's tests include some seconds of torture. One command builds all programs, so that each crate is compiled once.
torture: ## Random sums, damaged files, bad keys, kills, clients that misbehave, lying workers, for eleven minutes or BUCKETWHEEL_TORTURE_SECONDS and a tenth
	cargo build --release --package bucketwheel-cli --package bucketwheel-torture --package bucketwheel-capi --package bucketwheel-python \
		--features bucketwheel-cli/serve
	$${CARGO_TARGET_DIR:-target}/release/torture all --seconds $${BUCKETWHEEL_TORTURE_SECONDS:-600}
	$${CARGO_TARGET_DIR:-target}/release/torture lies --seconds $$(($${BUCKETWHEEL_TORTURE_SECONDS:-600} / 10))

man: ## The manual pages of the command, in target/man (docs/command.md)
	mkdir -p target/man
	cargo run --release --no-default-features --package bucketwheel-cli -- man target/man

capi: ## The libraries for C, libbucketwheel and librapidsnark, in target/capi (docs/c.md)
	tools/capi.sh

rapidsnark: ## rapidsnark's C library with our prover, alone (docs/c.md)
	tools/rapidsnark.sh

node: ## The Node package with snarkjs' interface, built in crates/node (docs/javascript.md)
	tools/node-package.sh

node-test: ## The tests of the Node package, beside snarkjs; part of unit
	tools/node-package.sh environment
	cargo test --package bucketwheel-node

python: ## The wheel of the Python package, in target/wheels (docs/python.md)
	tools/python.sh

# Not part of test, which runs the same tests with cargo's test library, because the wheel takes minutes to build.
python-test: ## Builds the wheel, installs it in an environment of its own and tests it; part of test-long
	tools/python.sh test

packages: ## Packages that install without a compiler: Debian, tarball, wheel, image of the server; in target/packages (docs/packages.md)
	tools/setup.sh packages
	python3 tools/packages

go: ## The library that the Go module of go/ is linked with, in target/capi (docs/go.md)
	tools/go.sh

go-test: ## The tests of the Go module, where Go is there; part of test
	MAKEFLAGS= tools/go.sh test

wasm: ## The modules of the npm package for browsers, in crates/wasm/js
	tools/wasm.sh

test-web: ## The browser package in Node, and the demo page in headless Chromium, where that is there; part of test. test-long tests two more modules
	MAKEFLAGS= tools/web.sh test

test-cluster: ## Sums and proofs over three nodes, with faults (docs/cluster.md); part of test
	MAKEFLAGS= tools/cluster.sh

setup: ## Installs what the tests need beyond cargo
	tools/setup.sh

lint: ## Formatting, clippy, links, words, examples; shellcheck and cargo-deny if they are installed
	cargo fmt --all --check
	cd bench && cargo fmt --check
	cd bench/arkworks && cargo fmt --check
	cd fuzz && cargo fmt --check
	cd tools/bochs && cargo fmt --check
	cd hdl/host && cargo fmt --package bucketwheel-cyclone-host --package cyclone-fpga --check
	python3 tools/graph/test.py --quiet
	python3 tools/graph
	hdl/lists.py check
	tools/links.py
	tools/words.py
	tools/examples.py
	cargo clippy --workspace --all-targets --all-features -- --deny warnings
	cd tools/bochs && cargo clippy --release --target-dir ../../target/bochs -- --deny warnings
	tools/policy.sh
	! command -v shellcheck || shellcheck tools/*.sh tools/*/*.sh hdl/*.sh hdl/*/*.sh .ci/run

features: ## Checks the crates with each of their cargo features alone
	tools/features.sh

# Builds the circuits of the tests; `tools/circuits.sh` alone builds all workloads.
circuits: ## Fetches circom and snarkjs, compiles the circuits that the unit tests compare with them
	tools/circuits.sh target/circuits members merkle semaphore

# The engine's tests of all strategies on all curves run one case in three; cargo test runs all cases and takes three times as long.
unit: ## The tests of the workspace, doc tests included
	tools/python.sh environment
	tools/node-package.sh environment
	BUCKETWHEEL_TEST_ONE_IN=$${BUCKETWHEEL_TEST_ONE_IN:-3} cargo test --workspace --all-features

rtl: ## The hardware of hdl/, simulated and proved (docs/hardware.md); part of test
	cargo test --package bucketwheel-rtl --all-features
	$(MAKE) --no-print-directory rtl-checks

rtl-checks: ## The part of rtl that needs no Rust: lint, proofs, mutants, levels of logic
	hdl/lint.sh
	hdl/formal/prove.sh quick
	hdl/mutants.sh quick
	hdl/levels.py quick

wave: ## The waveforms of a block, without Rust: make wave BLOCK=fifo (hdl/README.md)
	hdl/wave.sh $(BLOCK)

formal: ## Proofs of queues, lines and schedulers of hdl/, the long ones too
	hdl/formal/prove.sh

rtl-mutants: ## Breaks the hardware in many ways; a check must notice each; part of test-long
	hdl/mutants.sh

cocotb: ## Two blocks, CycloneMSM and its card with benches in Python; part of test-long
	hdl/cocotb/run.sh

fusesoc: ## The lint and the simulations of hdl/bucketwheel.core, with FuseSoC from PyPI; part of test-long
	hdl/fusesoc.sh

cyclone-host: ## The host program of CycloneMSM's authors on the simulated hardware (docs/hardware.md); part of test-long
	cd hdl/host && MAKEFLAGS= cargo run

rtl-coverage: ## Lists the lines of hdl/ that the simulations run
	hdl/coverage.sh

synth: ## Counts the resources of an FPGA that the hardware takes
	hdl/syn/synth.py

frequency: ## Places blocks of hdl/ on an ECP5, an hour; prints MHz and ns (docs/hardware.md)
	hdl/frequency.py

bochs: ## AVX-512 IFMA, in an emulator
	MAKEFLAGS= tools/bochs/run.sh

cross: ## Lanes on ADX and AVX2, lanes and engine on 64-bit Arm and as WebAssembly, in emulators
	MAKEFLAGS= tools/cross.sh

# Clippy runs here and not in lint, because it compiles blst and mcl first.
bench-test: ## Clippy for bench/, and its tests where Go is there
	cd bench && MAKEFLAGS= cargo clippy --all-targets -- --deny warnings
	if (cd bench/gnark && go list -m) >/dev/null 2>&1; then cd bench && MAKEFLAGS= cargo test; \
		else echo "skipped: the tests of bench/ need Go as new as bench/gnark/go.mod says"; fi

kzg-test: ## The test vectors of c-kzg-4844, where Go is there; part of test
	MAKEFLAGS= tools/kzg.sh

test-long: test ## Runs test, then the long tests: simulations, proofs, checks of a nightly toolchain
	tools/policy.sh long
	$(MAKE) --no-print-directory python-test
	tools/cluster.sh wheel
	tools/cluster.sh long
	tools/cluster.sh proof
	tools/go.sh long
	tools/long.sh

weight: ## Measures the time to compile the project, and its size
	tools/weight.sh

# Kernels and adders take a minute, the rest hours.
bench: ## Compares the speed with other libraries (bench/README.md)
	cd bench && cargo run --release -- kernels --out results
	cd bench && cargo run --release -- adders --out results
	cd bench && cargo run --release -- ntt --out results
	cd bench && cargo run --release -- msm --groups g1,g2,pair --log-sizes 10,12,14..18,20 --threads 1,2 --out results
	cd bench && cargo run --release -- msm --groups g1,g2,pair --log-sizes 16 --threads 1,2 \
		--distributions zero-one,small,sparse,equal --out results/skewed

bench-provers: ## Compares Groth16 provers on the circuits of tools/circuits.sh (bench/README.md)
	tools/circuits.sh --keys
	cd bench && cargo run --release -- groth16 ../target/circuits --out results
	cd bench && cargo run --release -- setup ../target/circuits --out results

bench-faces: ## Compares go-rapidsnark before and after, proofs over HTTP, and sums from Python (bench/README.md)
	tools/circuits.sh --keys
	cd bench && cargo run --release -- groth16 ../target/circuits --provers bucketwheel,go-rapidsnark,relinked --out results/faces
	cd bench && cargo run --release -- serve ../target/circuits --out results
	tools/python.sh speed bench/results
