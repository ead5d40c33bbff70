// Arrays of NumPy: the data are the last bytes of the file, and what is accepted is written and read as the same array.
#include "base/arrays/npy.hpp"

#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void npy_target(std::string_view input) {
  NpyArray array;
  if (!accepts([&] { array = read_npy(input, kInputName); })) return;
  require(input.ends_with(array.data), "the data end the file");
  const std::string written = format_npy(array);
  const NpyArray again = read_npy(written, kInputName);
  require(again.type == array.type, "the same type");
  require(again.shape == array.shape, "the same shape");
  require(again.data == array.data, "the same data");
  require((written.size() - array.data.size()) % 64 == 0, "the data begin at a multiple of 64");
}

}  // namespace detent::fuzz
