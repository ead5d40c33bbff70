// AccessProbe: C sources -> kernels that record every byte they touch; a Desc -> the bytes that each op touched.
#pragma once

#include <string>
#include <vector>

#include "harness/access/observed_run.hpp"
#include "harness/access/report.hpp"
#include "harness/module/c_module.hpp"

namespace detent::harness {

/// The sources of a module, compiled with -fsanitize=thread at -O1 and linked to a recorder of our own in place of the
/// sanitizer's library: each load and store of the C text is recorded, one bit per byte; nothing is vectorised, and
/// memcpy, memmove, memset and memcmp are recorded too. Loads whose value is not used may be missing.
///
/// The memory that an op sees has a guard zone of up to 1 MiB around each region; touching it is recorded, and
/// harmless. Wilder accesses end the process, as they would in any run of these kernels.
class AccessProbe {
 public:
  /// @param options  compile.flags are kept but for the optimisation level
  /// @param watches_thread_local  writes to variables of a thread count as those to static ones do
  /// @throws std::invalid_argument  as CModule
  explicit AccessProbe(const std::vector<CSource>& sources, const CModuleOptions& options = {},
                       bool watches_thread_local = true);
  ~AccessProbe();
  AccessProbe(const AccessProbe&) = delete;
  AccessProbe& operator=(const AccessProbe&) = delete;

  /// Run all ops once, serially, in topological order, lowest id first, on real data. Ops whose kernel is not one of
  /// the module's run unobserved (AccessMethod::kNone); options.backends are asked for them. One thread at a time.
  /// A Desc that does not bind gives a report whose error says why.
  [[nodiscard]] AccessReport measure(const detent_desc& desc, const ObserveOptions& options = {}) const;

 private:
  CModule module_;
  std::vector<std::string> unobserved_functions_;
};

}  // namespace detent::harness
