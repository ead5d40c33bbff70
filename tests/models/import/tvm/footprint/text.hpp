// Footprints from C text, for tests, and how they are compared with sets worked out by hand.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "models/import/tvm/clang/source.hpp"
#include "models/import/tvm/footprint/footprint.hpp"

namespace detent::models::tvm {

inline FunctionFootprint footprint_of(const std::string& text, const FootprintOptions& options = {}) {
  const CUnit unit = parse_c(text, "op.c");
  EXPECT_TRUE(unit.errors.empty()) << unit.errors.at(0).text;
  return analyse_function(unit, unit.functions.back(), options);
}

/// The footprint of "int32_t f(float* p0, float* out, uint8_t* pool) { BODY return 0; }".
inline FunctionFootprint of_body(const std::string& body, const FootprintOptions& options = {}) {
  return footprint_of("int32_t f(float* p0, float* out, uint8_t* pool) {\n" + body + "\n  return 0;\n}\n", options);
}

inline ByteSet bytes(std::vector<ByteInterval> intervals) { return ByteSet::of(std::move(intervals)); }

inline void expect_exact(const AccessSets& sets, const ByteSet& reads, const ByteSet& writes) {
  EXPECT_EQ(sets.reads.intervals(), reads.intervals());
  EXPECT_EQ(sets.writes.intervals(), writes.intervals());
  EXPECT_TRUE(sets.reads_exact && sets.writes_exact);
  EXPECT_FALSE(sets.reads_unbounded || sets.writes_unbounded);
}

}  // namespace detent::models::tvm
