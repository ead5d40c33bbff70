// Which file is what, and whose word counts: run function and header before tables before metadata.json.
#include "models/tvm/artifact.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "models/input_error.hpp"
#include "models/tvm/artifact_files.hpp"
#include "models/tvm/artifact_parts.hpp"
#include "models/tvm/c_source.hpp"
#include "models/tvm/names.hpp"

namespace detent::models::tvm {
namespace {

constexpr std::string_view kPrefix = "tvmgen_", kMain = "__tvm_main__", kOldMain = "_run_model", kRun = "_run";

bool contains(const std::string& text, std::string_view word) { return text.find(word) != std::string::npos; }

bool is_main(const Function& function) {
  return function.body != kNoNode && (function.name.ends_with(kMain) || function.name.ends_with(kOldMain));
}

const Function* main_of(const CUnit& unit) {
  const auto found = std::find_if(unit.functions.begin(), unit.functions.end(), is_main);
  return found == unit.functions.end() ? nullptr : &*found;
}

/// "tvmgen_netA___tvm_main__" -> "netA"
std::string module_of(std::string symbol) {
  if (symbol.ends_with(kMain)) {
    symbol.erase(symbol.size() - kMain.size());
    if (symbol.ends_with("_")) symbol.pop_back();
  } else if (symbol.ends_with(kOldMain)) {
    symbol.erase(symbol.size() - kOldMain.size());
  }
  if (symbol.starts_with(kPrefix)) symbol.erase(0, kPrefix.size());
  return symbol.empty() ? "default" : symbol;
}

/// The calling convention (args, type ids, num_args, out value, out type, resource).
bool is_packed(const Function& function) {
  if (function.params.size() < 5) return false;
  const CType &args = function.params[0].type, &ids = function.params[1].type, &count = function.params[2].type;
  return args.pointers == 1 && args.scalar != CType::Scalar::kFloat && ids.pointers == 1 &&
         ids.scalar == CType::Scalar::kInt && count.pointers == 0 && count.scalar == CType::Scalar::kInt &&
         count.extents.empty();
}

const Function* find_operator(const CUnit& unit) {
  for (const Function& function : unit.functions) {
    if (function.body != kNoNode && !function.is_static && function.name.starts_with(kPrefix)) return &function;
  }
  return nullptr;
}

/// Functions that are called but not defined here.
std::set<std::string> open_symbols(const CUnit& unit) {
  std::set<std::string> called;
  for (const Expr& expr : unit.exprs) {
    if (expr.kind == ExprKind::kCall && unit.expr(expr.args[0]).kind == ExprKind::kName)
      called.insert(unit.expr(expr.args[0]).text);
  }
  for (const Function& function : unit.functions) {
    if (function.body != kNoNode) called.erase(function.name);
  }
  return called;
}

class ArtifactReader {
 public:
  ArtifactReader(const std::string& path, const ReadOptions& options) : options_(options) { out_.origin = path; }
  Artifact read();

 private:
  /// A C file that was parsed, and what it turned out to be.
  struct Source {
    std::string name;
    CUnit unit;
    bool used = false;
  };

  void parse_candidates(ArtifactFiles& files);
  bool parse(ArtifactFile& file);
  void choose_operators();
  void take_operators(std::size_t index);
  [[noreturn]] void fail_modules(const std::vector<std::size_t>& mains) const;
  [[noreturn]] void fail_without_operators(const ArtifactFiles& files) const;
  void find_glue();
  void find_tables();
  void find_header(ArtifactFiles& files);
  void find_json(ArtifactFiles& files);
  void find_parameters(ArtifactFiles& files);
  void find_externals(ArtifactFiles& files);
  bool add_externals(std::set<std::string>& needed);
  void merge();
  void merge_tensors(std::optional<std::vector<IoInfo>> Interface::*list, std::optional<std::vector<IoInfo>>& out);
  void merge_pools();
  void read_constants();
  void order_by_main(std::vector<IoInfo>& list, bool outputs);
  [[nodiscard]] std::string display(const std::string& name) const {
    return single_ ? out_.origin : out_.origin + "/" + name;
  }
  void note(const std::string& text) { out_.notes.push_back(text); }

