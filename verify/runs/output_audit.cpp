// A wrapping back end that records a digest per op.
#include "verify/runs/output_audit.hpp"

#include <cstring>

#include "verify/graph/order.hpp"

namespace detent::verify {
namespace {

constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15ULL;

std::uint64_t absorb(std::uint64_t state, std::uint64_t word) {
  state = (state ^ word) * kMultiplier;
  return state ^ (state >> 29U);
}

std::uint64_t hash_bytes(std::uint64_t state, const std::uint8_t* bytes, std::uint64_t count) {
  std::uint64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + i, sizeof word);
    state = absorb(state, word);
  }
  for (; i < count; ++i) state = absorb(state, bytes[i]);
  return state;
}

/// Never 0, which means "not recorded".
std::uint64_t hash_outputs(const detent_kernel_args& args) {
  std::uint64_t state = kMultiplier;
  for (std::uint32_t i = 0; i < args.output_count; ++i) {
    const detent_tensor& tensor = *args.outputs[i].tensor;
    const auto* bytes = static_cast<const std::uint8_t*>(args.outputs[i].data);
    for (std::uint32_t block = 0; block < tensor.block_count; ++block) {
      state = hash_bytes(state, bytes + block * tensor.stride_bytes, tensor.block_bytes);
    }
  }
  return state | 1U;
}

bool serves(const detent_backend& backend, const char* class_name) {
  return std::strcmp(backend.class_name, "*") == 0 || std::strcmp(backend.class_name, class_name) == 0;
}

}  // namespace

OutputAudit::OutputAudit(const detent_desc& desc, std::vector<detent_backend> inner)
    : desc_(desc), inner_(std::move(inner)), backend_of_(desc.op_count, nullptr), digests_(desc.op_count, 0) {
  inner_.push_back(detent_cpu_backend("*", detent_builtin_kernels()));
}

detent_backend OutputAudit::backend() {
  detent_backend wrapper{};
  wrapper.self = this;
  wrapper.class_name = "*";
  wrapper.resolve = resolve;
  wrapper.dispatch = dispatch;
  return wrapper;
}

detent_status OutputAudit::resolve(void* self, const char* name, detent_entity* entity) {
  auto& audit = *static_cast<OutputAudit*>(self);
  const detent_op& op = audit.desc_.ops[entity->args.op];
  const char* const class_name = audit.desc_.classes[op.core_class].name;
  for (const detent_backend& backend : audit.inner_) {
    if (!serves(backend, class_name)) continue;
    const detent_status status = backend.resolve(backend.self, name, entity);
    if (status == DETENT_UNKNOWN_KERNEL) continue;
    audit.backend_of_[op.id] = &backend;
    return status;
  }
  return DETENT_UNKNOWN_KERNEL;
}

detent_dispatch OutputAudit::dispatch(void* self, detent_context* context, const detent_entity* entity,
                                      std::uint32_t worker, std::int32_t* code) {
  auto& audit = *static_cast<OutputAudit*>(self);
  const detent_backend& backend = *audit.backend_of_[entity->args.op];
  detent_dispatch outcome = DETENT_DISPATCH_DONE;
  if (backend.dispatch != nullptr) {
    outcome = backend.dispatch(backend.self, context, entity, worker, code);
  } else {
    *code = entity->run(&entity->args);
  }
  if (outcome == DETENT_DISPATCH_DONE) audit.digests_[entity->args.op] = hash_outputs(entity->args);
  return outcome;
}

std::uint32_t find_first_difference(const detent_desc& desc, const std::vector<std::uint64_t>& a,
                                    const std::vector<std::uint64_t>& b) {
  const Order order(desc);
  for (const OpId op : order.ops()) {
    if (a[op] != 0 && b[op] != 0 && a[op] != b[op]) return op;
  }
  return DETENT_NONE;
}

}  // namespace detent::verify
