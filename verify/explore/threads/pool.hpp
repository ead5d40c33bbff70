// PoolProgram: several Descs -> one program for VirtualThreads: a pool of workers, a context for each Desc, and a
// thread for each that runs it. Every context is under the laws of EngineLaws, as if it were alone.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "verify/explore/threads/program.hpp"

namespace detent::verify::explore {

/// "ready word of network 1", "role of network 0": the shared word at an offset from the pool, behind which its members
/// stand.
std::string name_of_pool_word(const detent_worker_pool& pool, std::uint64_t offset_bytes);

class PoolProgram final : public Program {
 public:
  /// @throws std::invalid_argument  options that a pool cannot have, or a Desc that does not bind
  PoolProgram(const std::vector<PoolNetwork>& networks, const ThreadOptions& options);
  ~PoolProgram() override;
  PoolProgram(const PoolProgram&) = delete;
  PoolProgram& operator=(const PoolProgram&) = delete;

  [[nodiscard]] std::uint64_t state_hash() const override;
  [[nodiscard]] std::string thread_name(ThreadId thread) const override;

 protected:
  [[nodiscard]] World& world() override;
  [[nodiscard]] const World& world() const override;
  void main() override;
  [[nodiscard]] SyncPoints own_points() const override;
  [[nodiscard]] std::string word_name(std::uint64_t offset_bytes) const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace detent::verify::explore
