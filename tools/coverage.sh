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
gcovr --root . -a build/cov/coverage.json --html-details build/cov/coverage.html --cobertura build/cov/cobertura.xml \
  --json-summary build/cov/summary.json >/dev/null

python3 - tools/coverage_gates.txt build/cov/summary.json <<'PYTHON'
import json
import sys

lines = [line.split() for line in open(sys.argv[1]) if line.strip() and not line.startswith("#")]
files = json.load(open(sys.argv[2]))["files"]
below = False
print(f"{'folder':10} {'covered':>9} {'gate':>9}")
for folder, gate in lines:
    own = [file for file in files if file["filename"].startswith(folder + "/")]
    total = sum(file["line_total"] for file in own)
    if total == 0:
        sys.exit(f"coverage: {folder}: no line of it was compiled")
    covered = round(100 * sum(file["line_covered"] for file in own) / total, 1)
    is_below = covered < float(gate)
    below = below or is_below
    print(f"{folder:10} {covered:8}% {gate:>8}%" + ("  BELOW THE GATE" if is_below else ""))
sys.exit(below)
PYTHON
