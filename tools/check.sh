#!/usr/bin/env bash
# Everything that needs no run: formatting, shell syntax, clang-tidy on the target code.
# Usage: tools/check.sh [--fix]   --fix rewrites files that are not formatted.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t sources < <(find runtime base models harness sim verify reports app cli bench tests properties \
  \( -name '*.h' -o -name '*.hpp' -o -name '*.c' -o -name '*.cpp' \) -print | sort)

if [ "${1:-}" = --fix ]; then
  clang-format-14 -i "${sources[@]}"
fi
echo "format: ${#sources[@]} files"
printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -n 200 clang-format-14 --dry-run --Werror

echo "shell: tools/ and .ci/run"
for script in tools/*.sh .ci/run; do
  bash -n "$script"
done

echo "clang-tidy: runtime/ (target code)"
cmake --preset release >/dev/null
mapfile -t target_sources < <(find runtime -name '*.cpp' ! -path '*/isa/*' | sort)
# The analyser follows at most 75,000 states of a function, a third of its default: the rest is three times the time.
printf '%s\n' "${target_sources[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy-14 --quiet -p build/release \
  --extra-arg=-Wno-unknown-warning-option --extra-arg=-Xclang --extra-arg=-analyzer-config \
  --extra-arg=-Xclang --extra-arg=max-nodes=75000 2>/dev/null
