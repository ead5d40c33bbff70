#!/usr/bin/env bash
# Line coverage per folder against the gates in tools/coverage_gates.txt ("folder percent"); gates only rise. The build
# is sanitized too (preset cov), so one run of all tests serves both.
# Writes build/cov/coverage.html, coverage.json and cobertura.xml.
# Usage: tools/coverage.sh [--worlds]   --worlds also says which lines were executed natively, in simulation, under the
#   explorer, and by tests of several worlds (tools/coverage_worlds.txt). No test runs twice; gcovr does, once for each
#   world, which takes minutes more. Writes build/cov/worlds/WORLD.json besides.
set -euo pipefail
cd "$(dirname "$0")/.."
worlds=()
case "${1:-}" in
  --worlds) worlds=(native simulated explored several) ;;
  "") ;;
  *) echo "coverage: $1 is no option; --worlds is the only one" >&2; exit 2 ;;
esac
tools/build.sh cov
find build/cov -name '*.gcda' -delete
rm -rf build/cov/worlds

run_tests() { ctest --preset cov -j3 --output-on-failure --no-tests=error "$@"; }

# The runtime of the standard alone has the same functions on other lines, which gcovr cannot merge: it is left out.
read_counters() {  # folder, JSON to write
  gcovr --gcov-executable "llvm-cov-19 gcov" --root . "$1" --exclude 'build/.*' --exclude 'tests/.*' --exclude 'properties/.*' \
    --exclude 'bench/.*' --exclude-directories '.*standard.*\.dir' --gcov-ignore-parse-errors -j 2 --json "$2" >/dev/null
}

# Counters of a world lie below a folder of its own; the compiler's notes are linked beside them. What no test executes
# counts with several worlds, so that the sum has every line.
run_worlds() {
  local world tests place=$PWD/build/cov/worlds note object inputs=()
  mkdir -p "$place"
  ctest --preset cov -N | sed -n 's/^ *Test *#[0-9]*: //p' >"$place/tests.txt"
  for world in "${worlds[@]}"; do
    tests=$(tools/coverage_table.py --tests "$world" tools/coverage_worlds.txt "$place/tests.txt")
    local pick=-R
    [ "$world" != several ] || pick=-E
    GCOV_PREFIX=$place/$world run_tests "$pick" "$tests"
    mkdir -p "$place/$world"
  done
  while read -r note; do
    object=$PWD/${note%.gcno}
    local is_executed=false
    for world in "${worlds[@]}"; do
      if [ -e "$place/$world$object.gcda" ]; then
        ln -s "$object.gcno" "$place/$world$object.gcno"
        is_executed=true
      fi
    done
    $is_executed || { mkdir -p "$place/several$(dirname "$object")"; ln -s "$object.gcno" "$place/several$object.gcno"; }
  done < <(find build/cov -path build/cov/worlds -prune -o -name '*.gcno' -print)
  for world in "${worlds[@]}"; do
    read_counters "build/cov/worlds/$world" "build/cov/worlds/$world.json"
    inputs+=(-a "build/cov/worlds/$world.json")
  done
  gcovr --root . "${inputs[@]}" --json build/cov/coverage.json >/dev/null
}

if [ ${#worlds[@]} -eq 0 ]; then
  run_tests
  read_counters build/cov build/cov/coverage.json
else
  run_worlds
fi
gcovr --root . -a build/cov/coverage.json --html-details build/cov/coverage.html --cobertura build/cov/cobertura.xml \
  --json-summary build/cov/summary.json >/dev/null
shares=()
for world in "${worlds[@]}"; do shares+=("$world=build/cov/worlds/$world.json"); done
tools/coverage_table.py tools/coverage_gates.txt build/cov/summary.json "${shares[@]}"
