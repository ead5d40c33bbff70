#!/bin/sh
# A launcher of CMake: a source of tests, by COMPILER and with the same options in every build, so that CCACHE finds what
# another build compiled: not optimised, without line tables, position independent, containers check their indices.
# Paths of the build are relative. Macros are not compared but the text that they lead to: most sources use none that differ.
# Usage: compile_once.sh CCACHE COMPILER THE-COMPILER-OF-THE-BUILD WORD...
cache=$1 compiler=$2
shift 3
for word; do
  shift
  case $word in
    -O0 | -O3 | -g1 | -DNDEBUG | -D_GLIBCXX_ASSERTIONS | -fno-pie) ;;
    -Wno-restrict | -Wno-unknown-warning-option | -Wno-deprecated-declarations) ;;
    *) set -- "$@" "$word" ;;
  esac
done
export CCACHE_BASEDIR="$PWD" CCACHE_NODIRECT=1
exec "$cache" "$compiler" "$@" -D_GLIBCXX_ASSERTIONS -Wno-deprecated-declarations
