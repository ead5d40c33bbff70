#include "base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace detent {

void assertion_failed(const char* fact, const char* file, int line) {
  std::fprintf(stderr, "detent: %s:%d: does not hold: %s; this is a fault of detent, please report it\n", file, line,
               fact);
  std::abort();
}

}  // namespace detent
