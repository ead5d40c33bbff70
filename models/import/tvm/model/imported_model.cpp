// The artifact as it is, and its own main as one op.
#include <algorithm>
#include <set>

#include "base/input_error.hpp"
#include "models/import/tvm/files/names.hpp"
#include "models/import/tvm/model/import.hpp"
#include "models/import/tvm/model/model_parts.hpp"
#include "models/import/tvm/module/api_text.hpp"
#include "models/plan/memory_plan.hpp"

namespace detent::models::tvm {
namespace {

using Kind = MemoryObject::Kind;

constexpr std::size_t kMostIntervals = 256;  ///< of one access in a package

/// Builds the ops of an imported model.
class ImportedOps {
 public:
  ImportedOps(const Import& import, const CallAccesses& accesses, Model& model)
      : import_(import),
        accesses_(accesses),
        program_(import.program),
        model_(model),
        parts_(import, model),
        text_(import.artifact, import.program, import.footprints) {
    parts_.add_interface();
    regions_.assign(program_.objects.size(), kNone);
    for (std::uint32_t object = 0; object < program_.objects.size(); ++object) {
      const MemoryObject& memory = program_.objects[object];
      if (memory.kind == Kind::kWorkspacePool || memory.kind == Kind::kWorkspace || memory.kind == Kind::kState) {
        regions_[object] = parts_.add_region(memory.name, DETENT_REGION_WORKSPACE, parts_.size_of(object));
      }
    }
  }

  void add_calls(std::vector<Edit> edits) {
    for (std::uint32_t i = 0; i < program_.calls.size(); ++i) add_call(i);
    // A main that prints stays out: nothing calls it here, and printf is no access that an audit sees.
    if (program_.prints) edits.push_back(without_main(import_.artifact));
    model_.sources = text_.sources(std::move(edits));
    for (SourceFile& file : api_sources(import_.artifact, program_, parts_.sizes()))
      model_.sources.push_back(std::move(file));
  }

  [[nodiscard]] std::vector<ObjectPlace> places() const {
    std::vector<ObjectPlace> places;
    for (std::uint32_t object = 0; object < regions_.size(); ++object) {
      places.push_back({.region = regions_[object], .tensor = parts_.whole(object)});
    }
    return places;
  }

  /// One op: main itself. False when main does not compile.
  bool add_main() {
    if (!text_.is_defined(import_.artifact.main_symbol)) return false;
    if (std::any_of(accesses_.begin(), accesses_.end(), has_unknown_end)) return false;
    Call call{.function = import_.artifact.main_symbol, .arguments = {}, .before = {}, .after = {}};
    Op op;
    op.name = "main";
    std::vector<ThunkArgument> arguments;
    std::uint64_t workspace = 0;
    for (const MainParameter& parameter : program_.parameters) {
      if (parameter.kind == MainParameter::Kind::kDevice) {
        call.arguments.push_back({.kind = Argument::Kind::kDevice, .index = parameter.index, .shape = {}, .dtype = {}});
        arguments.push_back({});
        continue;
      }
      arguments.push_back(main_argument(op, parameter.index));
      const MemoryObject& object = program_.objects[parameter.index];
      call.arguments.push_back(
          {.kind = Argument::Kind::kPool, .index = parameter.index, .shape = object.shape, .dtype = object.dtype});
    }
    for (std::uint32_t object = 0; object < program_.objects.size(); ++object) {
      if (program_.objects[object].kind == Kind::kWorkspace) workspace += rounded(parts_.size_of(object));
    }
    std::uint64_t inner = 0;
    for (const Call& one : program_.calls) inner = std::max(inner, workspace_of(one.function));
    workspace += inner;
    if (workspace > 0) arguments.push_back(add_workspace(op, workspace));
    op.kernel = text_.kernel_of(call, workspace);
    op.config = thunk_config(arguments);
    model_.ops.push_back(std::move(op));
    model_.sources = text_.sources({});
    return text_.missing().empty();
  }

 private:
  static std::uint64_t rounded(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }

  [[nodiscard]] std::uint64_t workspace_of(const std::string& function) const { return text_.workspace_of(function); }

  ThunkArgument add_workspace(Op& op, std::uint64_t bytes) {
    op.scratch.push_back(parts_.add_bytes(op.name + ".workspace", TensorRole::kScratch, bytes));
    return {.list = ThunkArgument::kScratch, .index = static_cast<std::uint32_t>(op.scratch.size() - 1)};
  }

