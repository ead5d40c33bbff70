// Ids -> the words that witnesses use. Tables of a Desc may be broken, so every name is optional.
#pragma once

#include <cstdint>
#include <string>

#include <detent/desc.h>

#include "base/ids.hpp"

namespace detent::verify {

/// "op 7 (conv2)"; "op 7" when it has no name or does not exist.
std::string op_name(const detent_desc& desc, OpId op);
/// "tensor 3 (act3)"; "tensor 3" when it has no name or does not exist.
std::string tensor_name(const detent_desc& desc, TensorId tensor);
/// "ws"; "region 2" when it has no name or does not exist.
std::string region_name(const detent_desc& desc, RegionId region);
/// "bytes [64, 128) of ws".
std::string byte_range_name(const detent_desc& desc, RegionId region, std::uint64_t offset, std::uint64_t size);

}  // namespace detent::verify