  const ReadOptions& options_;
  Artifact out_;
  bool single_ = false;
  std::vector<Source> sources_;
  std::vector<std::pair<std::string, InputError>> failures_;  ///< files that did not parse
  std::size_t glue_ = SIZE_MAX;
  std::string glue_main_;              ///< main as the glue calls it
  std::vector<Interface> interfaces_;  ///< strongest first
};

Artifact ArtifactReader::read() {
  ArtifactFiles files = load_artifact_files(out_.origin);
  single_ = files.single;
  out_.notes = files.notes;
  parse_candidates(files);
  choose_operators();
  if (out_.operators.text.empty()) fail_without_operators(files);
  find_glue();
  find_header(files);
  find_tables();
  find_json(files);
  find_parameters(files);
  find_externals(files);
  merge();
  read_constants();
  for (const auto& [name, error] : failures_) note(std::string("not read: ") + error.what());
  if (glue_ != SIZE_MAX) {
    out_.glue_file = sources_[glue_].name;
    out_.glue_text = std::move(sources_[glue_].unit.text);
  }
  return std::move(out_);
}

bool ArtifactReader::parse(ArtifactFile& file) {
  try {
    sources_.push_back({.name = file.name, .unit = parse_c(std::move(file.text), display(file.name)), .used = false});
    return true;
  } catch (const InputError& error) {
    failures_.emplace_back(file.name, error);
    return false;
  }
}

void ArtifactReader::parse_candidates(ArtifactFiles& files) {
  constexpr std::size_t kMost = 256;
  for (ArtifactFile& file : files.files) {
    const bool is_copy = file.name.starts_with("runtime/") || file.name.starts_with("templates/");
    if (!single_ && (!file.name.ends_with(".c") || is_copy)) continue;
    if (!single_ && !contains(file.text, kPrefix) && !contains(file.text, kMain) &&
        !contains(file.text, "kTvmgenMetadata") && !contains(file.text, "global_const_workspace"))
      continue;
    if (sources_.size() >= kMost)
      throw InputError(out_.origin, "", "more than 256 C files of TVM; name the directory of one module");
    parse(file);
  }
}

void ArtifactReader::take_operators(std::size_t index) {
  out_.operators = std::move(sources_[index].unit);
  sources_[index].used = true;
  if (const Function* main = main_of(out_.operators)) out_.main_symbol = main->name;
  const Function* some = main_of(out_.operators) != nullptr ? main_of(out_.operators) : find_operator(out_.operators);
  out_.packed = some != nullptr && is_packed(*some);
  out_.module_name = out_.main_symbol.empty() ? "default" : module_of(out_.main_symbol);
}

void ArtifactReader::fail_modules(const std::vector<std::size_t>& mains) const {
  std::string list;
  for (const std::size_t i : mains) {
    list += (list.empty() ? "" : ", ") + module_of(main_of(sources_[i].unit)->name) + " (" + sources_[i].name + ")";
  }
  throw InputError(out_.origin, "", "several modules: " + list + "; name the directory of one of them");
}

/// The file that defines main; without any, the one with most operators.
void ArtifactReader::choose_operators() {
  std::vector<std::size_t> mains;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    if (main_of(sources_[i].unit) == nullptr) continue;
    const auto same = std::find_if(mains.begin(), mains.end(),
                                   [&](std::size_t j) { return sources_[j].unit.text == sources_[i].unit.text; });
    if (same == mains.end()) {
      mains.push_back(i);
    } else {
      note(sources_[i].name + ": the same as " + sources_[*same].name + "; passed over");
      sources_[i].used = true;
    }
  }
  if (mains.size() > 1) fail_modules(mains);
  if (!mains.empty()) return take_operators(mains[0]);
  std::size_t best = SIZE_MAX, most = 0;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const auto count = static_cast<std::size_t>(
        std::count_if(sources_[i].unit.functions.begin(), sources_[i].unit.functions.end(), [&](const Function& f) {
          return f.body != kNoNode && (single_ || (f.name.starts_with(kPrefix) && !f.name.ends_with(kRun) &&
                                                   !f.name.ends_with("_metadata")));
        }));
    if (count <= most) continue;
    best = i;
    most = count;
  }
  if (best != SIZE_MAX && failures_.empty()) take_operators(best);
}

