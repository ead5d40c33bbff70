#!/bin/sh
# A launcher of CMake: the same compilation by another compiler.
# Usage: compile_as.sh COMPILER THE-COMPILER-OF-THE-BUILD WORD...
compiler=$1
shift 2
exec "$compiler" "$@"
