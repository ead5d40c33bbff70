// AccessReport: the bytes that every op of a Desc was seen to touch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/detent.h>

#include "base/byte_ranges.hpp"
#include "base/ids.hpp"

namespace detent::harness {

/// How an op was observed, and so what its sets mean.
enum class AccessMethod : std::uint8_t {
  kNone,          ///< it ran, unobserved; its sets are empty
  kInstrumented,  ///< every access of its code was recorded: the sets are exact for this input, unless is_incomplete
  kPerturbed,     ///< run on poisoned memory: reads are those of undeclared or old bytes that changed a result (a
                  ///< subset), writes are the bytes that changed under one of two patterns
};

/// What one op touched of one region. Bytes are counted from the region's base.
struct RegionAccess {
  RegionId region = 0;
  ByteRanges reads;
  ByteRanges writes;
  ByteRanges early_reads;  ///< subset of `reads`: read before the op itself had written them
};

/// A touch of the guard zone before (negative) or behind a region; relative to the region's base.
struct StrayAccess {
  RegionId region = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  bool is_write = false;
};

struct OpAccess {
  AccessMethod method = AccessMethod::kNone;
  std::vector<RegionAccess> regions;  ///< by region; those that were touched
  std::vector<StrayAccess> strays;    ///< reads, then writes; by position
  std::uint64_t variable_writes = 0;  ///< at least; to static variables of the code and those of a thread, which
                                      ///< kInstrumented alone sees
  bool is_incomplete = false;  ///< it touches bytes that were not recorded, or does not do the same twice: it did
                               ///< otherwise when it ran again with all bytes replaced that it was not seen to read
};

struct AccessReport {
  detent_error error{};                           ///< outcome of bind and run; when not OK, later ops were not observed
  std::vector<OpAccess> ops;                      ///< by op id
  std::vector<std::string> unobserved_functions;  ///< library functions that the kernels may call and whose accesses
                                                  ///< through pointers nobody sees
};

}  // namespace detent::harness
