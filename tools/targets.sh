#!/usr/bin/env bash
# Compile runtime/ for the processors it is made for, warnings as errors, and hold the result to docs/PORTING.md:
#   - every source; on bare metal all but a host's (tests/layout names those), with the compiler's own headers alone
#   - the layouts of runtime/api/abi.h, in C and in C++, with short enumerations and without
#   - no variable data, and exactly the undefined symbols of the table "What it links to"
#   - an emitted network: on bare metal it links with those symbols and nothing else, on Linux with threads, and under
#     QEMU's user mode it prints the digest of this machine. (QEMU on x86 shows no weak memory order.)
# Usage: tools/targets.sh [TARGET ...]    default: all targets. Needs build/release/detent, or DETENT=PROGRAM.
set -Eeuo pipefail
trap 'echo "targets.sh: ${name:-start}: line $LINENO failed" >&2' ERR
cd "$(dirname "$0")/.."
out=${DETENT_TARGETS_OUT:-$PWD/build/targets}
detent=${DETENT:-$PWD/build/release/detent}
network=branchnet

# name | bare or linux | prefix of the tools | Debian package | runs it | flags
# QEMU 7.2's user mode does not start on Cortex-M: an A profile processor executes the same Thumb instructions.
targets='
cortex-m33|bare|arm-none-eabi|gcc-arm-none-eabi|qemu-arm -cpu max|-mcpu=cortex-m33 -mthumb -mfloat-abi=hard
cortex-m7|bare|arm-none-eabi|gcc-arm-none-eabi|qemu-arm -cpu max|-mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16
riscv32|bare|riscv64-unknown-elf|gcc-riscv64-unknown-elf|qemu-riscv32|-march=rv32imafc -mabi=ilp32f
riscv64|bare|riscv64-unknown-elf|gcc-riscv64-unknown-elf|qemu-riscv64|-march=rv64imafdc -mabi=lp64d -mcmodel=medany
aarch64-linux|linux|aarch64-linux-gnu|g++-aarch64-linux-gnu|qemu-aarch64|-fno-pie
riscv64-linux|linux|riscv64-linux-gnu|g++-riscv64-linux-gnu|qemu-riscv64|-fno-pie
'
fail() { echo "targets.sh: $*" >&2; exit 1; }
need() { command -v "$1" >/dev/null || fail "$1 is missing; apt-get install $2"; }

warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wswitch-enum -Werror)
common=(-ffp-contract=off -fno-asynchronous-unwind-tables -I. -Iruntime/include)
cxx=(-x c++ -std=c++20 -fno-exceptions -fno-rtti -fno-threadsafe-statics)
launcher=()
command -v ccache >/dev/null && launcher=(ccache)

