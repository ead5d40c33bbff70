// Files of an artifact -> Artifact. They are asked in the order in which their word counts: run function and header
// before tables before metadata.json.
#include "models/import/tvm/artifact/artifact.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/input_error.hpp"
#include "models/import/tvm/artifact/parts.hpp"
#include "models/import/tvm/artifact/roles.hpp"
#include "models/import/tvm/clang/source.hpp"
#include "models/import/tvm/files/artifact_files.hpp"
#include "models/import/tvm/files/include_path.hpp"
#include "models/import/tvm/files/module_support.hpp"
#include "models/import/tvm/files/vendor_sources.hpp"
#include "models/import/tvm/preprocess/preprocess.hpp"

namespace detent::models::tvm {
namespace {

bool contains(const std::string& text, std::string_view word) { return text.find(word) != std::string::npos; }

/// A C file that is no copy of TVM's runtime.
bool is_generated(const std::string& name) {
  return name.ends_with(".c") && !name.starts_with("runtime/") && !name.starts_with("templates/");
}

class ArtifactReader {
 public:
  ArtifactReader(const std::string& path, const ReadOptions& options) : options_(options), include_(options.includes) {
    out_.origin = path;
    out_.types = {types_of(options.target)};
    out_.has_vendor_code = !options.includes.empty() || !options.sources.empty();
  }
  Artifact read();

 private:
  /// A C file that was parsed, and what it turned out to be.
  struct Source {
    std::string name;
    CUnit unit;
    bool used = false;
  };

  void parse_candidates(ArtifactFiles& files);
  void parse(ArtifactFile& file);
  CUnit parsed(std::string text, const std::string& shown, const SourcePlace& place);
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
  void find_vendor_sources();
  void note_undefined();
  [[nodiscard]] std::set<std::string> needed_symbols() const;
  [[nodiscard]] bool is_defined(const std::string& symbol) const;
  bool add_externals(std::set<std::string>& needed);
  void read_constants();
  [[nodiscard]] std::string display(const std::string& name) const {
    return single_ ? out_.origin : out_.origin + "/" + name;
  }
  void note(const std::string& text) { out_.notes.push_back(text); }

