#!/usr/bin/env bash
# Install, build, and take YOLOv8n from model to report: the main job in one command.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install_deps.sh --program
log=build/demo-build.log
mkdir -p build
echo "Building the release preset (log: $log)"
# Sources in batches: the same program in less than half the time.
if ! { cmake --preset release -DDETENT_BUILD_TESTS=OFF -DDETENT_BUILD_BENCH=OFF -DCMAKE_UNITY_BUILD=ON -B build/release &&
       cmake --build build/release --target detent; } >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  exit 1
fi
exec build/release/detent check yolov8n --platform quad_npu --runs 200 --out build/demo "$@"
