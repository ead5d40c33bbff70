// ReadWatch: a back end around others that follows, op by op, whose bytes each read finds.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include <detent/detent.h>

#include "verify/runs/read_check.hpp"

namespace detent::verify {

/// One run at a time, on any number of threads. Outlives the instance that it serves.
class ReadWatch {
 public:
  /// @param desc   outlives this
  /// @param inner  asked in turn; the built-in kernels serve the rest. Only back ends without `dispatch`
  ReadWatch(const detent_desc& desc, const ValueTables* tables, std::vector<detent_backend> inner);
  ReadWatch(const ReadWatch&) = delete;
  ReadWatch& operator=(const ReadWatch&) = delete;

  /// Points to this object.
  [[nodiscard]] detent_backend backend();
  /// Before each run.
  void arm() { check_.arm(); }
  /// After each run. @return  none: every read found its value
  std::optional<MissedRead> finish() { return check_.finish(); }
  [[nodiscard]] const ReadCheck& check() const { return check_; }

 private:
  detent_status resolve(const char* name, detent_entity* entity) const;
  std::int32_t execute(const detent_entity& entity);

  std::vector<detent_backend> inner_;
  std::mutex mutex_;  ///< of check_
  ReadCheck check_;
};

}  // namespace detent::verify
