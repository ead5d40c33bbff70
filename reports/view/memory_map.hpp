// Memory map: tensors and a run -> rectangles of bytes over time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "reports/data/report_data.hpp"

namespace detent::reports {

/// Bytes that hold one tensor (or, for a bare range of an op graph, that one op touches) for a while.
struct MemoryBlock {
  TensorId tensor = 0;
  RegionId region = 0;
  std::uint64_t offset_bytes = 0, size_bytes = 0;
  std::uint64_t begin = 0, end = 0;  ///< ps, or positions in op order; see MemoryMap::is_time
  OpId producer = DETENT_NONE;       ///< the op that wrote first; DETENT_NONE for model inputs
  bool is_write = true;              ///< false: a range that is only read
};

struct MemoryMap {
  bool is_time = false;  ///< x is simulated or native time of `run`; else the position of an op in topological order
  std::uint64_t end = 0;
  std::vector<MemoryBlock> blocks;  ///< by (region, begin, offset, tensor)
  std::uint64_t left_out = 0;       ///< smallest blocks, not shown
};

/// Lifetimes of the tensors outside WEIGHTS regions, at most `max_blocks`, the largest first when some must go.
/// A tensor lives from the first begin of an op that writes it to the last end of an op that uses it or a view of it;
/// inputs live from 0, model outputs to the end.
/// @param run  null: by op order
MemoryMap map_memory(const detent_desc* desc, const TimelineRun* run, std::size_t max_blocks);

/// Bytes in which a value should have stood, from the begin of the op that writes it to the end of the reader.
struct LostBlock {
  RegionId region = 0;
  std::uint64_t offset_bytes = 0, size_bytes = 0;
  std::uint64_t begin = 0, end = 0;  ///< as of the map
  std::string text{};                ///< "x: for 3 reader, overwritten by 2 other"
};

/// Those of `lost` that concern bytes. @param run  of the map
std::vector<LostBlock> map_lost_values(const detent_desc* desc, const TimelineRun* run, const MemoryMap& map,
                                       const std::vector<LostValue>& lost);

}  // namespace detent::reports
