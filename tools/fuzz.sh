#!/usr/bin/env bash
# Build the libFuzzer programs of tests/fuzz (preset fuzz: clang-19, address and undefined-behaviour sanitizers) and run
# them, as many at once as there are processors.
# Usage: tools/fuzz.sh [SECONDS|RUNSx [TARGET...]]   default: 20 seconds, every target; 40000x: 40,000 inputs each, which
# from an empty build/fuzz/corpus are the same ones every time
# Each begins with tests/fuzz/corpus/TARGET and build/fuzz/corpus/TARGET, where it leaves what covers more. An input that
# breaks a law, a sanitizer's rule or a limit (25 s, 512 MiB in one piece, 1 GiB in all) is left in build/fuzz/findings,
# and the exit code is 1: repair the reader, keep the input in tests/fuzz/corpus/TARGET.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-20}
shift || true
limit=-max_total_time=$seconds
if [[ $seconds =~ ^[0-9]+x$ ]]; then
  limit=-runs=${seconds%x}
elif [[ ! $seconds =~ ^[0-9]+$ ]]; then
  echo "fuzz.sh: '$seconds' is not a number of seconds; usage: tools/fuzz.sh [SECONDS|RUNSx [TARGET...]]" >&2
  exit 2
fi
mapfile -t all < <(find tests/fuzz/corpus -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort)
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=("${all[@]}")
for target in "${targets[@]}"; do
  [ -d "tests/fuzz/corpus/$target" ] || { echo "fuzz.sh: no target '$target'; targets are ${all[*]}" >&2; exit 2; }
done

mkdir -p build/fuzz/corpus build/fuzz/findings build/fuzz/logs
programs=("${targets[@]/#/fuzz_}")
tools/build.sh fuzz --target "${programs[@]}"
printf 'fuzz: built (%ss)\n' "$SECONDS"

run_target() { # limit target
  local limit=$1 target=$2 words=()
  mkdir -p "build/fuzz/corpus/$target"
  [ -f "tests/fuzz/dictionaries/$target" ] && words=("-dict=tests/fuzz/dictionaries/$target")
  ASAN_OPTIONS=allocator_may_return_null=0:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 \
    build/fuzz/fuzz_"$target" "$limit" -timeout=25 -seed=20240229 -rss_limit_mb=1024 -malloc_limit_mb=512 -max_len=65536 \
    -print_final_stats=1 -artifact_prefix="build/fuzz/findings/$target-" "${words[@]}" \
    "build/fuzz/corpus/$target" "tests/fuzz/corpus/$target" >"build/fuzz/logs/$target" 2>&1 || true
}
export -f run_target
printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I{} bash -c "run_target $limit {}"

# cov: edges of the program that inputs reach, first of the corpora alone, then at the end.
printf '%-11s %9s %10s %7s %7s  %s\n' target seconds executions cov end found
failed=0
for target in "${targets[@]}"; do
  log=build/fuzz/logs/$target
  began=$(sed -n 's/.*INITED *cov: \([0-9]*\).*/\1/p' "$log" | tail -n 1)
  ended=$(sed -n 's/.*cov: \([0-9]*\).*/\1/p' "$log" | tail -n 1)
  executions=$(sed -n 's/^stat::number_of_executed_units: //p' "$log")
  found=$(sed -n 's/^SUMMARY: //p; s/.*Test unit written to //p' "$log" | paste -sd ' ')
  if [ -n "$found" ] || ! grep -q '^Done ' "$log"; then
    failed=1
    found=${found:-ended early: $log}
    grep -h -A 1 -e 'what():' -e '^==.*ERROR' "$log" >&2 || true
    for input in build/fuzz/findings/"$target"-*; do
      [ -f "$input" ] && { printf '%s, base64:\n' "$input"; base64 "$input"; } >&2
    done
  fi
  took=$(sed -n 's/^Done [0-9]* runs in \([0-9]*\) second.*/\1/p' "$log")
  printf '%-11s %9s %10s %7s %7s  %s\n' "$target" "${took:-?}" "${executions:-?}" "${began:-?}" "${ended:-?}" "${found:--}"
done
exit $failed
