#include "harness/together/run_together.hpp"

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "harness/posix_port.hpp"
#include "harness/together/worker_pool.hpp"

namespace detent::harness {
namespace {

/// A context of the pool, and what it is made of.
struct Member {
  Member(const SharedNetwork& the_network, const detent_port& port, detent_worker_pool* pool)
      : network(the_network),
        policy(network.options.engine.policy, network.options.seeds.schedule, network.options.engine.order),
        instance(*network.desc, port, options_of(network, policy, pool)) {}

  static InstanceOptions options_of(const SharedNetwork& network, const NamedPolicy& policy, detent_worker_pool* pool) {
    InstanceOptions options = instance_options(network.options, policy);
    options.worker_pool = pool;
    options.worker_pool_priority = network.priority;
    return options;
  }

  const SharedNetwork& network;
  NamedPolicy policy;
  Instance instance;
  Run run{};
};

void check_networks(const std::vector<SharedNetwork>& networks) {
  if (networks.empty() || networks.size() > DETENT_MAX_POOL_MEMBERS) {
    throw std::invalid_argument("together: " + std::to_string(networks.size()) + " networks; give 1 to " +
                                std::to_string(DETENT_MAX_POOL_MEMBERS));
  }
  for (const SharedNetwork& network : networks) {
    if (network.options.faults.empty()) continue;
    throw std::invalid_argument("together: faults belong to one network alone; leave them out");
  }
}

std::vector<std::size_t> order_of_ends(const std::vector<Run>& runs) {
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return runs[i].result.end_ps; });
  return order;
}

/// Callers, a thread each, that wait for a round, run once in it, and say that they have.
class Callers {
 public:
  /// @param members  outlive this
  /// @throws std::system_error  the machine has no thread left
  explicit Callers(const std::vector<std::unique_ptr<Member>>& members) {
    try {
      for (const std::unique_ptr<Member>& member : members) {
        threads_.emplace_back([this, &it = *member] { call(it); });
      }
    } catch (...) {
      stop();
      throw;
    }
  }
  /// Between rounds, whatever has happened: none is left waiting.
  ~Callers() { stop(); }
  Callers(const Callers&) = delete;
  Callers& operator=(const Callers&) = delete;

  /// Release all of them at once; return when each has run.
  void run_round() {
    std::unique_lock lock(mutex_);
    running_ = threads_.size();
    ++round_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return running_ == 0; });
  }

 private:
  void stop() {
    const std::lock_guard lock(mutex_);
    stops_ = true;
    changed_.notify_all();
  }
  void call(Member& member) {
    std::unique_lock lock(mutex_);
    for (std::uint64_t next = 1;; ++next) {
      changed_.wait(lock, [&] { return stops_ || round_ == next; });
      if (stops_) return;
      lock.unlock();
      member.run = member.instance.run();
      lock.lock();
      if (--running_ == 0) changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t round_ = 0;
  std::size_t running_ = 0;
  bool stops_ = false;
  std::vector<std::jthread> threads_;  // last: joined before what they use is gone
};

}  // namespace

std::optional<SharedFailure> run_together(
    const std::vector<SharedNetwork>& networks, std::uint64_t rounds,
    const std::function<bool(std::uint64_t number, const Round& round)>& on_round) {
  check_networks(networks);
  const PosixPort posix;
  detent_port port = posix.port();
  set_port(networks[0].options.engine, port);
  const WorkerPool pool(port, networks[0].options.engine.workers, static_cast<std::uint32_t>(networks.size()));
  if (pool.status() != DETENT_OK) return SharedFailure{0, failed_with(pool.status())};
  std::vector<std::unique_ptr<Member>> members;
  for (const SharedNetwork& network : networks) {
    members.push_back(std::make_unique<Member>(network, port, pool.get()));
    if (members.back()->instance.status() != DETENT_OK) {
      return SharedFailure{members.size() - 1, members.back()->instance.error()};
    }
  }
  Callers callers(members);
  for (std::uint64_t number = 0; number < rounds; ++number) {
    for (const std::unique_ptr<Member>& member : members) fill_instance(member->instance, member->network.options);
    callers.run_round();
    Round round;
    for (const std::unique_ptr<Member>& member : members) round.runs.push_back(std::move(member->run));
    round.order = order_of_ends(round.runs);
    for (std::size_t i = 0; i < round.runs.size(); ++i) {
      if (round.runs[i].result.error.status != DETENT_OK) return SharedFailure{i, round.runs[i].result.error};
    }
    if (!on_round(number, round)) break;
  }
  return std::nullopt;
}

}  // namespace detent::harness
