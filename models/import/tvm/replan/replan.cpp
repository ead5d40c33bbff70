// What re-planning changes: a tensor for each value, scratch of its own for each call, true dependencies as edges.
#include <algorithm>
#include <map>
#include <numeric>

#include "base/input_error.hpp"
#include "models/core/dag.hpp"
#include "models/import/tvm/files/names.hpp"
#include "models/import/tvm/hazards/versions.hpp"
#include "models/import/tvm/model/model_parts.hpp"
#include "models/import/tvm/module/api_text.hpp"
#include "models/import/tvm/module/scratch_layout.hpp"
#include "models/import/tvm/replan/draft.hpp"

namespace detent::models::tvm {
namespace {

using Kind = MemoryObject::Kind;

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

  ReplanDraft draft() {
    ReplanDraft draft;
    lay_out_functions();
    parts_.add_interface();
    add_versions();
    for (std::uint32_t i = 0; i < program_.calls.size(); ++i) {
      add_call(i);
      add_handovers(i, draft.handovers);
    }
    model_.edges = derive_edges(model_);
    add_device_order();
    if (strategy_ == ScratchPlace::kPerLane) place_lanes();
    // As TVM aligns its workspace: the same buffers, the same promise.
    // A constant within a pool lies where TVM put it, at any multiple of the alignment of its own choice.
    for (Tensor& tensor : model_.tensors) {
      const std::uint64_t place = tensor.alias_of == kNone ? 0 : tensor.alias_offset_bytes;
      tensor.align_bytes = static_cast<std::uint32_t>(std::gcd<std::uint64_t>(kReplanAlign, place));
    }
    add_sources();
    for (const auto& [name, layout] : layouts_) add_figures(layout, draft);
    draft.model = std::move(model_);
    return draft;
  }

  /// TVM's places for tensors and for what scratch does not become a local array.
  ReplanDraft keep_places() {
    ReplanDraft draft;
    std::vector<Edit> edits;
    lay_out_functions();
    for (auto& [name, layout] : layouts_) {
      add_figures(layout, draft);
      edits.insert(edits.end(), layout.edits.begin(), layout.edits.end());
    }
    CallAccesses accesses = import_.accesses;
    for (std::uint32_t i = 0; i < accesses.size(); ++i) {
      const auto layout = layouts_.find(program_.calls[i].function);
      if (layout == layouts_.end()) continue;
      std::erase_if(accesses[i], [&](const CallAccess& access) {
        return access.pool_use < layout->second.is_local.size() && layout->second.is_local[access.pool_use];
      });
    }
    const HazardReport hazards = find_hazards(program_, accesses, import_.hazards.name_edges);
    draft.model = model_as_placed(import_, accesses, hazards.hazard_edges, std::move(edits), options_.model);
    return draft;
  }

  [[nodiscard]] std::uint64_t tvm_arena_bytes() const {
    std::uint64_t bytes = most_workspace();
    for (std::uint32_t object = 0; object < program_.objects.size(); ++object) {
      const Kind kind = program_.objects[object].kind;
      if (kind == Kind::kWorkspacePool || kind == Kind::kWorkspace) bytes += parts_.size_of(object);
    }
    return bytes;
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
          is_here ? lay_out_scratch(import_.artifact.operators, *footprint, pools, options_.stack_limit_bytes,
                                    strategy_ == ScratchPlace::kAsImported)
                  : ScratchLayout{.is_opaque = true, .is_local = {}, .edits = {}};
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

  /// Where the operator reads one value before it writes another over it.
  void add_handovers(std::uint32_t i, std::vector<Handover>& handovers) const {
    const FunctionFootprint* footprint = footprint_of(program_.calls[i]);
    if (footprint == nullptr || !footprint->understood) return;
    const std::vector<VersionUse>& uses = versions_.uses[i];
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> most;
    for (std::uint32_t k = 0; k < uses.size(); ++k) {
      for (std::uint32_t m = 0; m < uses.size(); ++m) {
        const bool is_pair = uses[k].version != Versions::kNoVersion && uses[m].version != Versions::kNoVersion &&
                             uses[k].reads && uses[m].writes;
        if (!is_pair) continue;
        const auto found = std::ranges::find_if(footprint->overwrites, [&](const Overwrite& overwrite) {
          return overwrite.read == k && overwrite.written == m;
        });
        // The same value as several arguments: each of them must be read in time.
        const std::int64_t bytes = found != footprint->overwrites.end() ? found->most_displacement : INT64_MIN;
        const auto [known, is_new] = most.try_emplace({tensors_[uses[k].version], tensors_[uses[m].version]}, bytes);
        known->second = std::min(known->second, bytes);
      }
    }
    for (const auto& [pair, bytes] : most) {
      if (bytes != INT64_MIN) handovers.push_back({i, pair.first, pair.second, bytes});
    }
  }

  static void add_figures(const ScratchLayout& layout, ReplanDraft& draft) {
    draft.stack_bytes = std::max(draft.stack_bytes, layout.stack_bytes);
    draft.local_buffers += layout.local_buffers;
    draft.moved_buffers += layout.moved_buffers;
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
    constexpr std::uint64_t kAlign = kReplanAlign;
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

ReplanDraft draft_replan(const Import& import, const ReplanOptions& options, ScratchPlace strategy) {
  Replanner replanner(import, options, strategy);
  return strategy == ScratchPlace::kAsImported ? replanner.keep_places() : replanner.draft();
}

std::uint64_t tvm_arena_bytes(const Import& import, const ReplanOptions& options) {
  return Replanner(import, options, ScratchPlace::kPerCall).tvm_arena_bytes();
}

}  // namespace detent::models::tvm
