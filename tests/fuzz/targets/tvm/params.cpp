// Parameters of TVM: the bytes of every array are those of its shape.
#include "models/import/tvm/files/ndarray.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void params_target(std::string_view input) {
  std::vector<models::tvm::NamedArray> arrays;
  if (!accepts([&] { arrays = models::tvm::read_params(input, kInputName); })) return;
  std::uint64_t total = 0;
  for (const models::tvm::NamedArray& array : arrays) {
    std::uint64_t elements = 1;
    for (const std::int64_t extent : array.shape) elements *= static_cast<std::uint64_t>(extent);
    require(elements == 0 ? array.bytes.empty() : array.bytes.size() % elements == 0, "whole elements");
    total += array.bytes.size() + array.name.size();
  }
  require(total <= input.size(), "nothing that the file does not hold");
}

}  // namespace detent::fuzz