void ArtifactReader::fail_without_operators(const ArtifactFiles& files) const {
  for (const auto& [name, error] : failures_) {
    if (name.ends_with(".c")) throw InputError(error);
  }
  if (!failures_.empty()) throw InputError(failures_[0].second);
  if (single_) throw InputError(out_.origin, "", "defines no function; a C file written by TVM is needed");
  throw InputError(out_.origin, "",
                   "none of its " + std::to_string(files.files.size()) +
                       " files defines main (tvmgen_*___tvm_main__ or *_run_model); a directory or tar exported from "
                       "TVM's AOT executor is needed");
}

/// The file with the run function, or with the pools when somebody took the function out.
void ArtifactReader::find_glue() {
  for (const bool by_run : {true, false}) {
    for (std::size_t i = 0; i < sources_.size() && glue_ == SIZE_MAX; ++i) {
      Source& source = sources_[i];
      if (source.used) continue;
      const Function* run = nullptr;
      for (const Function& function : source.unit.functions) {
        if (function.body != kNoNode && function.name.ends_with(kRun) && contains(source.unit.text, out_.main_symbol))
          run = &function;
      }
      const bool has_pool = pooled_struct(source.unit).first != nullptr ||
                            std::any_of(source.unit.globals.begin(), source.unit.globals.end(),
                                        [](const Global& g) { return g.variable.name == "global_workspace"; });
      if (by_run ? run == nullptr : !has_pool) continue;
      glue_ = i;
      source.used = true;
      if (run != nullptr) out_.run_symbol = run->name;
      interfaces_.push_back(interface_of_glue(source.unit, run, out_.main_symbol));
    }
  }
  // Operators and glue in one file, as some people merge them.
  if (glue_ != SIZE_MAX) return;
  for (const Function& function : out_.operators.functions) {
    if (function.body == kNoNode || !function.name.ends_with(kRun) || !function.name.starts_with(kPrefix) ||
        out_.main_symbol.empty())
      continue;
    Interface found = interface_of_glue(out_.operators, &function, out_.main_symbol);
    if (!found.inputs) continue;
    out_.run_symbol = function.name;
    interfaces_.push_back(std::move(found));
    return;
  }
}

void ArtifactReader::find_header(ArtifactFiles& files) {
  for (ArtifactFile& file : files.files) {
    if (!file.name.ends_with(".h") || !contains(file.text, kPrefix)) continue;
    try {
      std::string text = file.text;
      const CUnit unit = parse_c(std::move(file.text), display(file.name));
      Interface found = interface_of_header(unit, out_.module_name);
      if (!found.inputs && !found.outputs) continue;
      out_.header_file = file.name;
      out_.header_text = std::move(text);
      interfaces_.push_back(std::move(found));
      return;
    } catch (const InputError& error) {
      failures_.emplace_back(file.name, error);
    }
  }
}

void ArtifactReader::find_tables() {
  const auto has_tables = [](const CUnit& unit) {
    return std::any_of(unit.globals.begin(), unit.globals.end(),
                       [](const Global& g) { return g.variable.name.starts_with("kTvmgenMetadata"); });
  };
  const auto take = [&](const CUnit& unit) {
    try {
      interfaces_.push_back(interface_of_tables(unit));
    } catch (const InputError& error) {
      note(std::string("metadata tables not read: ") + error.what());
    }
  };
  for (Source& source : sources_) {
    if (source.used || !has_tables(source.unit)) continue;
    source.used = true;
    return take(source.unit);
  }
  if (has_tables(out_.operators)) take(out_.operators);
}

void ArtifactReader::find_json(ArtifactFiles& files) {
  for (const ArtifactFile& file : files.files) {
    if (!file.name.ends_with("metadata.json")) continue;
    try {
      interfaces_.push_back(interface_of_json(file.text, display(file.name), out_.module_name, out_.tvm_version));
      return;
    } catch (const InputError& error) {
      note(std::string("not read: ") + error.what());
    }
  }
}

