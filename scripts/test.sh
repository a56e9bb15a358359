#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test. Ends with the test runner's own summary.
#
#     sudo scripts/test.sh [CTEST OPTIONS…]       e.g. sudo scripts/test.sh -L unit
#
# Can be repeated; what is installed and built already is kept. Under 30 minutes on 2 cores once packages are there.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_root
install_packages build demo test
step "fetch DuckDB" "$root/scripts/fetch-duckdb.sh"
step "fetch test kernels" "$root/tests/vm/fetch-kernels.sh"
step "fetch Nextflow" "$root/tests/e2e/nextflow/fetch.sh"
step "fetch Snakemake 9" "$root/tests/e2e/snakemake/fetch.sh"
step "fetch Luigi" "$root/tests/e2e/luigi/fetch.sh"
step "fetch arm64 libraries" "$root/scripts/fetch-sysroot.sh"
build release
build release-arm64 tracer
build debug
build tsan threads
say "all tests (build/debug; what they print on failure is shown)"
exec ctest --test-dir "$root/build/debug" -j "$(nproc)" --output-on-failure --no-tests=error "$@"
