#!/usr/bin/env bash
# Install, build, and pass every test: format and clang-tidy, release build with all tests, thread sanitizer on the
# tests that start native threads, address and undefined-behaviour sanitizers on the target code, its kernels and
# the checks, and all tests with coverage against the gates.
# Usage: tools/test.sh [stage ...]   stages: check release tsan asan cov; default: all.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install_deps.sh
stages=("$@")
[ ${#stages[@]} -gt 0 ] || stages=(check release tsan asan cov)

# What the address sanitizer runs: target code and the checks over it. Readers are too slow under it for every build.
sanitized=(runtime_tests runtime_thread_tests ops_tests port_contract_tests harness_tests verify_tests verify_thread_tests)

# Properties run from one fixed seed here; RC_PARAMS with reproduce= would skip every other property.
case "${RC_PARAMS:-}" in
  *reproduce=*) echo "test.sh: unset RC_PARAMS: reproduce= makes all other properties pass untested" >&2; exit 2 ;;
esac
export RC_PARAMS="${RC_PARAMS:-seed=20240229}"
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1

build() { # preset [targets...]
  local preset=$1
  shift
  cmake --preset "$preset" >"build/$preset.configure.log" 2>&1 || { cat "build/$preset.configure.log" >&2; exit 1; }
  cmake --build --preset "$preset" "$@" >"build/$preset.build.log" 2>&1 || { tail -n 60 "build/$preset.build.log" >&2; exit 1; }
}
stage() { printf '\n== %s (%ss)\n' "$1" "$SECONDS"; }

mkdir -p build
for name in "${stages[@]}"; do
  stage "$name"
  case "$name" in
    check) tools/check.sh ;;
    release) build release && ctest --preset release -j2 --output-on-failure ;;
    asan) build asan --target "${sanitized[@]}" && ctest --preset asan -j2 --output-on-failure ;;
    tsan) build tsan --target thread_tests && ctest --preset tsan --output-on-failure ;;
    cov) tools/coverage.sh ;;
    *) echo "test.sh: unknown stage '$name'; stages are check release tsan asan cov" >&2; exit 2 ;;
  esac
done
printf '\nAll stages passed: %s (%ss)\n' "${stages[*]}" "$SECONDS"