/// Weights of TVM 0.8; later versions link them into the C text and leave this file empty.
void ArtifactReader::find_parameters(ArtifactFiles& files) {
  for (const ArtifactFile& file : files.files) {
    if (!file.name.ends_with(".params") || !options_.constants) continue;
    try {
      for (NamedArray& array : read_params(file.text, display(file.name))) out_.parameters.push_back(std::move(array));
    } catch (const InputError& error) {
      note(std::string("not read: ") + error.what());
    }
  }
}

/// Move files over that define a function which is still missing; true when there were any.
bool ArtifactReader::add_externals(std::set<std::string>& needed) {
  bool found = false;
  for (Source& source : sources_) {
    if (source.used) continue;
    const auto& functions = source.unit.functions;
    const bool defines = std::any_of(functions.begin(), functions.end(), [&](const Function& f) {
      return f.body != kNoNode && !f.is_static && needed.contains(f.name);
    });
    if (!defines) continue;
    source.used = found = true;
    for (const std::string& symbol : open_symbols(source.unit)) needed.insert(symbol);
    for (const Function& function : functions) {
      if (function.body != kNoNode) needed.erase(function.name);
    }
    out_.externals.push_back(std::move(source.unit));
  }
  return found;
}

/// Further C files with functions that operators call: first among those with TVM's names, then by name anywhere.
void ArtifactReader::find_externals(ArtifactFiles& files) {
  constexpr std::size_t kMost = 256;
  std::set<std::string> needed = open_symbols(out_.operators);
  while (add_externals(needed)) {
  }
  if (single_ || files.files.size() > kMost) return;
  // Helpers with names of their own; the runtime and its drivers are the application's.
  needed = open_symbols(out_.operators);
  std::erase_if(needed, [](const std::string& symbol) { return symbol.starts_with("TVM"); });
  for (const CUnit& unit : out_.externals) {
    for (const Function& function : unit.functions) {
      if (function.body != kNoNode) needed.erase(function.name);
    }
  }
  for (ArtifactFile& file : files.files) {
    const bool is_copy = file.name.starts_with("runtime/") || file.name.starts_with("templates/");
    if (file.text.empty() || !file.name.ends_with(".c") || is_copy) continue;
    const bool mentions = std::any_of(needed.begin(), needed.end(),
                                      [&](const std::string& symbol) { return contains(file.text, symbol + "("); });
    if (mentions) parse(file);
  }
  while (add_externals(needed)) {
  }
}

/// Fill what `from` tells and `info` does not.
void complete(IoInfo& info, const IoInfo& from) {
  if (info.size_bytes == 0) info.size_bytes = from.size_bytes;
  if (info.dtype.empty()) info.dtype = from.dtype;
  if (info.shape.empty()) info.shape = from.shape;
}

void complete(std::vector<IoInfo>& list, const std::vector<IoInfo>& from, bool ordered) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto same = std::find_if(from.begin(), from.end(), [&](const IoInfo& other) {
      return sanitized(other.name) == sanitized(list[i].name);
    });
    if (same != from.end()) {
      complete(list[i], *same);
    } else if (from.size() == list.size() && (ordered || list.size() == 1)) {
      complete(list[i], from[i]);
    }
  }
}

/// "output2" before "output10".
bool natural_less(const std::string& a, const std::string& b) {
  const auto stem = [](const std::string& text) { return text.find_last_not_of("0123456789") + 1; };
  const std::string_view head_a = std::string_view(a).substr(0, stem(a)),
                         head_b = std::string_view(b).substr(0, stem(b));
  if (head_a != head_b) return head_a < head_b;
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

/// Put tensors that metadata.json sorted by name into the order of main's parameters.
void ArtifactReader::order_by_main(std::vector<IoInfo>& list, bool outputs) {
  if (list.size() < 2) return;
  std::vector<IoInfo> ordered;
  if (const Function* main = out_.operators.find(out_.main_symbol)) {
    for (const Variable& param : main->params) {
      const std::string name = sanitized(tensor_of_parameter(param.name));
      const auto same =
          std::find_if(list.begin(), list.end(), [&](const IoInfo& info) { return sanitized(info.name) == name; });
      if (same != list.end()) ordered.push_back(*same);
    }
  }
  if (ordered.size() == list.size()) {
    list = std::move(ordered);
    return;
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const IoInfo& a, const IoInfo& b) { return natural_less(a.name, b.name); });
  note(std::string("the order of the ") + (outputs ? "outputs" : "inputs") +
       " is taken from their names; no header or run function tells it");
}

