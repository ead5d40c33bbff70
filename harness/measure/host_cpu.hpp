// Loops that keep one CPU busy in a known way, and threads that run them side by side.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace detent::harness {

/// CPUs that this process may run on, ascending.
std::vector<int> usable_cpus();

/// Run `work(index)` on one thread per entry of `cpus`, each pinned, all starting together.
/// @return  time of the slowest, ps; the least of `rounds`
std::uint64_t time_together(const std::vector<int>& cpus, std::uint32_t rounds,
                            const std::function<void(std::size_t index)>& work);

/// `count` additions, each needing the one before: one per cycle.
void add_in_a_chain(std::uint64_t count);

/// Independent multiply-adds in the widest vectors this processor has. @return  flops done
double multiply_add(std::uint64_t rounds);

}  // namespace detent::harness
