// OpTimer: a back end that wraps every kernel between two readings of the host's clock.
#include "harness/measure/op_timing.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "harness/measure/host_costs.hpp"
#include "harness/posix_port.hpp"
#include "runtime/ports/host_clock.h"
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace detent::harness {
namespace {

constexpr std::size_t kLineBytes = 64;
constexpr std::uint64_t kMaxWalkBytes = std::uint64_t{512} << 20U;
constexpr std::uint64_t kUsualCacheBytes = std::uint64_t{32} << 20U;
constexpr int kClockProbes = 2000;

/// What one pair of readings with nothing between them shows, at the least.
std::uint64_t measure_clock_ps() {
  std::uint64_t least = UINT64_MAX;
  for (int i = 0; i < kClockProbes; ++i) {
    const std::uint64_t begin = host_now_ps();
    least = std::min(least, host_now_ps() - begin);
  }
  return least;
}

#if defined(__x86_64__)
constexpr bool kHasLineFlush = true;
void flush_lines(const void* begin, std::uint64_t bytes) {
  const auto* at = static_cast<const std::uint8_t*>(begin);
  for (std::uint64_t i = 0; i < bytes; i += kLineBytes) _mm_clflush(at + i);
  if (bytes != 0) _mm_clflush(at + bytes - 1);
}
void finish_flush() { _mm_mfence(); }
#else
constexpr bool kHasLineFlush = false;
void flush_lines(const void*, std::uint64_t) {}
void finish_flush() {}
#endif

void flush_buffers(const detent_buffer* buffers, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const detent_tensor& tensor = *buffers[i].tensor;
    for (std::uint32_t b = 0; b < tensor.block_count; ++b) {
      flush_lines(static_cast<const std::uint8_t*>(buffers[i].data) + b * tensor.stride_bytes, tensor.block_bytes);
    }
  }
}

void flush_operands(const detent_kernel_args& args) {
  flush_buffers(args.inputs, args.input_count);
  flush_buffers(args.outputs, args.output_count);
  flush_buffers(args.weights, args.weight_count);
  flush_buffers(args.scratch, args.scratch_count);
  finish_flush();
}

}  // namespace

struct OpTimer::State {
  OpTimerOptions options;
  detent_backend builtin = detent_cpu_backend("*", detent_builtin_kernels());
  PosixPort port{};
  std::vector<std::uint64_t> times_ps;
  std::vector<std::uint8_t> walk;
  std::uint64_t clock_ps = measure_clock_ps();
  std::uint64_t makespan_ps = 0;
  bool cold = false;
  std::unique_ptr<Instance> instance;

  void empty_caches(const detent_kernel_args& args) {
    if (walk.empty()) {
      flush_operands(args);
      return;
    }
    for (std::size_t i = 0; i < walk.size(); i += kLineBytes) walk[i] = static_cast<std::uint8_t>(walk[i] + 1);
  }

  static detent_status resolve(void* self, const char* name, detent_entity* entity) {
    const State& s = *static_cast<const State*>(self);
    for (const detent_backend& backend : s.options.backends) {
      if (backend.resolve(backend.self, name, entity) == DETENT_OK) return DETENT_OK;
    }
    return s.builtin.resolve(s.builtin.self, name, entity);
  }

  static detent_dispatch dispatch(void* self, detent_context* /*context*/, const detent_entity* entity,
                                  std::uint32_t /*worker*/, std::int32_t* code) {
    State& s = *static_cast<State*>(self);
    if (s.cold) s.empty_caches(entity->args);
    const std::uint64_t begin = host_now_ps();
    *code = entity->run(&entity->args);
    const std::uint64_t elapsed = host_now_ps() - begin;
    s.times_ps[entity->args.op] = kernel_time_ps(elapsed, s.clock_ps);
    return DETENT_DISPATCH_DONE;
  }
};

OpTimer::OpTimer(const detent_desc& desc, const OpTimerOptions& options) : state_(new State) {
  for (const detent_backend& backend : options.backends) {
    if (backend.dispatch != nullptr) {
      throw std::invalid_argument("op timing: a back end dispatches by itself; time its ops where they run");
    }
  }
  State& s = *state_;
  s.options = options;
  s.times_ps.resize(desc.op_count);
  if (options.flush == FlushMethod::kWalk || !kHasLineFlush) {
    const std::uint64_t wanted = options.walk_bytes != 0 ? options.walk_bytes : 2 * last_level_cache_bytes();
    s.walk.resize(static_cast<std::size_t>(std::clamp<std::uint64_t>(wanted, kLineBytes, kMaxWalkBytes)));
  }
  InstanceOptions instance;
  instance.trace = false;
  instance.backends.push_back({&s, "*", &State::resolve, &State::dispatch});
  s.instance = std::make_unique<Instance>(desc, s.port.port(), instance);
  if (s.instance->status() != DETENT_OK) throw std::invalid_argument(describe_error(desc, s.instance->error()));
  s.instance->fill(options.seed);
}

OpTimer::~OpTimer() = default;

const std::vector<std::uint64_t>& OpTimer::run(CacheState state) {
  State& s = *state_;
  s.cold = state == CacheState::kCold;
  const detent_result result = s.instance->run_untraced();
  if (result.error.status != DETENT_OK) {
    throw std::invalid_argument(describe_error(s.instance->desc(), result.error));
  }
  s.makespan_ps = result.end_ps - result.begin_ps;
  return s.times_ps;
}

std::uint64_t OpTimer::makespan_ps() const { return state_->makespan_ps; }
std::uint64_t OpTimer::clock_cost_ps() const { return state_->clock_ps; }

std::uint64_t kernel_time_ps(std::uint64_t elapsed_ps, std::uint64_t clock_cost_ps) {
  return std::max(elapsed_ps - std::min(elapsed_ps, clock_cost_ps), kHostTickPs);
}

std::uint64_t last_level_cache_bytes() {
  const std::uint64_t bytes = std::max({host_cache(1).bytes, host_cache(2).bytes, host_cache(3).bytes});
  return bytes > 0 ? bytes : kUsualCacheBytes;
}

std::uint64_t trimmed_mean(std::vector<std::uint64_t> samples_ps) {
  if (samples_ps.empty()) throw std::invalid_argument("mean: no samples; measure at least once");
  std::sort(samples_ps.begin(), samples_ps.end());
  samples_ps.resize(samples_ps.size() - samples_ps.size() / 10);
  double sum = 0;
  for (const std::uint64_t sample : samples_ps) sum += static_cast<double>(sample);
  return static_cast<std::uint64_t>(sum / static_cast<double>(samples_ps.size()));
}

TimeStatistics summarize(std::vector<std::uint64_t> samples_ps, std::size_t quantile_count) {
  if (samples_ps.empty() || quantile_count < 2) {
    throw std::invalid_argument("summarize: needs a sample and two quantiles; measure at least once");
  }
  std::sort(samples_ps.begin(), samples_ps.end());
  const std::size_t count = samples_ps.size();
  const auto rank = [&](std::size_t percent) { return samples_ps[(count * percent + 99) / 100 - 1]; };
  TimeStatistics result{samples_ps.front(), rank(50), rank(99), samples_ps.back(), {}};
  const std::size_t quantiles = std::max<std::size_t>(2, std::min(quantile_count, count));
  for (std::size_t i = 0; i < quantiles; ++i) {
    result.quantiles_ps.push_back(samples_ps[i * (count - 1) / (quantiles - 1)]);
  }
  return result;
}

}  // namespace detent::harness
