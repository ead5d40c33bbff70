#include "base/interrupt.hpp"

#include <atomic>

namespace detent {
namespace {

// A signal is the process's: there is one flag.
std::atomic<bool> is_stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

}  // namespace

void request_stop() { is_stop_requested.store(true, std::memory_order_relaxed); }

bool stop_requested() { return is_stop_requested.load(std::memory_order_relaxed); }

}  // namespace detent
