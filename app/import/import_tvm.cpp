#include "app/import/import_tvm.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "app/catalogue/catalogue.hpp"
#include "app/manual/outputs.hpp"
#include "app/model/loaded_model.hpp"
#include "app/settings/op_settings.hpp"
#include "base/input_error.hpp"
#include "base/interrupt.hpp"
#include "base/words/quantity.hpp"
#include "models/files/package.hpp"

namespace detent::app {
namespace {

namespace tvm = models::tvm;

constexpr std::uint32_t kMeasuredRuns = 5;

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// Under these, arithmetic is not that of the text: branches on NaN and infinity, and results.
void require_plain_arithmetic(const std::vector<std::string>& flags) {
  for (const std::string& flag : flags) {
    const bool is_loose = flag == "-Ofast" || flag == "-ffast-math" || flag == "-ffinite-math-only" ||
                          flag == "-funsafe-math-optimizations" || flag == "-fassociative-math" ||
                          flag == "-freciprocal-math" || flag == "-fno-signed-zeros" ||
                          flag == "-fsingle-precision-constant";
    if (is_loose) {
      throw InputError("--cflags", "",
                       flag + " changes what the operators compute; leave it out, -O3 and -march are taken");
    }
  }
}

void add_weight_note(ImportedTvm& it) {
  const bool has_pool =
      std::any_of(it.import.program.objects.begin(), it.import.program.objects.end(),
                  [](const tvm::MemoryObject& object) { return object.kind == tvm::MemoryObject::Kind::kConstPool; });
  if (has_pool && it.import.artifact.constants.empty()) {
    it.import.notes.push_back(it.import.program.file +
                              ": no file with the pooled constants was found; they are taken as zeros");
  }
}

tvm::Import import_for(const ImportTvmOptions& options, const ImportedTvm& it, const std::string& triple) {
  const tvm::CTarget target{.triple = triple, .flags = tvm::meaning_flags(it.model_options.compile_flags)};
  return tvm::import_artifact(
      options.request.model,
      {.constants = true, .target = target, .includes = options.includes, .sources = options.sources});
}

void make_model_of_import(const ImportTvmOptions& options, ImportedTvm& it) {
  it.replan.reset();
  if (options.replan == "parallel") {
    it.replan = tvm::replan_parallel(it.import, {.model = it.model_options,
                                                 .stack_limit_bytes = options.scratch_limit,
                                                 .workers = options.workers,
                                                 .arena_limit_bytes = options.arena_limit_bytes,
                                                 .stays_within_tvm = options.stays_within_tvm});
  } else {
    it.planned_by_tvm = tvm::imported_model(it.import, it.model_options);
  }
}

/// The package for this host and the target, where it is the same for both; else for the target.
void make_model(const ImportTvmOptions& options, ImportedTvm& it) {
  if (options.target.empty()) return make_model_of_import(options, it);
  tvm::Import other = import_for(options, it, options.target);
  const std::vector<tvm::CTypes> own = other.artifact.types;
  it.import.artifact.types.push_back(own.front());
  other.artifact.types = it.import.artifact.types;
  make_model_of_import(options, it);
  const models::Model here = std::move(it.changing_model());
  const std::string difference = tvm::first_difference(it.import, other);
  std::swap(it.import, other);
  make_model_of_import(options, it);
  if (difference.empty() && here == it.model()) return;
  it.import.artifact.types = own;
  make_model_of_import(options, it);
  it.is_foreign = true;
  it.import.notes.push_back("for " + own.front().target + " alone, and not executed here: " +
                            (difference.empty() ? "the package for this host is another" : difference));
  if (options.audit || options.measure) {
    throw InputError(options.request.model, "",
                     "--audit and --measure execute the package, which would be for " + own.front().target +
                         " alone: " + difference + "; leave them out, or leave out --target-triple");
  }
}

void execute(const ImportTvmOptions& options, ImportedTvm& it, const OnStep& on_step) {
  on_step("compiles the operators");
  const LoadedModel loaded = load_imported(it.model(), options.compiler);
  if (options.audit || !options.no_audit) {
    it.audit =
        audit_import(it.import, it.model_options, loaded, options.compiler, options.request.seeds.input, on_step);
  }
  if (!options.measure || stop_requested()) return;
  on_step("measures the operators");
  const auto times = measure_op_times(loaded, kMeasuredRuns);
  for (std::size_t i = 0; i < times.size(); ++i) it.changing_model().ops[i].time_ps = times[i];
  for (const auto& [least, greatest] : times) it.costs.push_back(greatest);
  for (const std::uint32_t workers : {0U, 1U, 2U})
    it.measured.push_back({workers, measure_run(loaded, workers, kMeasuredRuns)});
  for (const std::uint32_t cores : {1U, 2U, 3U, 4U})
    it.simulated.push_back({cores, list_schedule_ps(it.model(), cores)});
}

}  // namespace

verify::Outcome ImportedTvm::outcome() const { return audit ? audit->outcome() : verify::Outcome::kHolds; }

void set_arena_limit(ImportTvmOptions& options, const std::string& text) {
  if (text == "tvm") {
    options.stays_within_tvm = true;
    return;
  }
  const std::optional<std::uint64_t> bytes = read_bytes(text);
  if (!bytes || *bytes == 0) {
    throw std::invalid_argument(
        "--arena-limit " + text +
        ": must be tvm or a size above 0, such as 64KiB, 1.5MiB or 65536 (bare numbers are bytes)");
  }
  options.arena_limit_bytes = *bytes;
}

ImportedTvm import_tvm(const ImportTvmOptions& options, const OnStep& on_step) {
  const bool has_limit = options.stays_within_tvm || options.arena_limit_bytes != UINT64_MAX;
  if (has_limit && options.replan != "parallel") {
    throw std::invalid_argument("--arena-limit: without --replan parallel TVM's own places stay as they are; add it");
  }
  refuse_other_name(options.request.model, "a TVM artifact");
  require_package_place(options.package);
  ImportedTvm it;
  it.model_options = {.hazard_edges = options.edges == "hazards", .compile_flags = words_of(options.flags)};
  require_plain_arithmetic(it.model_options.compile_flags);
  on_step("reads the artifact");
  it.import = import_for(options, it, tvm::host_target().triple);
  add_weight_note(it);
  on_step("makes the package");
  make_model(options, it);
  it.settings = choose_kernels(options.set, false, it.changing_model()).summary;
  apply_model_files({.set = options.set, .schedule = options.schedule}, it.changing_model(), it.settings);
  if (options.audit || options.measure) {
    it.is_interrupted = !finishes([&] { execute(options, it, on_step); });
  }
  if (!it.is_interrupted) models::write_package(it.model(), options.package);
  return it;
}

}  // namespace detent::app
