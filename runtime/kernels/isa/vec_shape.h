/* The width of a vector and the size of a register tile, for the instruction set this file is compiled for.
 *
 * Included only by sources that are compiled once per instruction set, each in its own namespace DETENT_OPS_ISA. All of
 * it has internal linkage: a function shared by name could be taken from the wide set's object and fault on a small
 * core. */
#ifndef DETENT_RUNTIME_OPS_ISA_VEC_SHAPE_H_
#define DETENT_RUNTIME_OPS_ISA_VEC_SHAPE_H_

#include <float.h>

#include "runtime/base/compiler.h"

#if !defined(DETENT_OPS_ISA)
#error "compile with -DDETENT_OPS_ISA=<name of the instruction set>"
#endif

#define DETENT_ISA_BEGIN namespace detent::ops::DETENT_OPS_ISA {
#define DETENT_ISA_END }

DETENT_ISA_BEGIN
namespace {

constexpr int kBlock = 16; /**< channels of a C16 block */

#if !DETENT_COMPILER_GNU
constexpr int kLanes = 4;
constexpr int kTileBlocks = 1;
constexpr int kTilePixels = 2;
#elif defined(__AVX512F__)
constexpr int kLanes = 16;
constexpr int kTileBlocks = 2; /**< 2 x 14 accumulators, 2 weights, 1 pixel of 32 registers */
constexpr int kTilePixels = 14;
#elif defined(__AVX2__) && defined(__FMA__)
constexpr int kLanes = 8;
constexpr int kTileBlocks = 1; /**< 2 x 6 accumulators, 2 weights, 1 pixel of 16 registers */
constexpr int kTilePixels = 6;
#elif defined(__aarch64__)
constexpr int kLanes = 4;
constexpr int kTileBlocks = 1; /**< 4 x 6 accumulators, 4 weights, 1 pixel of 32 registers */
constexpr int kTilePixels = 6;
#else
constexpr int kLanes = 4;
constexpr int kTileBlocks = 1;
constexpr int kTilePixels = 2;
#endif
constexpr int kParts = kBlock / kLanes; /**< vectors of a C16 block */

static_assert(FLT_EVAL_METHOD == 0, "float arithmetic must round to float");

}  // namespace
DETENT_ISA_END

#endif
