// Gates at op begin, skipped ops, and hashes of what ops see.
#include "harness/gates.hpp"

#include <xxhash.h>

#include <chrono>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

namespace detent::harness {
namespace {

std::uint64_t hash_buffers(const detent_buffer* buffers, std::uint32_t count) {
  std::uint64_t hash = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const detent_tensor& tensor = *buffers[i].tensor;
    const auto* data = static_cast<const std::uint8_t*>(buffers[i].data);
    for (std::uint32_t block = 0; block < tensor.block_count; ++block) {
      hash = XXH3_64bits_withSeed(data + block * tensor.stride_bytes, tensor.block_bytes, hash);
    }
  }
  return hash;
}

}  // namespace

GatedBackend::GatedBackend(std::vector<detent_backend> inner, std::uint32_t op_count, GateOptions options)
    : inner_(std::move(inner)),
      options_(std::move(options)),
      awaited_(op_count),
      is_awaited_(op_count),
      observations_(op_count),
      has_ended_(op_count) {
  inner_.push_back(detent_cpu_backend("*", detent_builtin_kernels()));
  for (const Gate& gate : options_.gates) {
    if (gate.op >= op_count || gate.after >= op_count || gate.op == gate.after) {
      throw std::invalid_argument("gates: op " + std::to_string(gate.after) + " before op " + std::to_string(gate.op) +
                                  ": name two different ops below " + std::to_string(op_count));
    }
    awaited_[gate.op].push_back(gate.after);
    is_awaited_[gate.after] = true;
  }
}

detent_backend GatedBackend::backend() {
  const auto resolve = [](void* self, const char* name, detent_entity* entity) {
    return static_cast<GatedBackend*>(self)->resolve(name, entity);
  };
  const auto dispatch = [](void* self, detent_context*, const detent_entity* entity, std::uint32_t,
                           std::int32_t* code) {
    *code = static_cast<GatedBackend*>(self)->execute(*entity);
    return DETENT_DISPATCH_DONE;
  };
  return {this, "*", resolve, dispatch};
}

void GatedBackend::arm() {
  has_ended_.assign(has_ended_.size(), false);
  observations_.assign(observations_.size(), {});
  expired_ = false;
}

detent_status GatedBackend::resolve(const char* name, detent_entity* entity) const {
  for (const detent_backend& backend : inner_) {
    if (backend.dispatch == nullptr && backend.resolve(backend.self, name, entity) == DETENT_OK) return DETENT_OK;
  }
  return DETENT_UNKNOWN_KERNEL;
}

std::int32_t GatedBackend::execute(const detent_entity& entity) {
  const detent_kernel_args& args = entity.args;
  std::int32_t code = 0;
  if (!awaited_[args.op].empty()) wait_for_gates(args.op);
  if (options_.skipped.empty() || !options_.skipped[args.op]) {
    Observation seen;
    if (options_.observe) seen.read = hash_buffers(args.inputs, args.input_count);
    code = entity.run(&args);
    if (options_.observe) seen.wrote = hash_buffers(args.outputs, args.output_count);
    observations_[args.op] = seen;
  }
  if (is_awaited_[args.op]) open_gates(args.op);
  return code;
}

void GatedBackend::wait_for_gates(OpId op) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(options_.watchdog_ms);
  std::unique_lock<std::mutex> lock(mutex_);
  for (const std::uint32_t after : awaited_[op]) {
    if (!ended_.wait_until(lock, deadline, [&] { return has_ended_[after]; })) expired_ = true;
  }
}

void GatedBackend::open_gates(OpId op) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    has_ended_[op] = true;
  }
  ended_.notify_all();
}

}  // namespace detent::harness
