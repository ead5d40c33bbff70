// WorkerPool: a pool of workers (detent/worker_pool.h) with its memory.
#pragma once

#include <cstdint>
#include <vector>

#include <detent/detent.h>

namespace detent::harness {

/// Outlives the instances that are its members.
class WorkerPool {
 public:
  /// @param port  outlives the pool
  WorkerPool(const detent_port& port, std::uint32_t workers, std::uint32_t members);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Outcome of detent_worker_pool_init. When it is not OK get() is null.
  [[nodiscard]] detent_status status() const { return status_; }
  [[nodiscard]] detent_worker_pool* get() const { return pool_; }

 private:
  std::vector<std::uint8_t> memory_;
  detent_worker_pool* pool_ = nullptr;
  detent_status status_ = DETENT_OK;
};

}  // namespace detent::harness