  ThunkArgument main_argument(Op& op, std::uint32_t object) {
    const auto add = [](std::vector<std::uint32_t>& list, ThunkArgument::List which, TensorId tensor) {
      list.push_back(tensor);
      return ThunkArgument{.list = which, .index = static_cast<std::uint32_t>(list.size() - 1)};
    };
    switch (program_.objects[object].kind) {
      case Kind::kInput:
        return add(op.inputs, ThunkArgument::kInputs, parts_.whole(object));
      case Kind::kOutput:
        return add(op.outputs, ThunkArgument::kOutputs, parts_.whole(object));
      case Kind::kConstPool:
      case Kind::kConstant:
        return add(op.weights, ThunkArgument::kWeights, parts_.whole(object));
      case Kind::kWorkspacePool:
      case Kind::kWorkspace:
      case Kind::kState:
        break;
    }
    const ByteSet all({0, static_cast<std::int64_t>(parts_.size_of(object))});
    return add(op.scratch, ThunkArgument::kScratch,
               parts_.add_range(program_.objects[object].name, regions_[object], all));
  }

  /// Tensors for the bytes of one access, appended to `list`; each set of equal blocks is one.
  void add_ranges(std::vector<std::uint32_t>& list, const CallAccess& access, const ByteSet& bytes) {
    const std::uint32_t whole = parts_.whole(access.object);
    if (bytes.empty()) return;
    if (whole != kNone) {
      if (std::find(list.begin(), list.end(), whole) == list.end()) list.push_back(whole);
      return;
    }
    for (const ByteSet& blocks : as_blocks(coarsened(bytes, kMostIntervals))) {
      list.push_back(parts_.add_range(access.what, regions_[access.object], blocks));
    }
  }

  void add_access(Op& op, const CallAccess& access) {
    if (!access.writes.empty() && program_.objects[access.object].kind == Kind::kInput) {
      throw InputError(program_.file, std::to_string(program_.calls[model_.ops.size()].line),
                       op.name + " writes " + access.what + ", an input of the model");
    }
    if (access.buffer == UINT32_MAX) {
      ByteSet both = access.reads;
      both.unite(access.writes);
      add_ranges(op.scratch, access, both);
      return;
    }
    add_ranges(op.inputs, access, access.reads);
    add_ranges(op.outputs, access, access.writes);
    op.in_place = op.in_place || access.reads.intersects(access.writes);
  }

  /// The first tensor of the op that `is_it` accepts, as an argument; null if there is none.
  template <typename F>
  [[nodiscard]] ThunkArgument anchor(const Op& op, std::int64_t offset, F is_it) const {
    const std::pair<ThunkArgument::List, const std::vector<std::uint32_t>*> lists[] = {
        {ThunkArgument::kInputs, &op.inputs},
        {ThunkArgument::kOutputs, &op.outputs},
        {ThunkArgument::kWeights, &op.weights},
        {ThunkArgument::kScratch, &op.scratch}};
    for (const auto& [list, tensors] : lists) {
      for (std::uint32_t index = 0; index < tensors->size(); ++index) {
        const std::uint32_t id = (*tensors)[index];
        if (!is_it(id)) continue;
        return {
            .list = list, .index = index, .delta = offset - static_cast<std::int64_t>(model_.tensors[id].offset_bytes)};
      }
    }
    return {};
  }

  ThunkArgument argument_of(Op& op, const Call& call, std::uint32_t k) {
    const Argument& argument = call.arguments[k];
    if (argument.kind == Argument::Kind::kNull || argument.kind == Argument::Kind::kDevice) return {};
    const bool is_pool = argument.kind == Argument::Kind::kPool;
    const std::uint32_t object = is_pool ? argument.index : program_.buffers[argument.index].object;
    const std::int64_t offset = is_pool ? 0 : static_cast<std::int64_t>(program_.buffers[argument.index].offset_bytes);
    const Kind kind = program_.objects[object].kind;
    if (kind == Kind::kConstPool || kind == Kind::kConstant) {
      return is_pool ? parts_.constant_pool(op, call, k) : parts_.constant_buffer(op, call, k);
    }
    const std::uint32_t whole = parts_.whole(object);
    if (whole != kNone) return anchor(op, offset, [&](std::uint32_t id) { return id == whole; });
    const RegionId region = regions_[object];
    return anchor(op, offset, [&](std::uint32_t id) { return region != kNone && model_.tensors[id].region == region; });
  }

  void add_call(std::uint32_t i) {
    const Call& call = program_.calls[i];
    Op op;
    op.name = operator_name(call.function, import_.artifact.module_name);
    op.core_class = call.device == UINT32_MAX ? "cpu" : "npu";
    for (const CallAccess& access : accesses_[i]) add_access(op, access);
    for (const CallAccess& access : accesses_[i]) {
      for (const CallAccess& other : accesses_[i]) {
        op.in_place = op.in_place || (access.object == other.object && access.reads.intersects(other.writes));
      }
    }
    std::vector<ThunkArgument> arguments;
    for (std::uint32_t k = 0; k < call.arguments.size(); ++k) arguments.push_back(argument_of(op, call, k));
    const std::uint64_t workspace = workspace_of(call.function);
    if (workspace > 0) arguments.push_back(add_workspace(op, workspace));
    op.kernel = has_unknown_end(accesses_[i]) ? text_.without_kernel(call) : text_.kernel_of(call, workspace);
    op.config = thunk_config(arguments);
    op.footprint = text_footprint(import_, call);
    const auto footprint = import_.footprints.find(call.function);
    op.flops = footprint != import_.footprints.end() ? footprint->second.flops : 0;
    model_.ops.push_back(std::move(op));
  }

