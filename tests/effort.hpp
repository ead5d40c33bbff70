// How much of a test is done: all in plain builds, a tenth where instrumentation makes each step many times slower.
#pragma once

namespace detent {

/// Repetitions, seeds or sizes whose number is not what the test is about. CI runs the full number in the release
/// build.
template <typename T>
constexpr T effort(T full) {
  return DETENT_INSTRUMENTED ? full / 10 : full;
}

}  // namespace detent
