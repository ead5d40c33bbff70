#include "harness/together/run_together.hpp"

#include <algorithm>
#include <barrier>
#include <memory>
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
  bool goes_on = rounds != 0;
  std::barrier released(static_cast<std::ptrdiff_t>(networks.size()) + 1);
  std::barrier ended(static_cast<std::ptrdiff_t>(networks.size()) + 1);
  std::vector<std::jthread> callers;
  for (const std::unique_ptr<Member>& member : members) {
    callers.emplace_back([&goes_on, &released, &ended, &it = *member] {
      for (;;) {
        released.arrive_and_wait();
        if (!goes_on) return;
        it.run = it.instance.run();
        ended.arrive_and_wait();
      }
    });
  }
  std::optional<SharedFailure> failure;
  for (std::uint64_t number = 0; goes_on; ++number) {
    for (const std::unique_ptr<Member>& member : members) fill_instance(member->instance, member->network.options);
    released.arrive_and_wait();
    ended.arrive_and_wait();
    Round round;
    for (const std::unique_ptr<Member>& member : members) round.runs.push_back(std::move(member->run));
    round.order = order_of_ends(round.runs);
    for (std::size_t i = 0; i < round.runs.size() && !failure; ++i) {
      if (round.runs[i].result.error.status != DETENT_OK) failure = SharedFailure{i, round.runs[i].result.error};
    }
    goes_on = !failure && on_round(number, round) && number + 1 < rounds;
  }
  released.arrive_and_wait();  // who waits for another round is let go
  return failure;
}

}  // namespace detent::harness