  const Import& import_;
  const CallAccesses& accesses_;
  const Program& program_;
  Model& model_;
  ModelParts parts_;
  ModuleText text_;
  std::vector<std::uint32_t> regions_;
};

}  // namespace

namespace {

/// Where several calls may use what is no argument of theirs, it is an object like any other.
void add_state(Import& import) {
  for (const Call& call : import.program.calls) {
    const auto found = import.footprints.find(call.function);
    if (found == import.footprints.end() || !found->second.is_per_thread) continue;
    throw InputError(import.artifact.operators.file, std::to_string(found->second.line),
                     call.function + ": " + found->second.why + "; no order of the calls makes several workers agree");
  }
  const std::vector<std::uint32_t> calls = calls_with_state(import.program, import.footprints);
  if (calls.empty()) return;
  import.program.objects.push_back(
      {.kind = Kind::kState, .name = "hidden state", .size_bytes = 1, .dtype = {}, .shape = {}});
  std::set<std::string> functions;
  for (const std::uint32_t call : calls) {
    const std::string& function = import.program.calls[call].function;
    if (!functions.insert(function).second) continue;
    const auto found = import.footprints.find(function);
    std::string why = "its body is not here";
    std::uint32_t line = 0;
    std::string file;
    if (found != import.footprints.end()) {
      const FunctionFootprint& footprint = found->second;
      why = footprint.state.empty() ? "opaque: " + footprint.why : "it uses " + footprint.state;
      line = footprint.state.empty() ? footprint.line : footprint.state_line;
      file = footprint.state.empty() ? footprint.file : footprint.state_file;
    }
    const std::string place = file.empty() ? "line " + std::to_string(line) : file + ":" + std::to_string(line);
    import.notes.push_back(function + (line != 0 ? " (" + place + ")" : "") +
                           ": may use memory that is not an argument of it: " + why +
                           "; such calls keep the order of main");
  }
}

}  // namespace

namespace {

bool is_same(const CallAccess& a, const CallAccess& b) {
  return a.object == b.object && a.buffer == b.buffer && a.argument == b.argument && a.reads == b.reads &&
         a.writes == b.writes && a.exact == b.exact && a.unknown_end == b.unknown_end;
}

}  // namespace

std::string first_difference(const Import& a, const Import& b) {
  for (std::size_t i = 0; i < a.accesses.size() && i < b.accesses.size(); ++i) {
    const Call& call = a.program.calls[i];
    const bool is_one_call = call.function == b.program.calls[i].function && call.line == b.program.calls[i].line;
    const bool are_equal = is_one_call && std::equal(a.accesses[i].begin(), a.accesses[i].end(), b.accesses[i].begin(),
                                                     b.accesses[i].end(), is_same);
    if (!are_equal) return call.function + " (line " + std::to_string(call.line) + ") touches other bytes";
  }
  return a.accesses.size() == b.accesses.size() ? "" : "main makes other calls";
}

Import analyse_artifact(Artifact artifact) {
  Import import;
  import.artifact = std::move(artifact);
  import.footprints = analyse_functions(import.artifact);
  import.program = read_program(import.artifact, import.footprints);
  import.notes = import.program.notes;
  add_state(import);
  import.accesses = call_accesses(import.program, import.footprints, import.notes);
  import.missing = find_missing(import.artifact, import.program);
  import.hazards = find_hazards(import.program, import.accesses, edges_by_names(import.program, import.footprints));
  return import;
}

Import import_artifact(const std::string& path, const ReadOptions& options) {
  return analyse_artifact(read_artifact(path, options));
}

Model imported_model(const Import& import, const ModelOptions& options, std::vector<ObjectPlace>* places) {
  const HazardReport& hazards = import.hazards;
  return model_as_placed(import, import.accesses, options.hazard_edges ? hazards.hazard_edges : hazards.name_edges, {},
                         options, places);
}

Model model_as_placed(const Import& import, const CallAccesses& accesses, const std::vector<CallEdge>& edges,
                      std::vector<Edit> edits, const ModelOptions& options, std::vector<ObjectPlace>* places) {
  Model model;
  model.name = import.artifact.module_name;
  model.compile_flags = options.compile_flags;
  ImportedOps ops(import, accesses, model);
  ops.add_calls(std::move(edits));
  if (places != nullptr) *places = ops.places();
  for (const auto& [from, to] : edges) model.edges.push_back({.from = from, .to = to});
  plan_memory(model);
  return model;
}

Model reference_model(const Import& import, const ModelOptions& options) {
  Model model;
  model.name = import.artifact.module_name + ".main";
  model.compile_flags = options.compile_flags;
  if (!ImportedOps(import, import.accesses, model).add_main()) return {};
  plan_memory(model);
  return model;
}

}  // namespace detent::models::tvm
