// OutputAudit: a back end around others that takes a digest of what every op has written, right after it ran.
#pragma once

#include <cstdint>
#include <vector>

#include <detent/detent.h>

#include "base/ids.hpp"

namespace detent::verify {

/// One run at a time. Outlives the instance that it serves. Each op is recorded by the worker that ran it, so no two
/// threads touch one record; outputs of ops that complete later (PENDING) are not recorded.
class OutputAudit {
 public:
  /// @param desc   outlives this
  /// @param inner  asked in order, per class the first that serves it; the built-in kernels come last
  OutputAudit(const detent_desc& desc, std::vector<detent_backend> inner);
  OutputAudit(const OutputAudit&) = delete;
  OutputAudit& operator=(const OutputAudit&) = delete;

  /// The wrapping back end; `self` is this.
  [[nodiscard]] detent_backend backend();
  /// By op id; 0: not recorded.
  [[nodiscard]] const std::vector<std::uint64_t>& digests() const { return digests_; }

 private:
  static detent_status resolve(void* self, const char* name, detent_entity* entity);
  static detent_dispatch dispatch(void* self, detent_context* context, const detent_entity* entity,
                                  std::uint32_t worker, std::int32_t* code);

  const detent_desc& desc_;
  std::vector<detent_backend> inner_;
  std::vector<const detent_backend*> backend_of_;  ///< by op
  std::vector<std::uint64_t> digests_;
};

/// First op in topological order (lowest id first among ready ones) whose record differs; DETENT_NONE when none does.
std::uint32_t find_first_difference(const detent_desc& desc, const std::vector<std::uint64_t>& a,
                                    const std::vector<std::uint64_t>& b);

}  // namespace detent::verify
