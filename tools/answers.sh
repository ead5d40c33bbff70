#!/usr/bin/env bash
# Forty answers in one line each: digests, counts of hazards, traces and executions, simulated times, cycles, bounds,
# bytes of plans. Run it before and after a change that shall change none, and compare the two outputs.
# Usage: tools/answers.sh [PROGRAM]   default: build/release/detent
set -euo pipefail
program=$(realpath "${1:-build/release/detent}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# answer NAME KEYS... -- ARGUMENTS: the values of the keys (a.b.c) in the JSON answer of one command
answer() {
  local name=$1 keys=()
  shift
  while [ "$1" != -- ]; do
    keys+=("$1")
    shift
  done
  shift
  local code=0
  rm -f answer.json
  "$program" "$@" --json answer.json --quiet >/dev/null 2>&1 || code=$?
  python3 - "$name" "$code" "${keys[@]}" <<'PY'
import json, sys
name, code, *keys = sys.argv[1:]
answer = json.load(open("answer.json"))
def value(key):
    at = answer
    for part in key.split("."):
        at = at[int(part)] if isinstance(at, list) else at[part]
    return json.dumps(at) if isinstance(at, (dict, list)) else str(at)
print(f"{name:<28} exit {code}  " + "  ".join(f"{key} {value(key)}" for key in keys))
PY
}

for model in yolov8n resnet18 mobilenetv2 calibration diamond; do
  answer "digest $model" digest -- run "$model" --workers 2
done
answer "digest static" digest -- run resnet18 --workers 2 --mode static
answer "digest layered" digest -- run resnet18 --workers 2 --mode layered
answer "digest scheduler thread" digest -- run resnet18 --workers 2 --scheduler thread
answer "digest random policy" digest -- run mobilenetv2 --workers 2 --policy random --seed 7
for model in yolov8n resnet18 diamond bad_reuse_war bad_reuse_waw; do
  answer "hazards $model" unordered_pairs conflicting_pairs racing_pairs race_count -- verify "$model"
done
answer "hazards by Z3" smt.racing_pairs smt.agrees -- verify bad_reuse_war --smt
for model in diamond bad_reuse_war bad_reuse_waw; do
  answer "orders $model" traces.total executions differing -- explore "$model"
done
answer "orders counted" traces.total traces.exact -- explore resnet18 --count
answer "threads static" traces.total executions -- explore diamond --level threads --mode static
answer "threads layered" traces.total executions -- explore diamond --level threads --mode layered
answer "threads closed loop" traces.total executions -- explore erdos:1:3 --level threads
answer "threads sc" traces.total executions -- explore erdos:1:3 --level threads --memory sc
answer "threads by states" states executions -- explore diamond --level threads --strategy states --budget 20000
answer "threads drawn" traces.seen executions -- explore diamond --level threads --strategy pct --budget 2000 --seed 4
for model in yolov8n resnet18 mobilenetv2; do
  answer "simulated $model" makespan_ps -- simulate "$model" --runs 5 --seed 3 --timing-only
done
answer "simulated on am62a" makespan_ps -- simulate resnet18 --platform am62a --runs 3 --timing-only
answer "simulated bare cores" makespan_ps digest -- simulate diamond --cores cpu=2,npu=1 --runs 3
answer "simulated, no contention" makespan_ps -- simulate resnet18 --runs 3 --timing-only --no-contention
answer "simulated, migrating" makespan_ps -- simulate resnet18 --runs 3 --timing-only --migrating
answer "simulated, pareto" makespan_ps -- simulate resnet18 --runs 3 --timing-only --jitter pareto:0.5:1.5
answer "campaign" worst.0.seed worst.0.makespan_ps -- simulate diamond --runs 500 --seed 9
answer "npu gemm" cycles stall_cycles macs -- npu --gemm 64,64,256 --array 32,32
answer "npu conv, stalls" cycles stall_cycles -- npu --conv 58,58,3,3,64,64,1 --array 16,16 --bandwidth 16 --buffers 64KiB,64KiB,64KiB
answer "npu weights stay" cycles utilisation -- npu --gemm 128,128,128 --array 8,8 --dataflow ws
answer "npu yolov8n" compute_cycles macs dram_read_bytes -- npu yolov8n
answer "bounds resnet18" methods.0.bound_ps methods.1.bound_ps methods.2.bound_ps methods.3.bound_ps -- bound resnet18 --reproducible
answer "bounds diamond" methods.2.bound_ps methods.3.bound_ps -- bound diamond --cores 2
for model in yolov8n resnet18 mobilenetv2; do
  answer "plan $model" arena_bytes lower_bound_bytes -- plan "$model"
done
answer "plan serial" arena_bytes -- plan yolov8n --order serial
