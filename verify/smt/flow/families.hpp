// Families: who writes and who reads the bytes of each tensor and its views, in the serial order. Told from a Desc
// alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"

namespace detent::verify::smt {

/// One op and one tensor that it reads or writes. Steps: 0 the application before the run, then one per op in the
/// topological order that takes the lowest id first, then the application after the run (DETENT_NONE as op).
struct Touch {
  std::uint32_t step = 0;
  std::uint32_t op = DETENT_NONE;
  TensorId tensor = 0;
};

/// A tensor that is no view, with its views: one value that may be written several times.
struct Family {
  std::string name;
  std::vector<Touch> writes, reads;  ///< by step
};

/// Of typed tensors outside weights that somebody writes and somebody reads.
/// @throws std::invalid_argument  the edges close a cycle, views close a circle, or an index lies outside its table
std::vector<Family> find_families(const detent_desc& desc);

}  // namespace detent::verify::smt
