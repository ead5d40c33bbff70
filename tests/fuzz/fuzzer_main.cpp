// The entry that libFuzzer calls, for the target that the build names.
#include <cstdint>

#include "tests/fuzz/target.hpp"

#define DETENT_FUZZ_JOIN(name) name##_target
#define DETENT_FUZZ_FUNCTION(name) DETENT_FUZZ_JOIN(name)

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  detent::fuzz::DETENT_FUZZ_FUNCTION(DETENT_FUZZ_TARGET)({reinterpret_cast<const char*>(data), size});
  return 0;
}
