#include "properties/faulty_kernels.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <cstring>

namespace detent::laws {
namespace {

FaultyKernels* current = nullptr;

}  // namespace

FaultyKernels::FaultyKernels(std::uint32_t faulty_op, std::int32_t code) : faulty_op_(faulty_op), code_(code) {
  current = this;
}

FaultyKernels::~FaultyKernels() { current = nullptr; }

detent_backend FaultyKernels::backend() {
  const auto resolve = [](void* self, const char* name, detent_entity* entity) {
    auto& kernels = *static_cast<FaultyKernels*>(self);
    const detent_backend builtin = detent_cpu_backend("*", detent_builtin_kernels());
    const detent_status status = builtin.resolve(builtin.self, name, entity);
    if (status != DETENT_OK) return status;
    (std::strcmp(name, "delay") == 0 ? kernels.delay_ : kernels.mix_) = entity->run;
    entity->run = &FaultyKernels::run;
    return DETENT_OK;
  };
  return {this, "*", resolve, nullptr};
}

std::int32_t FaultyKernels::run(const detent_kernel_args* args) {
  FaultyKernels& self = *current;
  self.executed_.push_back(args->op);
  const bool is_delay = args->output_count + args->input_count + args->config_size == 0;
  const detent_kernel_fn kernel = is_delay ? self.delay_ : self.mix_;
  if (args->op != self.faulty_op_) return kernel(args);
  if (self.act_ == nullptr) return self.code_;
  self.act_(self.act_self_);
  return kernel(args);
}

void assert_prefix_of_an_order(const detent_desc& desc, const std::vector<std::uint32_t>& executed) {
  std::vector<bool> done(desc.op_count);
  std::vector<std::uint32_t> waits(desc.op_count);
  for (std::uint32_t op = 0; op < desc.op_count; ++op) waits[op] = desc.ops[op].entry_count;
  for (const std::uint32_t op : executed) {
    RC_ASSERT(!done[op]);
    RC_ASSERT(waits[op] == 0U);
    done[op] = true;
    const detent_slice next = desc.ops[op].successors;
    for (std::uint32_t k = next.first; k < next.first + next.count; ++k) --waits[desc.successors[k]];
  }
}

void assert_stopped_after_fault(const detent_desc& desc, const std::vector<std::uint32_t>& executed,
                                std::uint32_t faulty_op) {
  assert_prefix_of_an_order(desc, executed);
  RC_ASSERT(std::count(executed.begin(), executed.end(), faulty_op) == 1);
  const detent_slice next = desc.ops[faulty_op].successors;
  for (std::uint32_t k = next.first; k < next.first + next.count; ++k) {
    RC_ASSERT(std::find(executed.begin(), executed.end(), desc.successors[k]) == executed.end());
  }
}

}  // namespace detent::laws
