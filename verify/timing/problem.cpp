// Desc + values -> TimingProblem.
#include "verify/timing/problem.hpp"

#include <stdexcept>
#include <string>

#include "base/ids.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify {
namespace {

void require(bool fact, const std::string& what) {
  if (!fact) throw std::invalid_argument("timing problem: " + what);
}

/// The message is made where it is needed.
void require_of_op(bool fact, const detent_desc& desc, OpId op, const char* what) {
  if (!fact) require(false, op_name(desc, op) + what);
}

std::uint64_t add_saturated(std::uint64_t a, std::uint64_t b) { return a > kUnknownPs - b ? kUnknownPs : a + b; }

bool is_async(const detent_desc& desc, std::uint32_t core_class) {
  return desc.classes[core_class].kind == DETENT_CLASS_ASYNC;
}

TimedOp time_op(const detent_desc& desc, const TimingInputs& inputs, OpId op) {
  const auto pick = [&](const std::vector<std::uint64_t>& given, std::uint64_t detent_op_cost::*field) {
    if (!given.empty()) return given[op];
    return desc.costs != nullptr ? desc.costs[op].*field : kUnknownPs;
  };
  const std::uint64_t overhead = inputs.overhead_ps.empty() ? 0 : inputs.overhead_ps[op];
  TimedOp timed;
  timed.best_ps = pick(inputs.best_ps, &detent_op_cost::best_ps);
  timed.worst_ps = add_saturated(pick(inputs.worst_ps, &detent_op_cost::worst_ps), overhead);
  timed.role_ps = inputs.role_ps.empty() ? 0 : inputs.role_ps[op];
  timed.core_class = desc.ops[op].core_class;
  require_of_op(timed.core_class < desc.class_count, desc, op, " has a class that does not exist");
  if (inputs.one_pool && !is_async(desc, timed.core_class)) timed.core_class = 0;
  return timed;
}

void add_edges(const detent_desc& desc, TimingProblem& problem) {
  problem.first.reserve(std::size_t{desc.op_count} + 1);
  problem.targets.reserve(desc.successor_count);
  problem.first.push_back(0);
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_slice& slice = desc.ops[op].successors;
    require_of_op(slice.first <= desc.successor_count && slice.count <= desc.successor_count - slice.first, desc, op,
                  ": its successors lie outside their table");
    problem.targets.insert(problem.targets.end(), desc.successors + slice.first,
                           desc.successors + slice.first + slice.count);
    problem.first.push_back(static_cast<std::uint32_t>(problem.targets.size()));
  }
}

void add_mutexes(const detent_desc& desc, TimingProblem& problem) {
  problem.exclusive.resize(desc.mutex_count);
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_slice& slice = desc.ops[op].mutexes;
    for (std::uint32_t k = 0; k < slice.count; ++k) {
      const std::uint32_t mutex = desc.mutex_refs[slice.first + k];
      require_of_op(mutex < desc.mutex_count, desc, op, " names a mutex that does not exist");
      problem.exclusive[mutex].push_back(op);
    }
  }
}

}  // namespace

TimingProblem make_timing_problem(const detent_desc& desc, const TimingInputs& inputs) {
  for (const auto* times : {&inputs.best_ps, &inputs.worst_ps, &inputs.overhead_ps, &inputs.role_ps}) {
    require(times->empty() || times->size() == desc.op_count, "one time per op");
  }
  require(inputs.cores.size() == desc.class_count || (inputs.one_pool && inputs.cores.size() == 1),
          "a number of cores for each class");
  require(inputs.queue_depth.empty() || inputs.queue_depth.size() == desc.class_count, "a queue depth for each class");
  TimingProblem problem;
  problem.queue_depth = inputs.one_pool ? std::vector<std::uint32_t>{} : inputs.queue_depth;
  problem.fixed_ps = inputs.fixed_ps;
  problem.cores = inputs.cores;
  problem.cores.resize(desc.class_count, 0);
  for (std::uint32_t c = 0; c < desc.class_count; ++c) {
    if (is_async(desc, c)) problem.cores[c] = 0;
  }
  problem.ops.reserve(desc.op_count);
  for (OpId op = 0; op < desc.op_count; ++op) {
    problem.ops.push_back(time_op(desc, inputs, op));
    const std::uint32_t core_class = problem.ops.back().core_class;
    require_of_op(is_async(desc, core_class) || problem.cores[core_class] > 0, desc, op,
                  " needs a core of a class without cores; add one");
  }
  add_edges(desc, problem);
  add_mutexes(desc, problem);
  return problem;
}

}  // namespace detent::verify
