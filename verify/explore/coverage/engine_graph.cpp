// Desc -> the same graph on words of 8 bytes -> a sample of its thread schedules.
#include "verify/explore/coverage/engine_graph.hpp"

#include <algorithm>

#include <detent/limits.h>

#include "base/ids.hpp"

namespace detent::verify::explore {
namespace {

constexpr std::uint64_t kWordBytes = 8;
constexpr std::uint32_t kMaxGraphOps = 2000;
constexpr std::uint64_t kMaxOpRuns = 20'000;  // executions times ops of the model's graph
constexpr std::uint32_t kMaxAnswerers = 40;   // threads that answer for async ops, besides the engine's own
constexpr const char* kGraphKernels[] = {"mix", "delay"};
constexpr detent_class kForkClasses[] = {{"cpu", DETENT_CLASS_WORKERS}, {"device", DETENT_CLASS_ASYNC}};

detent_tensor word_of(OpId op) {
  detent_tensor word{};
  word.name = "word";
  word.flags = DETENT_TENSOR_RANGE;
  word.offset_bytes = op * kWordBytes;
  word.size_bytes = word.block_bytes = kWordBytes;
  word.block_count = word.align_bytes = 1;
  word.alias_of = word.live_begin = word.live_end = DETENT_NONE;
  word.dtype = DETENT_U8;
  return word;
}

ThreadOptions sampling_of(const EngineSampleOptions& options, std::uint64_t seed, std::uint64_t executions,
                          const EngineGraph& graph) {
  ThreadOptions threads;
  threads.engine.mode = options.shape.mode;
  threads.engine.scheduler = options.shape.scheduler;
  threads.engine.workers = options.shape.workers;
  threads.search = Search::kRotate;
  threads.seeds.schedule = seed;
  threads.max_executions = executions;
  threads.max_steps = 50'000 + 1000 * graph.desc().op_count;
  threads.async_answers = graph.async_count() <= kMaxAnswerers;
  return threads;
}

/// Ops that back ends answer.
std::uint32_t count_async(const detent_desc& desc) {
  return static_cast<std::uint32_t>(std::count_if(desc.ops, desc.ops + desc.op_count, [&](const detent_op& op) {
    return desc.classes[op.core_class].kind == DETENT_CLASS_ASYNC;
  }));
}

void add_program(const ThreadOptions& threads, const EngineGraph& graph, std::string program, EngineSample& sample) {
  ThreadResult result = explore_threads(graph.desc(), threads);
  const bool has_async = threads.async_answers && graph.async_count() != 0;
  if (result.failure && !sample.failure) {
    sample.failure = std::move(result.verdict);
    sample.failure->property = Property::kEngineSchedules;
    sample.failure->summary = program + ": " + sample.failure->summary;
    sample.replay = replay_threads(graph.desc(), threads, result.failure->choices);
    sample.schedule = std::move(result.failure);
  }
  sample.programs.push_back({std::move(program), has_async, result.complete, result.statistics});
}

}  // namespace

void EngineGraph::give_each_op_a_word() {
  const std::uint32_t count = desc_.op_count;
  std::vector<std::vector<std::uint32_t>> reads(count);
  for (OpId op = 0; op < count; ++op) {
    const detent_slice& next = ops_[op].successors;
    if (ops_[op].kernel != 0) continue;
    for (std::uint32_t i = 0; i < next.count; ++i) reads[desc_.successors[next.first + i]].push_back(op);
  }
  for (OpId op = 0; op < count; ++op) {
    detent_op& row = ops_[op];
    row.weights = row.scratch = row.inputs = row.outputs = {0, 0};
    row.config_offset = row.config_size = 0;
    tensors_.push_back(word_of(op));
    if (row.kernel != 0) continue;
    if (reads[op].size() >= DETENT_MAX_OP_TENSORS) reads[op].resize(DETENT_MAX_OP_TENSORS - 1);
    row.inputs = {static_cast<std::uint32_t>(refs_.size()), static_cast<std::uint32_t>(reads[op].size())};
    refs_.insert(refs_.end(), reads[op].begin(), reads[op].end());
    row.outputs = {static_cast<std::uint32_t>(refs_.size()), 1};
    refs_.push_back(op);
  }
  region_ = {"words", DETENT_REGION_WORKSPACE, std::max<std::uint64_t>(count, 1) * kWordBytes, 64, nullptr};
  desc_.regions = &region_;
  desc_.region_count = 1;
  desc_.tensors = tensors_.data();
  desc_.tensor_count = count;
  desc_.ops = ops_.data();
  desc_.tensor_refs = refs_.data();
  desc_.tensor_ref_count = static_cast<std::uint32_t>(refs_.size());
  desc_.kernels = kGraphKernels;
  desc_.kernel_count = 2;
  desc_.config_bytes = nullptr;
  desc_.inputs = desc_.outputs = nullptr;
  desc_.config_byte_count = desc_.input_count = desc_.output_count = 0;
  desc_.schedules = nullptr;
  desc_.schedule_count = 0;
}

EngineGraph::EngineGraph(const detent_desc& desc) : ops_(desc.ops, desc.ops + desc.op_count), desc_(desc) {
  for (detent_op& op : ops_) {
    op.flags &= DETENT_OP_DELAY;
    op.kernel = op.flags != 0 ? 1 : 0;
  }
  give_each_op_a_word();
}

EngineGraph::EngineGraph(std::uint32_t leaves, std::uint32_t async_leaves) : ops_(leaves + 1) {
  for (OpId op = 0; op <= leaves; ++op) {
    detent_op& row = ops_[op];
    row.name = op == 0 ? "root" : "leaf";
    row.id = op;
    row.core_class = op > leaves - async_leaves ? 1 : 0;
    row.entry_count = op == 0 ? 0 : 1;
    row.commute_group = DETENT_NONE;
    if (op != 0) successors_.push_back(op);
  }
  ops_[0].successors = {0, leaves};
  desc_.name = "fork";
  desc_.op_count = leaves + 1;
  desc_.successors = successors_.data();
  desc_.successor_count = leaves;
  desc_.classes = kForkClasses;
  desc_.class_count = async_leaves == 0 ? 1 : 2;
  give_each_op_a_word();
}

std::uint32_t EngineGraph::async_count() const { return count_async(desc_); }

EngineSample sample_engine(const detent_desc& desc, const EngineSampleOptions& options) {
  EngineSample sample;
  if (options.shape.mode == DETENT_MODE_SERIAL) {
    sample.note = "the serial engine has one schedule of its threads";
    return sample;
  }
  const std::uint64_t executions =
      std::min(options.max_executions, kMaxOpRuns / std::max<std::uint64_t>(1, desc.op_count));
  if (desc.op_count > kMaxGraphOps) {
    sample.note = "more than " + std::to_string(kMaxGraphOps) + " ops: the engine was not explored on this graph";
  } else if (executions != 0) {
    const EngineGraph graph(desc);
    add_program(sampling_of(options, options.seed, executions, graph), graph, "the model's graph", sample);
  }
  const EngineGraph fork(options.shape.workers + 4, count_async(desc) != 0 ? 2 : 0);
  const bool failed_before = sample.failure.has_value();
  // One seed for all: what the fork brings about does not hang on the luck of the draw.
  add_program(sampling_of(options, 1, options.fork_executions, fork), fork,
              "a fork of " + std::to_string(fork.desc().op_count) + " ops", sample);
  sample.failed_on_fork = sample.failure.has_value() && !failed_before;
  return sample;
}

}  // namespace detent::verify::explore
