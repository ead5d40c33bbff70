#include "models/import/tvm/footprint/memory/findings.hpp"

#include <algorithm>

namespace detent::models::tvm::footprint {
namespace {

constexpr std::uint64_t kMostSteps = 1'000'000;

}  // namespace

void Findings::fail(std::uint32_t line, const std::string& why, Accesses accesses) {
  result_->hides_accesses = result_->hides_accesses || accesses == Accesses::kMayBeHidden;
  if (!result_->understood) return;
  result_->understood = false;
  result_->why = why;
  if (line != 0) result_->line = line;
  result_->file = scope_.frame().function->file;
}

/// Something that outlives the call: whoever else uses it must not come before this call on one run and after it on
/// another.
void Findings::use_state(std::uint32_t line, const std::string& name) {
  if (!result_->state.empty()) return;
  result_->state = name;
  result_->state_line = line;
  result_->state_file = scope_.frame().function->file;
}

void Findings::use_thread_local(std::uint32_t line, const std::string& name) {
  result_->is_per_thread = true;
  fail(line, "a variable of which each thread has its own: " + name, Accesses::kAllSeen);
}

void Findings::count_flops(std::uint64_t operations) {
  std::uint64_t more = 0;
  if (__builtin_mul_overflow(operations, trips_, &more) ||
      __builtin_add_overflow(result_->flops, more, &result_->flops)) {
    result_->flops = UINT64_MAX;
  }
}

bool Findings::spend(std::uint32_t line) {
  if (result_->understood && line != 0) result_->line = line;
  if (++steps_ <= kMostSteps) return true;
  fail(line, "too much text to analyse");
  return false;
}

bool Findings::need_argument(std::uint32_t index) {
  constexpr std::uint32_t kMostArguments = 4096;
  if (index >= kMostArguments) {
    fail(0, "an argument number beyond any function's");
    return false;
  }
  if (result_->params.size() > index) return true;
  result_->params.resize(index + 1);
  result_->param_names.resize(index + 1);
  result_->param_elements.resize(index + 1);
  return true;
}

void Findings::note_far_access() { far_line_ = std::max(result_->line, 1U); }

void Findings::check_far_accesses() {
  if (numbers_addresses_ && far_line_ != 0) fail(far_line_, "an index that may be the distance of two buffers");
}

std::uint64_t Findings::enter_trips(std::uint64_t trips) {
  const std::uint64_t before = trips_;
  if (__builtin_mul_overflow(trips_, trips, &trips_)) trips_ = UINT64_MAX;
  return before;
}

void Findings::take_stack(std::uint64_t bytes) {
  stack_bytes_ += bytes;
  result_->stack_bytes = std::max(result_->stack_bytes, stack_bytes_);
}

void Findings::take_workspace(std::uint64_t bytes) {
  workspace_bytes_ += bytes;
  result_->workspace_bytes = std::max(result_->workspace_bytes, workspace_bytes_);
}

void Findings::release_workspace(std::uint64_t bytes) { workspace_bytes_ -= std::min(workspace_bytes_, bytes); }

}  // namespace detent::models::tvm::footprint