  const ReadOptions& options_;
  IncludePath include_;
  std::size_t artifact_base_ = SIZE_MAX;
  std::map<std::string, std::string> undefined_;  ///< macros that conditions ask for, and where
  Artifact out_;
  bool single_ = false;
  std::vector<Source> sources_;
  std::vector<std::pair<std::string, InputError>> failures_;  ///< files that did not parse
  std::size_t glue_ = SIZE_MAX;
  std::vector<Interface> interfaces_;  ///< strongest first
};

Artifact ArtifactReader::read() {
  ArtifactFiles files = load_artifact_files(out_.origin);
  single_ = files.single;
  out_.notes = files.notes;
  artifact_base_ = include_.add_artifact(files);
  parse_candidates(files);
  choose_operators();
  if (out_.operators.text.empty()) fail_without_operators(files);
  find_glue();
  find_header(files);
  find_tables();
  find_json(files);
  find_parameters(files);
  find_externals(files);
  find_vendor_sources();
  merge_interfaces(interfaces_, out_);
  read_constants();
  note_undefined();
  for (const auto& [name, error] : failures_) note(std::string("not read: ") + error.what());
  if (glue_ != SIZE_MAX) {
    out_.glue_file = sources_[glue_].name;
    out_.glue_text = std::move(sources_[glue_].unit.text);
  }
  return std::move(out_);
}

void ArtifactReader::parse(ArtifactFile& file) {
  try {
    CUnit unit = parsed(std::move(file.text), display(file.name), {artifact_base_, file.name});
    sources_.push_back({.name = file.name, .unit = std::move(unit), .used = false});
  } catch (const InputError& error) {
    failures_.emplace_back(file.name, error);
  }
}

/// With the headers that can be found; a file that includes none of them stays as it is.
CUnit ArtifactReader::parsed(std::string text, const std::string& shown, const SourcePlace& place) {
  std::vector<MissingHeader> missing;
  const bool has_headers = includes_given(text, place, include_);
  if (has_headers) {
    Preprocessed whole = preprocess(text, shown, place, include_, {.flags = options_.target.flags});
    text = std::move(whole.text);
    missing = std::move(whole.missing);
    undefined_.merge(whole.undefined);
  } else {
    for (const IncludeLine& one : include_lines(text)) {
      const bool is_own = one.name.substr(one.name.rfind('/') + 1).starts_with(kSymbolPrefix);
      if (!is_own && known_header(one.name).empty() && !has_arm_substitute(one.name))
        missing.push_back({one.name, shown, one.line});
    }
  }
  CUnit unit = parse_c(std::move(text), shown, options_.target);
  unit.has_headers = has_headers;
  unit.missing_headers = std::move(missing);
  return unit;
}

void ArtifactReader::parse_candidates(ArtifactFiles& files) {
  constexpr std::size_t kMost = 256;
  for (ArtifactFile& file : files.files) {
    if (!single_ && !is_generated(file.name)) continue;
    if (!single_ && !contains(file.text, kSymbolPrefix) && !contains(file.text, kMainSuffix) &&
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
  if (const Function* main = find_main(out_.operators)) out_.main_symbol = main->name;
  const Function* some =
      find_main(out_.operators) != nullptr ? find_main(out_.operators) : find_operator(out_.operators);
  out_.packed = some != nullptr && is_packed(*some);
  out_.module_name = out_.main_symbol.empty() ? "default" : module_of(out_.main_symbol);
}

void ArtifactReader::fail_modules(const std::vector<std::size_t>& mains) const {
  constexpr std::size_t kMostBytes = 40;  // of a list that leaves room for the remedy
  std::string list;
  for (std::size_t i = 0; i < mains.size(); ++i) {
    if (list.size() > kMostBytes) {
      list += " and " + std::to_string(mains.size() - i) + " more";
      break;
    }
    const Function& main = *find_main(sources_[mains[i]].unit);
    list += (list.empty() ? "" : ", ") + module_of(main.name) + " (" + sources_[mains[i]].name + ":" +
            std::to_string(main.line) + ")";
  }
  throw InputError(out_.origin, "", "several modules: " + list + "; name the directory of one of them");
}

/// The file that defines main; without any, the one with most operators.
void ArtifactReader::choose_operators() {
  std::vector<std::size_t> mains;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    if (find_main(sources_[i].unit) == nullptr) continue;
    const auto same = std::find_if(mains.begin(), mains.end(),
                                   [&](std::size_t j) { return sources_[j].unit.text == sources_[i].unit.text; });
    if (same == mains.end()) {
      mains.push_back(i);
    } else {
      note(sources_[i].name + ": the same as " + sources_[*same].name + "; passed over");
      sources_[i].used = true;
    }
  }
  if (!mains.empty()) {
    const auto is_weaker = [&](std::size_t a, std::size_t b) {
      return is_stronger_main(*find_main(sources_[b].unit), *find_main(sources_[a].unit));
    };
    const std::size_t strongest = *std::max_element(mains.begin(), mains.end(), is_weaker);
    std::erase_if(mains, [&](std::size_t i) { return is_weaker(i, strongest); });
  }
  // An application's function may be named like main and call it.
  std::set<std::string> names;
  for (const std::size_t i : mains) names.insert(find_main(sources_[i].unit)->name);
  std::vector<std::size_t> called;
  std::copy_if(mains.begin(), mains.end(), std::back_inserter(called), [&](std::size_t i) {
    const std::set<std::string> open = open_symbols(sources_[i].unit);
    return std::none_of(names.begin(), names.end(), [&](const std::string& name) { return open.contains(name); });
  });
  if (!called.empty()) mains = std::move(called);
  if (mains.size() > 1) fail_modules(mains);
  if (!mains.empty()) return take_operators(mains[0]);
  std::size_t best = SIZE_MAX, most = 0;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const std::size_t count = count_operators(sources_[i].unit, single_);
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
  std::string lacks;
  for (const Source& source : sources_) {
    if (lacks.empty() && !source.unit.missing_headers.empty())
      lacks = "; it includes " + source.unit.missing_headers.front().name +
              ", which is not here: give its directory with --include DIR";
  }
  if (single_) throw InputError(out_.origin, "", "defines no function; a C file written by TVM is needed" + lacks);
  for (const Source& source : sources_) {
    const std::string line = line_of_missing_main(source.unit);
    if (line.empty()) continue;
    throw InputError(display(source.name), line,
                     "no main is defined (tvmgen_*___tvm_main__ or *_run_model); this file names it" +
                         (source.unit.errors.empty() ? std::string{} : ", but: " + source.unit.errors.front().text) +
                         lacks);
  }
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
      const Function* run = find_run(source.unit, out_.main_symbol);
      if (by_run ? run == nullptr : !defines_pool(source.unit)) continue;
      glue_ = i;
      source.used = true;
      if (run != nullptr) out_.run_symbol = run->name;
      interfaces_.push_back(interface_of_glue(source.unit, run, out_.main_symbol));
    }
  }
  // Operators and glue in one file, as some people merge them.
  if (glue_ != SIZE_MAX) return;
  for (const Function& function : out_.operators.functions) {
    if (function.body == kNoNode || !function.name.ends_with(kRunSuffix) || !function.name.starts_with(kSymbolPrefix) ||
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
    if (!file.name.ends_with(".h") || !contains(file.text, kSymbolPrefix)) continue;
    try {
      const CUnit unit = parse_c(file.text, display(file.name), options_.target);
      Interface found = interface_of_header(unit, out_.module_name);
      if (!found.inputs && !found.outputs) continue;
      out_.header_file = file.name;
      out_.header_text = file.text;
      interfaces_.push_back(std::move(found));
      return;
    } catch (const InputError& error) {
      failures_.emplace_back(file.name, error);
    }
  }
}

void ArtifactReader::find_tables() {
  const auto take = [&](const CUnit& unit) {
    try {
      interfaces_.push_back(interface_of_tables(unit));
    } catch (const InputError& error) {
      note(std::string("metadata tables not read: ") + error.what());
    }
  };
  for (Source& source : sources_) {
    if (source.used || !has_metadata_tables(source.unit)) continue;
    source.used = true;
    return take(source.unit);
  }
  if (has_metadata_tables(out_.operators)) take(out_.operators);
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
    const bool is_needed = std::any_of(needed.begin(), needed.end(),
                                       [&](const std::string& symbol) { return defines(source.unit, symbol); });
    if (!is_needed) continue;
    source.used = found = true;
    for (const std::string& symbol : open_symbols(source.unit)) needed.insert(symbol);
    out_.externals.push_back(std::move(source.unit));
    std::erase_if(needed, [&](const std::string& symbol) { return is_defined(symbol); });
  }
  return found;
}

/// Further C files with functions that operators call: first among those with TVM's names, then by name anywhere.
void ArtifactReader::find_externals(ArtifactFiles& files) {
  constexpr std::size_t kMost = 256;
  std::set<std::string> needed = needed_symbols();
  while (add_externals(needed)) {
  }
  if (single_ || files.files.size() > kMost) return;
  // Helpers with names of their own; the runtime and its drivers are the application's.
  needed = needed_symbols();
  std::erase_if(needed, [](const std::string& symbol) { return symbol.starts_with("TVM"); });
  for (ArtifactFile& file : files.files) {
    if (file.text.empty() || !is_generated(file.name)) continue;
    const bool mentions = std::any_of(needed.begin(), needed.end(),
                                      [&](const std::string& symbol) { return contains(file.text, symbol + "("); });
    if (mentions) parse(file);
  }
  while (add_externals(needed)) {
  }
}

bool ArtifactReader::is_defined(const std::string& symbol) const {
  return defines(out_.operators, symbol) || std::any_of(out_.externals.begin(), out_.externals.end(),
                                                        [&](const CUnit& unit) { return defines(unit, symbol); });
}

std::set<std::string> ArtifactReader::needed_symbols() const {
  std::set<std::string> needed = open_symbols(out_.operators);
  for (const CUnit& unit : out_.externals) needed.merge(open_symbols(unit));
  std::erase_if(needed, [&](const std::string& symbol) { return is_defined(symbol); });
  return needed;
}

/// What is still missing, from the files that were given for it. Those that are named themselves are all read, those of
/// directories where they mention what is needed.
void ArtifactReader::find_vendor_sources() {
  struct Given {
    VendorSource source;
    bool is_parsed = false;
  };
  std::vector<Given> given;
  for (VendorSource& source : load_vendor_sources(options_.sources, include_))
    given.push_back({.source = std::move(source), .is_parsed = false});
  std::set<std::string> needed = needed_symbols();
  for (bool grows = !given.empty(); grows;) {
    grows = false;
    for (Given& one : given) {
      const std::string& text = one.source.text;
      const auto mentions = [&](const std::string& symbol) { return contains(text, symbol); };
      if (one.is_parsed || (!one.source.is_named && std::none_of(needed.begin(), needed.end(), mentions))) continue;
      CUnit unit = parsed(std::move(one.source.text), one.source.shown, one.source.place);
      sources_.push_back({.name = one.source.shown, .unit = std::move(unit), .used = false});
      one.is_parsed = grows = true;
    }
    while (add_externals(needed)) grows = true;
  }
  for (const Source& source : sources_) {
    const auto is_it = [&](const Given& one) { return one.source.is_named && one.source.shown == source.name; };
    if (!source.used && std::any_of(given.begin(), given.end(), is_it))
      note(source.name + ": defines nothing that is called here; left out");
  }
}

/// Macros that only the target, the compiler or a flag could define.
void ArtifactReader::note_undefined() {
  constexpr std::size_t kShown = 6;
  std::string list;
  std::size_t count = 0;
  for (const auto& [name, place] : undefined_) {
    if (++count <= kShown) list += (list.empty() ? "" : ", ") + name + " (" + place + ")";
  }
  if (count == 0) return;
  if (count > kShown) list += " and " + std::to_string(count - kShown) + " more";
  note("conditions of the headers that were given ask for " + list +
       ": taken as not defined; -DNAME among the flags of --cflags defines one");
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
