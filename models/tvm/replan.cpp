// Re-planning: a tensor for each value, scratch of its own for each call, and the plan that leaves all parallelism.
#include <algorithm>
#include <map>
#include <numeric>

#include "models/dag.hpp"
#include "models/input_error.hpp"
#include "models/memory_plan.hpp"
#include "models/tvm/api_text.hpp"
#include "models/tvm/import.hpp"
#include "models/tvm/model_parts.hpp"
#include "models/tvm/names.hpp"
#include "models/tvm/scratch_layout.hpp"
#include "models/tvm/versions.hpp"

namespace detent::models::tvm {
namespace {

using Kind = MemoryObject::Kind;

constexpr std::uint32_t kWorkspaceAlign = 16;

class Replanner {
 public:
  Replanner(const Import& import, const ReplanOptions& options, ScratchPlace strategy)
      : import_(import),
        program_(import.program),
        options_(options),
        strategy_(strategy),
        versions_(find_versions(import.program, import.accesses)),
        parts_(import, model_),
        text_(import.artifact, import.program, import.footprints) {
    model_.name = import.artifact.module_name;
    model_.compile_flags = options.model.compile_flags;
  }

  Replan plan() {
    lay_out_functions();
    parts_.add_interface();
    add_versions();
    for (std::uint32_t i = 0; i < program_.calls.size(); ++i) add_call(i);
    model_.edges = derive_edges(model_);
    add_device_order();
    if (strategy_ == ScratchPlace::kPerLane) place_lanes();
    // As TVM aligns its workspace: the same buffers, the same promise.
    // A constant within a pool lies where TVM put it, at any multiple of the alignment of its own choice.
    for (Tensor& tensor : model_.tensors) {
      const std::uint64_t place = tensor.alias_of == kNone ? 0 : tensor.alias_offset_bytes;
      tensor.align_bytes = static_cast<std::uint32_t>(std::gcd<std::uint64_t>(kWorkspaceAlign, place));
    }
    const MemoryPlan plan = plan_memory(model_, {.align_bytes = kWorkspaceAlign});
    add_sources();
    Replan result;
    result.strategy = strategy_;
    result.lower_bound_bytes = plan.lower_bound_bytes;
    (strategy_ == ScratchPlace::kPerCall ? result.per_call_arena_bytes : result.per_lane_arena_bytes) =
        plan.arena_bytes;
    for (const auto& [name, layout] : layouts_) {
      result.stack_bytes = std::max(result.stack_bytes, layout.stack_bytes);
      result.local_buffers += layout.local_buffers;
      result.moved_buffers += layout.moved_buffers;
    }
    for (std::uint32_t object = 0; object < program_.objects.size(); ++object) {
      const Kind kind = program_.objects[object].kind;
      if (kind == Kind::kWorkspacePool || kind == Kind::kWorkspace) result.tvm_arena_bytes += parts_.size_of(object);
    }
    result.tvm_arena_bytes += most_workspace();
    result.model = std::move(model_);
    return result;
  }

 private:
  [[nodiscard]] const FunctionFootprint* footprint_of(const Call& call) const {
    const auto found = import_.footprints.find(call.function);
    return found != import_.footprints.end() ? &found->second : nullptr;
  }
  [[nodiscard]] std::uint64_t workspace_of(const Call& call) const { return text_.workspace_of(call.function); }
  [[nodiscard]] std::uint64_t most_workspace() const {
    std::uint64_t most = 0;
    for (const Call& call : program_.calls) most = std::max(most, workspace_of(call));
    return most;
  }

  [[nodiscard]] bool is_scratch_pool(const Argument& argument) const {
    return argument.kind == Argument::Kind::kPool && program_.objects[argument.index].kind == Kind::kWorkspacePool;
  }

