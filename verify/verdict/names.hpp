// Ids -> the words that witnesses use. Tables of a Desc may be broken, so every name is optional.
#pragma once

#include <cstdint>
#include <string>

#include <detent/desc.h>

namespace detent::verify {

/// "op 7 (conv2)"; "op 7" when it has no name or does not exist.
std::string op_name(const detent_desc& desc, std::uint32_t op);
/// "tensor 3 (act3)"; "tensor 3" when it has no name or does not exist.
std::string tensor_name(const detent_desc& desc, std::uint32_t tensor);
/// "ws"; "region 2" when it has no name or does not exist.
std::string region_name(const detent_desc& desc, std::uint32_t region);
/// "bytes [64, 128) of ws".
std::string byte_range_name(const detent_desc& desc, std::uint32_t region, std::uint64_t offset, std::uint64_t size);

}  // namespace detent::verify
