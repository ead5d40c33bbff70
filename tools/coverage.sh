#!/usr/bin/env bash
# Line coverage per folder against the gates in tools/coverage_gates.txt ("folder percent"); gates only rise. The build
# is sanitized too (preset cov), so one run of all tests serves both.
# Writes build/cov/coverage.html, coverage.json and cobertura.xml.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build
cmake --preset cov >build/cov.configure.log 2>&1 || { cat build/cov.configure.log >&2; exit 1; }
cmake --build --preset cov >build/cov.build.log 2>&1 || { tail -n 60 build/cov.build.log >&2; exit 1; }
find build/cov -name '*.gcda' -delete
ctest --preset cov -j2 --output-on-failure --no-tests=error

# The runtime of the standard alone has the same functions on other lines, which gcovr cannot merge: it is left out.
gcovr --gcov-executable "llvm-cov-19 gcov" --root . build/cov --exclude 'build/.*' --exclude 'tests/.*' --exclude 'properties/.*' --exclude 'bench/.*' \
  --exclude-directories '.*standard.*\.dir' --gcov-ignore-parse-errors -j 2 --json build/cov/coverage.json >/dev/null
gcovr --root . -a build/cov/coverage.json --html-details build/cov/coverage.html --cobertura build/cov/cobertura.xml >/dev/null

failed=0
printf '%-10s %9s %9s\n' folder covered gate
while read -r folder gate; do
  case "$folder" in ''|'#'*) continue ;; esac
  covered=$(gcovr --root . -a build/cov/coverage.json --filter "$folder/" --json-summary - |
    python3 -c 'import json,sys; print(json.load(sys.stdin)["line_percent"])')
  verdict=
  if ! python3 -c "import sys; sys.exit(not float('$covered') >= float('$gate'))"; then
    verdict='  BELOW THE GATE'
    failed=1
  fi
  printf '%-10s %8s%% %8s%%%s\n' "$folder" "$covered" "$gate" "$verdict"
done <tools/coverage_gates.txt
exit $failed
