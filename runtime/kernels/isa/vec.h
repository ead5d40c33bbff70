/* Vec: the widest float vector of the instruction set this file is compiled for, and fused multiply-add on it. fma()
 * rounds once everywhere, by hardware or by arithmetic, so every set and every compiler computes the same bits. */
#ifndef DETENT_RUNTIME_OPS_ISA_VEC_H_
#define DETENT_RUNTIME_OPS_ISA_VEC_H_

#include "runtime/base/compiler.h"

#if DETENT_COMPILER_GNU
#include "runtime/kernels/isa/vec_gnu.h"
#else
#include "runtime/kernels/isa/vec_standard.h"
#endif

#endif
