// What tests know of the build that they are part of. It is said by one source that each build compiles for itself; the
// tests are compiled from the same words in a release and in instrumented builds, so that a cache does so once.
#pragma once

namespace detent {

/// Sanitizers or counters make each step of the product many times slower.
extern const bool kIsInstrumented;
/// The folder of the build, an absolute path without a slash at its end.
extern const char* const kBuildFolder;

}  // namespace detent