# Sources of the runtime that only a host can compile: its threads, clock and environment.
mapfile -t host_sources < <(sed -n '/^set(detent_runtime_host_sources/,/^)/s|^  \(.*\.cpp\)$|runtime/\1|p' runtime/sources.cmake)
[ ${#host_sources[@]} -gt 0 ] || fail "runtime/sources.cmake: detent_runtime_host_sources is not found"
mapfile -t all_sources < <(find runtime -name '*.cpp' | sort)
mapfile -t core_sources < <(printf '%s\n' "${all_sources[@]}" | grep -vxF -f <(printf '%s\n' "${host_sources[@]}"))

# compile LOG FLAGS... < "object source" lines: all of them, in parallel; every diagnostic stands in LOG.
compile() {
  local log=$1
  shift
  xargs -P "$(nproc)" -L 1 bash -c '
    log=$0; object=${@: -2:1}; source=${@: -1}; set -- "${@:1:$#-2}"
    mkdir -p "${object%/*}"
    optimise=-O2; isa=
    case $source in */isa/*) optimise=-O3; isa=-DDETENT_OPS_ISA=base ;; esac
    "$@" $optimise $isa -c "$source" -o "$object" 2>"$object.log" || true
    cat "$object.log" >>"$log"' "$log" "$@" || true
}

undefined() { "$tools-nm" -u "$1" | awk '{print $NF}' | sort -u; }
# The symbols that docs/PORTING.md lists for a target: the words in backquotes of the last column of its row.
documented() { sed -n "s/^| \`$1\` |.*|\([^|]*\)|\$/\1/p" docs/PORTING.md | grep -o '`[^`]*`' | tr -d '`' | sort -u; }

same_symbols() { # what, object, name of the row
  diff <(documented "$3") <(undefined "$2") >"$build/symbols.diff" ||
    fail "$name: $1 needs other symbols (>) than docs/PORTING.md lists for $3 (<):"$'\n'"$(cat "$build/symbols.diff")"
}

no_other_symbols() { # what, object, name of the row
  comm -13 <(documented "$3") <(undefined "$2") >"$build/symbols.diff"
  [ ! -s "$build/symbols.diff" ] ||
    fail "$name: $1 needs what docs/PORTING.md does not list for $3:"$'\n'"$(cat "$build/symbols.diff")"
}

check_layouts() {
  local enums standard
  for enums in -fshort-enums -fno-short-enums; do
    for standard in c11 c++20; do
      "$tools-gcc" "${machine[@]}" "${headers[@]}" "${warnings[@]}" -I. -Iruntime/include "$enums" -x "${standard%%[0-9]*}" -std="$standard" \
        -fsyntax-only runtime/api/abi.h >"$build/abi.log" 2>&1 ||
        { cat "$build/abi.log" >&2; fail "$name: runtime/api/abi.h as $standard with $enums"; }
    done
  done
}

compile_runtime() {
  local sources=("${core_sources[@]}") source found
  [ "$kind" = bare ] || sources=("${all_sources[@]}")
  : >"$build/log"
  for source in "${sources[@]}"; do echo "$build/$source.o $source"; done |
    compile "$build/log" "${launcher[@]}" "$tools-gcc" "${machine[@]}" "${headers[@]}" "${cxx[@]}" "${common[@]}" "${warnings[@]}"
  found=$(grep -cE '(warning|error):' "$build/log" || true)
  [ "$found" = 0 ] && [ ! -s "$build/log" ] || { cat "$build/log" >&2; fail "$name: $found diagnostics in runtime/"; }
  core=()
  for source in "${core_sources[@]}"; do core+=("$build/$source.o"); done
  "$tools-gcc" "${machine[@]}" -nostdlib -r -o "$build/core.o" "${core[@]}"
  same_symbols "runtime/" "$build/core.o" "$name"
  read -r text data bss < <("$tools-size" "$build/core.o" | awk 'NR == 2 {print $1, $2, $3}')
  [ "$data" = 0 ] && [ "$bss" = 0 ] || fail "$name: runtime/ has $data + $bss bytes of variable data; it may have none"
  files=${#sources[@]}
}

# The network's own C files, with the flags of the target.
compile_network() { # extra sources...
  local source
  network_objects=()
  for source in "$emitted"/{desc,model,fill,digest}.c "$emitted"/weights/*.c "$@"; do
    network_objects+=("$build/network/$(basename "$source").o")
    "${launcher[@]}" "$tools-gcc" "${machine[@]}" "${headers[@]}" "${libc[@]}" -std=c11 -O2 -Wall -Wextra -Werror "${common[@]}" -I"$emitted" \
      -DTVMRT_PORT="$port" -c "$source" -o "${network_objects[-1]}" || fail "$name: $source does not compile"
  done
}

# Nothing but the objects, the four functions of tests/targets/libc and what the compiler itself calls (libgcc).
link_bare() {
  compile_network tests/targets/firmware.c tests/targets/libc/string.c
  "$tools-gcc" "${machine[@]}" -nostdlib -static -Wl,--fatal-warnings -Wl,--no-warn-rwx-segments -Wl,-e,_start "${relax[@]}" \
    -o "$build/firmware" "${core[@]}" "${network_objects[@]}" -lgcc || fail "$name: the emitted network does not link"
}

link_linux() {
  local hosted=()
  for source in "${host_sources[@]}"; do hosted+=("$build/$source.o"); done
  compile_network "$emitted/main.c" "$emitted/log.c"
  "$tools-gcc" "${machine[@]}" -static -pthread -o "$build/firmware" "${core[@]}" "${hosted[@]}" "${network_objects[@]}" -lm ||
    fail "$name: the emitted network does not link"
}

run_network() {
  local digests
  if [ "$kind" = bare ]; then
    digests=$("${emulator[@]}" "$build/firmware") || fail "$name: $runs $build/firmware failed: $digests"
  else
    digests=$(for mode in serial layered closed-loop static; do
      "${emulator[@]}" "$build/firmware" --mode $mode --workers 3 | sed -n 's/^digest //p'
    done) || fail "$name: $runs $build/firmware failed"
  fi
  [ "$digests" = "$(printf '%s\n' "$expected" "$expected" "$expected" "$expected")" ] ||
    fail "$name: $network gives the digests"$'\n'"$digests"$'\n'"but $expected here"
}

# The two builds that docs/PORTING.md offers, once: the Makefile of the emitted directory makes a library that needs the
# same symbols, and CMake leaves out the sources of a host where the system is Generic.
check_builds() {
  make -C "$emitted" -s -j "$(nproc)" network TVMRT_PORT=single CC="${launcher[*]} $tools-gcc" AR="$tools-ar" \
    BUILD="$build/make" CFLAGS="$flags ${headers[*]} -Wextra" >"$build/make.log" 2>&1 ||
    { cat "$build/make.log" >&2; fail "$name: make network in an emitted directory"; }
  "$tools-gcc" "${machine[@]}" -nostdlib -r -Wl,--whole-archive "$build/make/network.a" -o "$build/make/network.o"
  no_other_symbols "network.a of the emitted directory" "$build/make/network.o" "$name"
  cmake -S . -B "$build/cmake" -G Ninja -DDETENT_RUNTIME_ONLY=ON -DCMAKE_SYSTEM_NAME=Generic -DCMAKE_SYSTEM_PROCESSOR="$name" \
    -DCMAKE_C_COMPILER="$tools-gcc" -DCMAKE_CXX_COMPILER="$tools-g++" -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY \
    >"$build/cmake.log" 2>&1 || { cat "$build/cmake.log" >&2; fail "$name: cmake -DDETENT_RUNTIME_ONLY=ON"; }
  diff <(printf '%s\n' "${core_sources[@]}") \
    <(grep -o '"file": "[^"]*"' "$build/cmake/compile_commands.json" | sed "s|.*\"$PWD/||; s|\"||" | sort) ||
    fail "$name: CMake compiles other sources (>) than firmware needs (<)"
}

one_target() {
  build=$out/$name
  rm -rf "$build"
  mkdir -p "$build/network"
  need "$tools-gcc" "$package"
  need "${runs%% *}" qemu-user
  headers=() libc=() relax=()
  read -ra machine <<<"$flags"
  read -ra emulator <<<"$runs"
  port=posix
  if [ "$kind" = bare ]; then
    headers=(-ffreestanding -nostdinc -isystem "$("$tools-gcc" -print-file-name=include)")
    libc=(-isystem tests/targets/libc)
    port=single
  fi
  [[ $tools != riscv* ]] || relax=("-Wl,--no-relax")
  local begin=$SECONDS
  check_layouts
  compile_runtime
  "link_$kind"
  run_network
  [ "$name" != cortex-m33 ] || check_builds
  row "$name" "$files" 0 "$text" "$data" "$bss" "$(undefined "$build/core.o" | wc -l)" 4 $((SECONDS - begin))
}

row() { printf '%-14s %5s %8s %8s %5s %5s %7s %8s %7s\n' "$@"; }

[ -x "$detent" ] || fail "$detent is missing; build it (cmake --preset release && cmake --build --preset release) or set DETENT"
rm -rf "$out/network"
mkdir -p "$out"
emitted=$out/network
"$detent" emit c $network -o "$emitted" --quiet
expected=$("$detent" run $network --workers 0 --json - | sed -n 's/.*"digest": *"\([0-9a-f]*\)".*/\1/p' | head -n 1)
[ -n "$expected" ] || fail "$detent run $network prints no digest"

row target files warnings text data bss symbols digests seconds
wanted=" $* "
found=0
while IFS='|' read -r name kind tools package runs flags; do
  [ -n "$name" ] || continue
  [ "$wanted" = "  " ] || [[ $wanted == *" $name "* ]] || continue
  one_target
  found=$((found + 1))
done <<<"$targets"
[ "$found" -gt 0 ] || fail "no target of the name$wanted; they stand at the head of this file"
