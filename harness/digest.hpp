// Digest: the bytes that a run is judged by, as one number.
#pragma once

#include <cstdint>
#include <vector>

#include <detent/detent.h>

#include "base/ids.hpp"

namespace detent::harness {

/// XXH3-64 over the blocks of desc.outputs in their order (never the gaps between blocks), or, when there are none,
/// over all bytes of all WORKSPACE and OUTPUT regions in region order. Between runs only.
///
/// @param context  a context that was bound from `desc`
std::uint64_t digest_outputs(const detent_desc& desc, const detent_context& context);

/// The same over one tensor: names the first op whose output differs (F13).
std::uint64_t digest_tensor(const detent_desc& desc, const detent_context& context, TensorId tensor);

/// The blocks of desc.outputs one after another, in their order; empty for Descs without outputs. Between runs only.
std::vector<std::uint8_t> copy_outputs(const detent_desc& desc, const detent_context& context);

}  // namespace detent::harness
