// How much of a test is done: all in plain builds, a tenth where instrumentation makes each step many times slower.
#pragma once

#include "tests/build.hpp"

namespace detent {

/// Repetitions, seeds or sizes whose number is not what the test is about. CI runs the full number in the release
/// build.
template <typename T>
T effort(T full) {
  return kIsInstrumented ? full / 10 : full;
}

}  // namespace detent