  void lay_out_functions() {
    for (const Call& call : program_.calls) {
      const FunctionFootprint* footprint = footprint_of(call);
      if (footprint == nullptr || layouts_.contains(call.function)) continue;
      std::vector<bool> pools;
      for (const Argument& argument : call.arguments) pools.push_back(is_scratch_pool(argument));
      const bool is_here = import_.artifact.operators.find(call.function) != nullptr;
      layouts_[call.function] =
          is_here ? lay_out_scratch(import_.artifact.operators, *footprint, pools, options_.stack_limit_bytes)
                  : ScratchLayout{.is_opaque = true, .edits = {}};
    }
  }

  void add_versions() {
    for (const Version& version : versions_.versions) {
      const bool is_interface = parts_.whole(version.object) != kNone;
      if (is_interface && version.is_last) {
        tensors_.push_back(parts_.whole(version.object));
      } else {
        tensors_.push_back(
            parts_.add_bytes(version.name, TensorRole::kActivation, std::max<std::uint64_t>(version.size_bytes, 1)));
      }
    }
  }

  static std::uint32_t add_once(std::vector<std::uint32_t>& list, std::uint32_t tensor) {
    const auto found = std::find(list.begin(), list.end(), tensor);
    if (found != list.end()) return static_cast<std::uint32_t>(found - list.begin());
    list.push_back(tensor);
    return static_cast<std::uint32_t>(list.size() - 1);
  }

  ThunkArgument scratch(Op& op, const std::string& name, std::uint64_t bytes) {
    op.scratch.push_back(parts_.add_bytes(name, TensorRole::kScratch, bytes));
    return {.list = ThunkArgument::kScratch, .index = static_cast<std::uint32_t>(op.scratch.size() - 1)};
  }

  ThunkArgument buffer_argument(Op& op, const Call& call, std::uint32_t k, const VersionUse& use) {
    const Kind kind = program_.objects[program_.buffers[call.arguments[k].index].object].kind;
    if (kind == Kind::kConstPool || kind == Kind::kConstant) return parts_.constant_buffer(op, call, k);
    if (use.version == Versions::kNoVersion) return {};
    const std::uint32_t tensor = tensors_[use.version];
    ThunkArgument result;
    if (use.reads) result = {.list = ThunkArgument::kInputs, .index = add_once(op.inputs, tensor)};
    if (use.writes) result = {.list = ThunkArgument::kOutputs, .index = add_once(op.outputs, tensor)};
    op.in_place = op.in_place || (use.reads && use.writes);
    return result;
  }

  ThunkArgument pool_argument(Op& op, const Call& call, std::uint32_t k, ThunkArgument& block) {
    const Argument& argument = call.arguments[k];
    if (!is_scratch_pool(argument)) return parts_.constant_pool(op, call, k);
    const ScratchLayout& layout = layouts_[call.function];
    if (layout.is_opaque)
      return scratch(op, op.name + "." + program_.objects[argument.index].name, parts_.size_of(argument.index));
    if (layout.block_bytes == 0) return {};
    if (block.list == ThunkArgument::kNull) block = scratch(op, op.name + ".scratch", layout.block_bytes);
    return block;
  }

  void add_call(std::uint32_t i) {
    const Call& call = program_.calls[i];
    Op op;
    op.name = operator_name(call.function, import_.artifact.module_name);
    op.core_class = call.device == UINT32_MAX ? "cpu" : "npu";
    std::vector<ThunkArgument> arguments;
    ThunkArgument block;
    for (std::uint32_t k = 0; k < call.arguments.size(); ++k) {
      const Argument& argument = call.arguments[k];
      switch (argument.kind) {
        case Argument::Kind::kBuffer:
          arguments.push_back(buffer_argument(op, call, k, versions_.uses[i][k]));
          break;
        case Argument::Kind::kPool:
          arguments.push_back(pool_argument(op, call, k, block));
          break;
        case Argument::Kind::kDevice:
        case Argument::Kind::kNull:
          arguments.emplace_back();
          break;
      }
    }
    const std::uint64_t workspace = workspace_of(call);
    if (workspace > 0) arguments.push_back(scratch(op, op.name + ".workspace", workspace));
    op.kernel = has_unknown_end(import_.accesses[i]) ? text_.without_kernel(call) : text_.kernel_of(call, workspace);
    op.config = thunk_config(arguments);
    op.footprint = text_footprint(import_, call);
    if (const FunctionFootprint* footprint = footprint_of(call)) op.flops = footprint->flops;
    model_.ops.push_back(std::move(op));
  }