void ArtifactReader::merge_tensors(std::optional<std::vector<IoInfo>> Interface::*list,
                                   std::optional<std::vector<IoInfo>>& out) {
  for (const Interface& source : interfaces_) {
    if (!(source.*list)) continue;
    if (!out) {
      out = source.*list;
      if (!source.ordered) order_by_main(*out, list == &Interface::outputs);
    } else {
      complete(*out, *(source.*list), source.ordered);
    }
  }
}

/// Names of main's pool parameters, in order; a packed main unpacks them into variables of the same names.
std::vector<std::string> pool_parameters(const CUnit& unit, const Function& main) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    const auto pool = pool_of_parameter(name);
    if (pool && std::find(names.begin(), names.end(), *pool) == names.end()) names.push_back(*pool);
  };
  for (const Variable& param : main.params) add(param.name);
  if (!is_packed(main)) return names;
  for (const StmtId id : unit.stmt(main.body).body) {
    const Stmt& stmt = unit.stmt(id);
    if (stmt.kind == StmtKind::kDeclare && stmt.variable.type.pointers == 1) add(stmt.variable.name);
  }
  return names;
}

void ArtifactReader::merge_pools() {
  const Function* main = out_.operators.find(out_.main_symbol);
  if (main != nullptr) {
    for (const std::string& name : pool_parameters(out_.operators, *main))
      out_.pools.push_back({.name = name, .size_bytes = 0, .is_const = contains(name, "const"), .is_external = false});
  }
  std::vector<const PoolInfo*> unnamed;
  for (const Interface& source : interfaces_) {
    for (const PoolInfo& told : source.pools) {
      const auto same = std::find_if(out_.pools.begin(), out_.pools.end(),
                                     [&](const PoolInfo& pool) { return pool.name == told.name; });
      if (told.name.empty()) unnamed.push_back(&told);
      if (same == out_.pools.end()) continue;
      if (same->size_bytes == 0) same->size_bytes = told.size_bytes;
      same->is_const = same->is_const || told.is_const;
      same->is_external = same->is_external || told.is_external;
    }
  }
  for (const PoolInfo* told : unnamed) {  // "the workspace" is a pool only where there is one
    const auto is_like = [&](const PoolInfo& pool) { return pool.is_const == told->is_const; };
    const auto pool = std::find_if(out_.pools.begin(), out_.pools.end(), is_like);
    const bool only = std::count_if(out_.pools.begin(), out_.pools.end(), is_like) == 1;
    if (only && pool->size_bytes == 0) pool->size_bytes = told->size_bytes;
  }
}

void ArtifactReader::merge() {
  merge_tensors(&Interface::inputs, out_.inputs);
  merge_tensors(&Interface::outputs, out_.outputs);
  merge_pools();
  for (const Interface& source : interfaces_) {
    if (out_.device_contexts.empty()) out_.device_contexts = source.devices;
  }
  const Function* main = out_.operators.find(out_.main_symbol);
  if (main == nullptr || !out_.device_contexts.empty()) return;
  for (const Variable& param : main->params) {
    if (is_device_parameter(param.name)) out_.device_contexts.push_back(param.name);
  }
}

void ArtifactReader::read_constants() {
  if (!options_.constants) return;
  const CUnit* glue = glue_ != SIZE_MAX ? &sources_[glue_].unit : nullptr;
  const auto [record, global] = glue != nullptr ? pooled_struct(*glue) : pooled_struct(out_.operators);
  if (record != nullptr) {
    try {
      out_.constants = read_pooled_constants(glue != nullptr ? *glue : out_.operators, *record, *global);
      out_.constants_complete = out_.constants.size() == record->fields.size();
    } catch (const InputError& error) {
      note(std::string("constants not read: ") + error.what());
    }
  }
  for (Interface& source : interfaces_) {
    if (!out_.constants.empty() || source.constants.empty()) continue;
    out_.constants = std::move(source.constants);
    out_.constants_complete = true;
  }
}

}  // namespace

Artifact read_artifact(const std::string& path, const ReadOptions& options) {
  return ArtifactReader(path, options).read();
}

}  // namespace detent::models::tvm
