// CountedKernels: the C of a package -> kernels that count which of its lines and branches are executed.
#pragma once

#include <string>
#include <vector>

#include "harness/module/c_module.hpp"
#include "models/core/model.hpp"

namespace detent::app {

/// Loaded kernels whose counters go to files in the directory where they were compiled, beside gcov's notes.
class CountedKernels {
 public:
  /// Compile the model's sources with its own flags, then --coverage and -O0, so that every line is there; counters are
  /// changed by atomic additions, because several workers may execute a kernel at once. The texts are those of the
  /// package but for a #line that gives Detent's thunks a file of their own.
  /// @param compiler   as module_options
  /// @param directory  empty; belongs to the caller, who removes it after this
  /// @throws std::invalid_argument  they do not compile: file and line of the first error
  CountedKernels(const models::Model& model, const std::string& compiler, const std::string& directory);

  /// For NativeOptions::backends; lives as long as this.
  [[nodiscard]] detent_backend backend() { return noting_; }
  CountedKernels(const CountedKernels&) = delete;
  CountedKernels& operator=(const CountedKernels&) = delete;

  /// Add the counters to their files and set them to zero. Where a fault ends a run, this is what saves them.
  void save() const { save_(); }

 private:
  harness::CModule module_;
  detent_backend plain_{};
  detent_backend noting_{};
  void (*save_)() = nullptr;
};

/// Names of the sources that are the user's own: not the headers that an import adds to each package.
std::vector<std::string> own_sources(const models::Model& model);

}  // namespace detent::app
