#!/usr/bin/env bash
# The packages of debian/, made of what a build directory holds (debian/rules), unpacked into an empty folder and used
# there: the program with its module, the example of the C API through pkg-config, documents, what they depend on.
# Usage: debian_packages.sh SOURCE BUILD PLACE
set -Eeuo pipefail
trap 'echo "debian_packages.sh: line $LINENO failed" >&2' ERR
source=$(realpath "$1") build=$(realpath "$2") place=$3
fail() { echo "debian_packages.sh: $*" >&2; exit 1; }

rm -rf "$place"
mkdir -p "$place/source/debian" "$place/unpacked" "$place/work"
place=$(realpath "$place")
cd "$place/source"
cp -r "$source"/debian/{changelog,compat,control,copyright,rules,source,*.install} debian
DETENT_BUILD_DIR=$build debian/rules binary >../rules.log 2>&1 || { tail -n 40 ../rules.log >&2; fail "debian/rules binary"; }

cd "$place"
program=$(echo detent_*.deb) library=$(echo libdetent-dev_*.deb)
field() { dpkg-deb -f "$1" "$2"; }
has() { [[ ", $(field "$1" "$2")," == *", $3"[\ ,]* ]] || fail "$1: $2 lacks $3: $(field "$1" "$2")"; }
for package in libc6 libstdc++6 libfmt9 libz3-4 libarchive13; do has "$program" Depends $package; done
has "$program" Recommends libclang1-19
[[ $(field "$program" Depends) == *libsystemc* ]] || fail "$program does not depend on the library of detent_systemc.so"
[[ $(field "$program" Depends) != *clang* ]] || fail "$program depends on clang, which only imports need"
has "$library" Depends detent
for package in "$program" "$library"; do dpkg-deb -x "$package" unpacked; done

# No part of the packages names the place where they were built.
! grep -rlE "$source/(app|base|bench|build|cli|harness|models|reports|runtime|sim|tests|verify)/" unpacked || fail "files name the source tree"
! grep -rlF "$build" unpacked || fail "files name the build tree"

detent() { env -i PATH=/usr/bin:/bin HOME="$place/work" "$place/unpacked/usr/bin/detent" "$@"; }
cd work
version=$(detent --version)
[[ $version == *"$(field "../$program" Version)"* ]] || fail "detent --version says '$version', the package $(field "../$program" Version)"
detent check branchnet --platform quad_npu --runs 20 --workers 2 --out report --quiet || fail "detent check"
[ -s report/report.html ] || fail "no report"
documents=$place/unpacked/usr/share/doc
for file in detent/copyright detent/LICENSE detent/README.md detent/docs/FORMATS.md detent/docs/guides/in_ci.md libdetent-dev/copyright; do
  [ -s "$documents/$file" ] || fail "no $file"
done
share=$place/unpacked/usr/share
zgrep -q '^\.SH COMMANDS' "$share/man/man1/detent.1.gz" || fail "no manual page"
for file in bash-completion/completions/detent zsh/vendor-completions/_detent; do
  grep -q simulate "$share/$file" || fail "no $file"
done
examples=$documents/detent/examples
detent verify "$examples/camera_pipeline.json" >verify.log && fail "the pipeline's race is not found"
grep -q "1 racing pair" verify.log || fail "$(cat verify.log)"
detent import tvm "$examples/tvm" -o net.pkg --quiet || fail "detent import tvm"

pc=$(dirname "$(find "$place/unpacked" -name detent.pc)")
# shellcheck disable=SC2046  # flags, one word each
cc -std=c11 -Wall -Wextra -Werror "$examples/runtime.c" $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs detent) -o runtime
[ "$(PKG_CONFIG_PATH=$pc pkg-config --modversion detent)" = "$(field "../$program" Version)" ] || fail "version of detent.pc"
./runtime | grep -q "run 1, 3 ops: 4 12 24 40" || fail "the example of the C API: $(./runtime)"
echo "debian_packages.sh: $program and $library work from an empty folder"
