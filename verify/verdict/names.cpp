// Ids -> the words that witnesses use.
#include "verify/verdict/names.hpp"

namespace detent::verify {
namespace {

std::string with_name(const char* kind, std::uint32_t id, const char* name) {
  std::string text = std::string(kind) + " " + std::to_string(id);
  if (name != nullptr && *name != '\0') text += " (" + std::string(name) + ")";
  return text;
}

}  // namespace

std::string op_name(const detent_desc& desc, OpId op) {
  return with_name("op", op, op < desc.op_count ? desc.ops[op].name : nullptr);
}

std::string tensor_name(const detent_desc& desc, TensorId tensor) {
  return with_name("tensor", tensor, tensor < desc.tensor_count ? desc.tensors[tensor].name : nullptr);
}

std::string region_name(const detent_desc& desc, RegionId region) {
  const char* name = region < desc.region_count ? desc.regions[region].name : nullptr;
  return name != nullptr && *name != '\0' ? name : "region " + std::to_string(region);
}

std::string byte_range_name(const detent_desc& desc, RegionId region, std::uint64_t offset, std::uint64_t size) {
  return "bytes [" + std::to_string(offset) + ", " + std::to_string(offset + size) + ") of " +
         region_name(desc, region);
}

}  // namespace detent::verify
