// Thread-level exploration: ns per switch of a fibre, schedules per second on a bounded queue of three threads, and the
// executions of its full searches. Of the real engine: exhaust_threads.cpp.
//
// Figures are processor time of this thread.
#include <time.h>

#include <array>
#include <cinttypes>

#include "bench/options.hpp"
#include "verify/explore/threads/search/bounded.hpp"
#include "verify/explore/threads/search/dpor.hpp"
#include "verify/explore/threads/search/sampling.hpp"
#include "verify/explore/threads/world/virtual_threads.hpp"

namespace detent::bench {
namespace {

namespace ex = verify::explore;

double seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

template <typename F>
double switch_ns(std::uint32_t rounds) {
  struct Pair {
    F host, fibre;
  } pair;
  ex::StackPool pool;
  pair.host.adopt_host();
  pair.fibre.prepare(
      pool.take(),
      [](void* arg) {
        Pair& it = *static_cast<Pair*>(arg);
        while (true) switch_to(it.fibre, it.host);
      },
      &pair);
  const double begin = seconds_now();
  for (std::uint32_t i = 0; i < rounds; ++i) switch_to(pair.host, pair.fibre);
  return (seconds_now() - begin) * 1e9 / (2.0 * rounds);
}

/// A bounded queue by hand: one lock, two conditions. Two producers put one item each, the main thread takes both;
/// there is room for one.
class BoundedQueue {
 public:
  ex::VirtualThreads threads;
  ex::History history{3};
  std::uint64_t failures = 0;

  ex::End run(ex::Strategy& strategy, bool with_history) {
    mutex_ = {};
    not_full_ = not_empty_ = {};
    count_ = 0;
    return threads.run(
        strategy, [](void* self) { static_cast<BoundedQueue*>(self)->main(); }, this,
        with_history ? &history : nullptr);
  }

 private:
  void put(std::uint32_t item) {
    threads.lock(mutex_);
    while (count_ == kRoom) threads.wait(not_full_, mutex_);
    items_[count_++] = item;
    threads.signal(not_empty_, mutex_);
    threads.unlock(mutex_);
  }
  std::uint32_t take() {
    threads.lock(mutex_);
    while (count_ == 0) threads.wait(not_empty_, mutex_);
    const std::uint32_t item = items_[--count_];
    threads.signal(not_full_, mutex_);
    threads.unlock(mutex_);
    return item;
  }
  void main() {
    threads.start(
        1, [](void* self) { static_cast<BoundedQueue*>(self)->put(1); }, this);
    threads.start(
        2, [](void* self) { static_cast<BoundedQueue*>(self)->put(2); }, this);
    const std::uint32_t first = take();
    if (first + take() != 3) ++failures;
  }

  static constexpr std::uint32_t kRoom = 1;
  ex::FibreMutex mutex_;
  ex::FibreCondition not_full_, not_empty_;
  std::uint32_t count_ = 0;
  std::array<std::uint32_t, kRoom> items_{};
};

struct QueueFigures {
  double per_second;
  std::uint64_t executions;
  double mean_steps;
};

QueueFigures sample_queue(std::uint64_t executions) {
  BoundedQueue queue;
  ex::RandomWalk walk(1, executions);
  std::uint64_t steps = 0;
  const double begin = seconds_now();
  do {
    if (queue.run(walk, false) != ex::End::kDone) ++queue.failures;
    steps += queue.threads.execution().steps();
  } while (walk.end_execution());
  const double seconds = seconds_now() - begin;
  if (queue.failures != 0) std::printf("the queue failed %" PRIu64 " times\n", queue.failures);
  return {static_cast<double>(executions) / seconds, executions,
          static_cast<double>(steps) / static_cast<double>(executions)};
}

/// `repeats` full searches; the figures are of one.
template <typename Search>
QueueFigures search_queue(const Search& fresh, bool with_history, std::uint32_t repeats) {
  BoundedQueue queue;
  std::uint64_t executions = 0;
  std::uint64_t steps = 0;
  const double begin = seconds_now();
  for (std::uint32_t i = 0; i < repeats; ++i) {
    Search search = fresh;
    do {
      const ex::End end = queue.run(search, with_history);
      if (end != ex::End::kDone && end != ex::End::kStopped) ++queue.failures;
      ++executions;
      steps += queue.threads.execution().steps();
    } while (search.end_execution());
  }
  if (queue.failures != 0) std::printf("the queue failed %" PRIu64 " times\n", queue.failures);
  return {static_cast<double>(executions) / (seconds_now() - begin), executions / repeats,
          static_cast<double>(steps) / static_cast<double>(executions)};
}

void report_queue(const char* name, const QueueFigures& figures, std::FILE* json) {
  std::printf("bounded queue, 3 threads: %-22s %9" PRIu64 " executions, %5.1f steps each, %6.2f M/s\n", name,
              figures.executions, figures.mean_steps, figures.per_second * 1e-6);
  std::fflush(stdout);
  if (json == nullptr) return;
  std::fprintf(json, ",\n {\"queue\": \"%s\", \"executions\": %" PRIu64 ", \"per_second\": %.0f, \"steps\": %.2f}",
               name, figures.executions, figures.per_second, figures.mean_steps);
}

void run_all(const Options& options, std::FILE* json) {
  const std::uint32_t rounds = options.quick ? 100'000 : 20'000'000;
  const double fast = switch_ns<ex::Fibre>(rounds);
  const double portable = switch_ns<ex::PortableFibre>(rounds / 20);
  std::printf("switch %.1f ns, by ucontext %.0f ns\n", fast, portable);
  if (json != nullptr) std::fprintf(json, "[{\"switch_ns\": %.2f, \"ucontext_ns\": %.1f}", fast, portable);
  report_queue("random schedules", sample_queue(options.quick ? 10'000 : 4'000'000), json);
  report_queue("full search, reduced", search_queue(ex::DporSearch(), true, options.quick ? 100 : 20'000), json);
  report_queue("full search, plain", search_queue(ex::BoundedSearch(UINT32_MAX), false, options.quick ? 10 : 20'000),
               json);
  if (json != nullptr) std::fprintf(json, "]\n");
}

}  // namespace
}  // namespace detent::bench

int main(int argc, char** argv) {
  const auto options = detent::bench::read_options(argc, argv, "bench_explore_threads");
  if (!options) return 2;
  std::FILE* const json = options->json.empty() ? nullptr : std::fopen(options->json.c_str(), "w");
  detent::bench::run_all(*options, json);
  if (json != nullptr) std::fclose(json);
  return 0;
}
