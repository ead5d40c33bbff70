#include "harness/together/worker_pool.hpp"

#include "base/assert.hpp"

namespace detent::harness {

WorkerPool::WorkerPool(const detent_port& port, std::uint32_t workers, std::uint32_t members) {
  const detent_worker_pool_config config{&port, workers, members};
  memory_.resize(detent_worker_pool_bytes(&config));
  status_ = detent_worker_pool_init(memory_.data(), memory_.size(), &config, &pool_);
}

WorkerPool::~WorkerPool() {
  if (pool_ == nullptr) return;
  const detent_status status = detent_worker_pool_deinit(pool_);
  DETENT_ASSERT(status == DETENT_OK);
}

}  // namespace detent::harness
