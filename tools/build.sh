#!/usr/bin/env bash
# Configure and build a preset: build/PRESET.configure.log and build/PRESET.build.log, whose end is printed where one fails.
# Usage: tools/build.sh PRESET [WORD of cmake --build ...]
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift
mkdir -p build
cmake --preset "$preset" >"build/$preset.configure.log" 2>&1 || { cat "build/$preset.configure.log" >&2; exit 1; }
# Clang in pages of 2 MiB, of which it gives none back before it ends: each small one is a fault, together a fifth of its
# processor time. Files are the same.
memory=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=67108864:glibc.malloc.mmap_threshold=33554432
memory+=:glibc.malloc.trim_threshold=4294967296
GLIBC_TUNABLES=$memory cmake --build --preset "$preset" "$@" >"build/$preset.build.log" 2>&1 ||
  { tail -n 60 "build/$preset.build.log" >&2; exit 1; }