  /// Calls that share a device, or may share hidden state, keep their order.
  void add_device_order() {
    std::map<std::uint32_t, std::uint32_t> last;
    for (std::uint32_t i = 0; i < program_.calls.size(); ++i) {
      if (program_.calls[i].device != UINT32_MAX) add_order(last, program_.calls[i].device, i);
    }
    std::map<std::uint32_t, std::uint32_t> last_with_state;
    for (const std::uint32_t call : calls_with_state(program_, import_.footprints)) add_order(last_with_state, 0, call);
    std::sort(model_.edges.begin(), model_.edges.end(),
              [](const Edge& a, const Edge& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
  }

  void add_order(std::map<std::uint32_t, std::uint32_t>& last, std::uint32_t resource, std::uint32_t call) {
    if (const auto found = last.find(resource); found != last.end()) {
      const Edge edge{.from = found->second, .to = call};
      if (std::find(model_.edges.begin(), model_.edges.end(), edge) == model_.edges.end()) model_.edges.push_back(edge);
    }
    last[resource] = call;
  }

  /// All scratch of an op in one block of the lane that it gets: lanes go round over the ops that have scratch.
  void place_lanes() {
    constexpr std::uint64_t kAlign = kWorkspaceAlign;
    std::uint64_t largest = 0;
    for (Op& op : model_.ops) {
      std::uint64_t end = 0;
      for (const std::uint32_t id : op.scratch) {
        Tensor& tensor = model_.tensors[id];
        tensor.role = TensorRole::kRange;
        tensor.dims.clear();
        tensor.offset_bytes = end;
        end += (tensor.size_bytes + kAlign - 1) / kAlign * kAlign;
      }
      largest = std::max(largest, end);
    }
    if (largest == 0) return;
    const std::uint32_t region = parts_.add_region("scratch", DETENT_REGION_WORKSPACE, largest * options_.workers);
    std::uint32_t next = 0;
    for (Op& op : model_.ops) {
      if (op.scratch.empty()) continue;
      const std::uint32_t lane = next++ % options_.workers;
      for (const std::uint32_t id : op.scratch) {
        model_.tensors[id].region = region;
        model_.tensors[id].offset_bytes += lane * largest;
      }
      op.mutexes.push_back("scratch" + std::to_string(lane));
      op.commutes = op.mutexes.back();
    }
  }

  void add_sources() {
    std::vector<Edit> edits;
    for (auto& [name, layout] : layouts_) edits.insert(edits.end(), layout.edits.begin(), layout.edits.end());
    edits.push_back(without_main(import_.artifact));
    model_.sources = text_.sources(std::move(edits));
    for (SourceFile& file : api_sources(import_.artifact, program_, parts_.sizes()))
      model_.sources.push_back(std::move(file));
  }

  const Import& import_;
  const Program& program_;
  const ReplanOptions& options_;
  ScratchPlace strategy_;
  Versions versions_;
  Model model_;
  ModelParts parts_;
  ModuleText text_;
  std::map<std::string, ScratchLayout> layouts_;
  std::vector<std::uint32_t> tensors_;  ///< by version
};

}  // namespace

Replan replan_parallel(const Import& import, const ReplanOptions& options) {
  Replan per_call = Replanner(import, options, ScratchPlace::kPerCall).plan();
  Replan per_lane = Replanner(import, options, ScratchPlace::kPerLane).plan();
  per_call.per_lane_arena_bytes = per_lane.per_lane_arena_bytes;
  per_lane.per_call_arena_bytes = per_call.per_call_arena_bytes;
  return per_lane.per_lane_arena_bytes < per_call.per_call_arena_bytes ? std::move(per_lane) : std::move(per_call);
}

}  // namespace detent::models::tvm
