#include "tests/build.hpp"

namespace detent {

const bool kIsInstrumented = DETENT_INSTRUMENTED != 0;
const char* const kBuildFolder = DETENT_BINARY_DIR;

}  // namespace detent
