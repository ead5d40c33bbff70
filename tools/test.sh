#!/usr/bin/env bash
# Install, build, and pass every test:
#   check    format and clang-tidy
#   release  what users run, with all tests, planted faults and the installed package; tests of what no build optimises
#            (label cold) are left to cov where that is a stage too
#   targets  runtime/ and an emitted network for ARM and RISC-V, bare metal and Linux (needs the release build)
#   tsan     thread sanitizer on the tests that start native threads
#   fuzz     every reader given 40,000 changed inputs, by libFuzzer
#   cov      all tests under the address and undefined-behaviour sanitizers, with line coverage against the gates
#   asan     the sanitizers of cov without its counters; only when named
#   mutants  every planted fault, of which release draws one in three; only when named
# Usage: tools/test.sh [stage ...]   default: check release targets tsan fuzz cov
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install_deps.sh
# Build and tests see the programs that debian/control brings, and no others that this machine has.
PATH=$(tools/program_path.py build/programs)
export PATH
stages=("$@")
[ ${#stages[@]} -gt 0 ] || stages=(check release targets tsan fuzz cov)

# Properties run from one fixed seed here; RC_PARAMS with reproduce= would skip every other property.
case "${RC_PARAMS:-}" in
  *reproduce=*) echo "test.sh: unset RC_PARAMS: reproduce= makes all other properties pass untested" >&2; exit 2 ;;
esac
export RC_PARAMS="${RC_PARAMS:-seed=20240229}"
# Emitted directories hold the same runtime: it is compiled once for all tests that build them. Tests are compiled once
# for release and cov (cmake/compile_once.sh).
export CCACHE_DIR="${CCACHE_DIR:-$PWD/build/ccache}"

build() { tools/build.sh "$@" || exit 1; }  # in a list with &&, too
stage() { printf '\n== %s (%ss)\n' "$1" "$SECONDS"; }

mkdir -p build
for name in "${stages[@]}"; do
  stage "$name"
  case "$name" in
    check) tools/check.sh ;;
    release)
      once=()
      [[ " ${stages[*]} " != *" cov "* ]] || once=(-LE '^cold$')  # what cov runs in the same way
      build release && ctest --preset release -j3 --output-on-failure --no-tests=error "${once[@]}" ;;
    targets) tools/targets.sh ;;
    asan) build asan && ctest --preset asan -j2 --output-on-failure --no-tests=error ;;
    mutants) build release && python3 -B tests/mutants/run.py . build/release ;;
    tsan) build tsan --target thread_tests && ctest --preset tsan -j2 --output-on-failure --no-tests=error ;;
    fuzz) tools/fuzz.sh 40000x ;;
    cov) tools/coverage.sh ;;
    *) echo "test.sh: unknown stage '$name'; stages are check release targets tsan fuzz cov asan mutants" >&2; exit 2 ;;
  esac
done
printf '\nAll stages passed: %s (%ss)\n' "${stages[*]}" "$SECONDS"
