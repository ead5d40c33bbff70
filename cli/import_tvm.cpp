#include "cli/import_tvm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "base/input_error.hpp"
#include "cli/checker.hpp"
#include "cli/output.hpp"
#include "cli/tvm_runs.hpp"
#include "harness/run.hpp"
#include "models/files/package.hpp"

namespace detent::cli {
namespace {

namespace tvm = models::tvm;

constexpr std::size_t kRacesListed = 10'000;
constexpr std::size_t kRacesShown = 5;
constexpr std::size_t kOpinionsShown = 5;
constexpr std::uint32_t kMeasuredRuns = 5;

std::string kinds_text(std::uint8_t kinds) {
  std::string text;
  for (const auto& [bit, name] : {std::pair{tvm::kRaw, "raw"}, {tvm::kWar, "war"}, {tvm::kWaw, "waw"}}) {
    if ((kinds & bit) != 0) text += (text.empty() ? "" : "+") + std::string(name);
  }
  return text;
}

Json race_json(const tvm::Program& program, const tvm::Conflict& race) {
  Json overlaps = Json::array();
  for (const tvm::Overlap& overlap : race.overlaps) {
    const tvm::ByteInterval hull = overlap.bytes.hull();
    overlaps.push_back({{"kind", kinds_text(overlap.kind)},
                        {"region", program.objects[overlap.object].name},
                        {"offset", hull.begin},
                        {"end", hull.end},
                        {"bytes", overlap.bytes.size_bytes()},
                        {"name_a", overlap.what_a},
                        {"name_b", overlap.what_b}});
  }
  return {{"op_a", race.a},
          {"op_b", race.b},
          {"function_a", program.calls[race.a].function},
          {"function_b", program.calls[race.b].function},
          {"kind", kinds_text(race.kinds)},
          {"overlaps", std::move(overlaps)}};
}

Json parallelism_json(const tvm::Parallelism& p) {
  return {{"edges", p.edges},
          {"width", p.width},
          {"depth", p.depth},
          {"work", p.work},
          {"critical_path", p.critical_path},
          {"unordered_pairs", p.unordered_pairs}};
}

const char* strategy_key(tvm::ScratchPlace place) {
  switch (place) {
    case tvm::ScratchPlace::kPerCall:
      return "per-call";
    case tvm::ScratchPlace::kPerLane:
      return "per-worker";
    case tvm::ScratchPlace::kAsImported:
      return "tvm";
  }
  return "?";
}

std::vector<tvm::CallEdge> edges_of(const models::Model& model) {
  std::vector<tvm::CallEdge> edges;
  for (const models::Edge& edge : model.edges) edges.emplace_back(edge.from, edge.to);
  return edges;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

Json missing_json(const tvm::MissingCode& missing) {
  Json functions = Json::array();
  for (const tvm::MissingCode::Item& item : missing.functions)
    functions.push_back({{"function", item.function}, {"why", item.why}, {"ops", item.ops}});
  Json headers = Json::array();
  for (const tvm::MissingHeader& header : missing.headers)
    headers.push_back({{"header", header.name}, {"file", header.file}, {"line", header.line}});
  return {{"functions", std::move(functions)}, {"headers", std::move(headers)}, {"text", missing.text()}};
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

/// One import as it goes: what was read, what was made of it, what was executed.
class TvmImport {
 public:
  explicit TvmImport(const ImportTvmOptions& options)
      : options_(options), model_options_{.hazard_edges = true, .compile_flags = words_of(options.flags)} {
    require_plain_arithmetic(model_options_.compile_flags);
    model_options_.hazard_edges = options.edges == "hazards";
    import_ = import_for(tvm::host_target().triple);
    add_weight_note();
  }

  int run() {
    make_model();
    if (options_.audit || options_.measure) execute();
    models::write_package(model(), options_.package);
    write_json(options_.common, answer());
    print();
    if (!audit_) return kHolds;
    const verify::Outcome outcome = audit_->outcome();
    return outcome == verify::Outcome::kViolated ? kViolated : outcome == verify::Outcome::kUnknown ? kUnknown : kHolds;
  }

 private:
  models::Model& model() { return replan_ ? replan_->model : model_; }
  [[nodiscard]] const tvm::Program& program() const { return import_.program; }

  void add_weight_note() {
    const bool has_pool =
        std::any_of(program().objects.begin(), program().objects.end(),
                    [](const tvm::MemoryObject& object) { return object.kind == tvm::MemoryObject::Kind::kConstPool; });
    if (has_pool && import_.artifact.constants.empty()) {
      import_.notes.push_back(program().file +
                              ": no file with the pooled constants was found; they are taken as zeros");
    }
  }

  [[nodiscard]] tvm::Import import_for(const std::string& triple) const {
    const tvm::CTarget target{.triple = triple, .flags = tvm::meaning_flags(model_options_.compile_flags)};
    return tvm::import_artifact(
        options_.common.model,
        {.constants = true, .target = target, .includes = options_.includes, .sources = options_.sources});
  }

  /// The package for this host and the target, where it is the same for both; else for the target.
  void make_model() {
    if (options_.target.empty()) return make_model_of_import();
    tvm::Import other = import_for(options_.target);
    const std::vector<tvm::CTypes> own = other.artifact.types;
    import_.artifact.types.push_back(own.front());
    other.artifact.types = import_.artifact.types;
    make_model_of_import();
    const models::Model here = std::move(model());
    const std::string difference = tvm::first_difference(import_, other);
    std::swap(import_, other);
    make_model_of_import();
    if (difference.empty() && here == model()) return;
    import_.artifact.types = own;
    make_model_of_import();
    is_foreign_ = true;
    import_.notes.push_back("for " + own.front().target + " alone, and not executed here: " +
                            (difference.empty() ? "the package for this host is another" : difference));
    if (options_.audit || options_.measure) {
      throw InputError(options_.common.model, "",
                       "--audit and --measure execute the package, which would be for " + own.front().target +
                           " alone: " + difference + "; leave them out, or leave out --target-triple");
    }
  }

  void make_model_of_import() {
    replan_.reset();
    if (options_.replan == "parallel") {
      replan_ = tvm::replan_parallel(import_, {.model = model_options_,
                                               .stack_limit_bytes = options_.scratch_limit,
                                               .workers = options_.workers,
                                               .arena_limit_bytes = options_.arena_limit_bytes,
                                               .stays_within_tvm = options_.stays_within_tvm});
    } else {
      model_ = tvm::imported_model(import_, model_options_);
    }
  }

  void execute() {
    const app::LoadedModel loaded = load_imported(model(), options_.compiler);
    if (options_.audit || !options_.no_audit)
      audit_ = audit_import(import_, model_options_, loaded, options_.compiler, options_.input_seed);
    if (!options_.measure) return;
    const auto times = measure_op_times(loaded, kMeasuredRuns);
    for (std::size_t i = 0; i < times.size(); ++i) model().ops[i].time_ps = times[i];
    for (const auto& [least, greatest] : times) costs_.push_back(greatest);
    for (const std::uint32_t workers : {0U, 1U, 2U})
      measured_.push_back({workers, measure_run(loaded, workers, kMeasuredRuns)});
    for (const std::uint32_t cores : {1U, 2U, 3U, 4U}) simulated_.push_back({cores, list_schedule_ps(model(), cores)});
  }

  [[nodiscard]] std::vector<std::uint64_t> costs() const {
    if (!costs_.empty()) return costs_;
    std::vector<std::uint64_t> flops;
    for (const models::Op& op : (replan_ ? replan_->model : model_).ops)
      flops.push_back(std::max<std::uint64_t>(op.flops, 1));
    return flops;
  }

  Json parallelism_answer() {
    const std::size_t calls = program().calls.size();
    Json json = {{"unit", costs_.empty() ? "flops" : "ps"},
                 {"names", parallelism_json(tvm::parallelism(calls, import_.hazards.name_edges, costs()))},
                 {"hazards", parallelism_json(tvm::parallelism(calls, import_.hazards.hazard_edges, costs()))}};
    if (replan_) json["replanned"] = parallelism_json(tvm::parallelism(calls, edges_of(replan_->model), costs()));
    return json;
  }

  [[nodiscard]] Json plans_answer() const {
    Json plans = Json::array();
    for (std::size_t i = 0; i < replan_->plans.size(); ++i) {
      const tvm::ReplanFigures& plan = replan_->plans[i];
      plans.push_back({{"order", plan.name},
                       {"strategy", strategy_key(plan.strategy)},
                       {"arena_bytes", plan.arena_bytes},
                       {"lower_bound_bytes", plan.lower_bound_bytes},
                       {"parallelism", parallelism_json(plan.parallelism)},
                       {"leaves_all", plan.leaves_all},
                       {"taken", i == replan_->taken}});
    }
    return plans;
  }

  [[nodiscard]] Json arena_answer() const {
    return {{"tvm_bytes", replan_->tvm_arena_bytes},
            {"arena_bytes", replan_->plan().arena_bytes},
            {"order", replan_->plan().name},
            {"strategy", strategy_key(replan_->plan().strategy)},
            {"per_call_bytes", replan_->plans[0].arena_bytes},
            {"per_worker_bytes", replan_->plans[1].arena_bytes},
            {"lower_bound_bytes", replan_->lower_bound_bytes},
            {"stack_bytes", replan_->stack_bytes},
            {"local_buffers", replan_->local_buffers},
            {"moved_buffers", replan_->moved_buffers},
            {"in_place_ops", replan_->shared_in_place},
            {"plans", plans_answer()}};
  }

  [[nodiscard]] Json opinions_answer() const {
    Json opinions = Json::array();
    for (const OpOpinion& one : audit_->kernels.opinions) {
      Json json = {{"op", one.op},
                   {"function", one.function},
                   {"inputs", one.holds_for_all_inputs() ? "all" : "this"},
                   {"ir", ir_opinion_name(one.ir.kind)},
                   {"text", footprint_name(one.text)},
                   {"disagrees", one.disagrees()},
                   {"equal", one.is_equal}};
      if (!one.holds_for_all_inputs()) json["why"] = one.reason();
      opinions.push_back(std::move(json));
    }
    return opinions;
  }

  static Json witness_texts(const verify::Verdict& verdict) {
    Json texts = Json::array();
    for (const verify::Witness& witness : verdict.witnesses) texts.push_back(witness.text);
    return texts;
  }

  Json audit_answer() {
    Json slack = Json::array();
    for (const verify::AccessSlack& one : audit_->kernels.accesses.slack) {
      slack.push_back({{"op", one.op}, {"read_bytes", one.read_bytes}, {"scratch_bytes", one.scratch_bytes}});
    }
    Json json = {{"accesses", verify::outcome_name(audit_->kernels.accesses.verdict.outcome)},
                 {"observed_ops", audit_->kernels.accesses.observed_ops},
                 {"findings", witness_texts(audit_->kernels.accesses.verdict)},
                 {"declared_untouched", std::move(slack)},
                 {"serial_digest", harness::format_digest(audit_->runs.serial_digest)},
                 {"determinism", verify::outcome_name(audit_->runs.verdict.outcome)},
                 {"results", verify::outcome_name(audit_->results())},
                 {"runs", audit_->runs.runs.size()}};
    json["text_analysis"] = {{"outcome", verify::outcome_name(audit_->text.outcome)},
                             {"summary", audit_->text.summary},
                             {"findings", witness_texts(audit_->text)}};
    json["all_inputs_ops"] = audit_->kernels.all_inputs_ops();
    json["opinions"] = opinions_answer();
    if (audit_->reference_digest) json["reference_digest"] = harness::format_digest(*audit_->reference_digest);
    return json;
  }

  Json answer() {
    const tvm::HazardReport& hazards = import_.hazards;
    Json json = json_header("import", options_.common);
    json["package"] = options_.package;
    json["module"] = import_.artifact.module_name;
    json["tvm_version"] = import_.artifact.tvm_version;
    json["ops"] = program().calls.size();
    json["edges"] = hazards.name_edges.size();
    json["tensors"] = program().buffers.size();
    json["unordered_pairs"] = hazards.unordered_pairs;
    json["conflicting_pairs"] = hazards.conflicts.size();
    json["racing_pairs"] = hazards.racing_pairs;
    json["hazards"] = {{"raw", hazards.raw}, {"war", hazards.war}, {"waw", hazards.waw}};
    json["targets"] = Json::array();
    for (const tvm::CTypes& types : import_.artifact.types) json["targets"].push_back(types.target);
    json["executable_here"] = !is_foreign_;
    json["package_edges"] = model().edges.size();
    json["parallelism"] = parallelism_answer();
    if (replan_) json["replan"] = arena_answer();
    if (audit_) json["audit"] = audit_answer();
    if (!measured_.empty() && !options_.common.reproducible) {
      Json native = Json::array();
      for (const auto& [workers, ps] : measured_) native.push_back({{"workers", workers}, {"best_ns", ps / 1000}});
      Json cores = Json::array();
      for (const auto& [count, ps] : simulated_) cores.push_back({{"cores", count}, {"makespan_ps", ps}});
      json["host"] = {{"native", std::move(native)}, {"list_schedule", std::move(cores)}};
    }
    if (!import_.missing.empty()) json["missing"] = missing_json(import_.missing);
    Json calls = Json::array();
    for (std::size_t i = 0; i < program().calls.size(); ++i) {
      calls.push_back({{"op", i}, {"function", program().calls[i].function}, {"line", program().calls[i].line}});
    }
    json["calls"] = std::move(calls);
    Json races = Json::array();
    for (const tvm::Conflict& conflict : hazards.conflicts) {
      if (!conflict.is_ordered && races.size() < kRacesListed) races.push_back(race_json(program(), conflict));
    }
    json["races"] = std::move(races);
    json["notes"] = import_.notes;
    return json;
  }

  void print() {
    const Common& common = options_.common;
    const tvm::HazardReport& hazards = import_.hazards;
    say(common, fmt::format("{}: {} operator calls, {} tensors{}", common.model, program().calls.size(),
                            program().buffers.size(),
                            import_.artifact.tvm_version.empty() ? "" : ", TVM " + import_.artifact.tvm_version));
    say(common, fmt::format("edges by names       {} (read after write)", hazards.name_edges.size()));
    say(common, fmt::format("conflicting pairs    {} (RAW {}, WAR {}, WAW {})", hazards.conflicts.size(), hazards.raw,
                            hazards.war, hazards.waw));
    say(common, fmt::format("racing pairs         {} of {} that the names leave unordered", hazards.racing_pairs,
                            hazards.unordered_pairs));
    print_races();
    print_parallelism();
    if (replan_) print_replan();
    if (audit_) print_audit();
    print_measured();
    for (const std::string& note : import_.notes) say(common, "note: " + note);
    if (!import_.missing.empty()) say(common, "not executable: " + import_.missing.text());
    say(common, fmt::format("package              {} ({} edges)", options_.package, model().edges.size()));
  }

  void print_races() {
    std::size_t shown = 0;
    for (const tvm::Conflict& race : import_.hazards.conflicts) {
      if (race.is_ordered) continue;
      if (shown++ == kRacesShown) break;
      const tvm::Overlap& overlap = race.overlaps.front();
      const tvm::ByteInterval hull = overlap.bytes.hull();
      say(options_.common,
          fmt::format("    {} op {} ({}) and op {} ({}): {} bytes of {} in [{}, {})", kinds_text(overlap.kind), race.a,
                      overlap.what_a, race.b, overlap.what_b, overlap.bytes.size_bytes(),
                      program().objects[overlap.object].name, hull.begin, hull.end));
    }
    if (import_.hazards.racing_pairs > kRacesShown) {
      say(options_.common,
          fmt::format("    and {} more; --json FILE lists them", import_.hazards.racing_pairs - kRacesShown));
    }
  }

  void print_parallelism() {
    const Json all = parallelism_answer();
    for (const char* key : {"names", "hazards", "replanned"}) {
      if (!all.contains(key)) continue;
      const Json& p = all[key];
      const double work = p["work"].get<double>();
      const double path = std::max(1.0, p["critical_path"].get<double>());
      say(options_.common,
          fmt::format("parallelism          {:<10} width {}, depth {}, work / critical path {:.2f} (by {}){}", key,
                      p["width"].get<std::uint64_t>(), p["depth"].get<std::uint64_t>(), work / path,
                      costs_.empty() ? "flops" : "measured times",
                      std::string(key) == "names" && import_.hazards.racing_pairs > 0 ? "  RACY" : ""));
    }
  }

  [[nodiscard]] std::string against_tvm(std::uint64_t bytes) const {
    const auto tvm_bytes = static_cast<double>(std::max<std::uint64_t>(replan_->tvm_arena_bytes, 1));
    return fmt::format("{} ({:+.1f} %)", format_bytes(bytes), 100.0 * (static_cast<double>(bytes) / tvm_bytes - 1.0));
  }

  void print_replan() {
    say(options_.common, fmt::format("arena                TVM {}, re-planned {}, lower bound of all plans {}",
                                     format_bytes(replan_->tvm_arena_bytes), against_tvm(replan_->plan().arena_bytes),
                                     format_bytes(replan_->lower_bound_bytes)));
    say(options_.common, fmt::format("    {} scratch buffers local (at most {} on a stack), {} moved; ops in place: {}",
                                     replan_->local_buffers, format_bytes(replan_->stack_bytes), replan_->moved_buffers,
                                     replan_->shared_in_place));
    for (std::size_t i = 0; i < replan_->plans.size(); ++i) {
      const tvm::ReplanFigures& plan = replan_->plans[i];
      const tvm::Parallelism& p = plan.parallelism;
      const double path = static_cast<double>(std::max<std::uint64_t>(p.critical_path, 1));
      say(options_.common,
          fmt::format("  {} {:<36} {}, work / critical path {:.2f} (by flops), {} pairs at once; scratch {}",
                      i == replan_->taken ? "*" : " ", plan.name, against_tvm(plan.arena_bytes),
                      static_cast<double>(p.work) / path, p.unordered_pairs, tvm::scratch_place_name(plan.strategy)));
    }
    const bool may_be_smaller = replan_->plan().arena_bytes > replan_->tvm_arena_bytes;
    if (may_be_smaller) say(options_.common, "    --arena-limit tvm takes the best plan that is no larger than TVM's");
  }

  void print_audited(const char* name, const verify::Verdict& verdict) {
    say(options_.common,
        fmt::format("audit: {:<14}{:<10}{}", name, verify::outcome_name(verdict.outcome), verdict.summary));
    for (const verify::Witness& witness : verdict.witnesses) say(options_.common, "    " + witness.text);
  }

  void print_audit() {
    print_audited("text analysis", audit_->text);
    print_audited("accesses", audit_->kernels.accesses.verdict);
    print_opinions();
    const std::string serial = harness::format_digest(audit_->runs.serial_digest);
    say(options_.common,
        fmt::format("audit: results       {:<10}digest {} in {} runs; main of the artifact: {}",
                    verify::outcome_name(audit_->results()), serial, audit_->runs.runs.size() + 1,
                    audit_->reference_digest ? harness::format_digest(*audit_->reference_digest) : "not executable"));
  }

  /// One run stands for all where no address or branch depends on data.
  void print_opinions() {
    say(options_.common,
        fmt::format(
            "audit: inputs        {} of {} ops touch the same bytes for all inputs: no address or branch depends on "
            "data (LLVM IR)",
            audit_->kernels.all_inputs_ops(), audit_->kernels.opinions.size()));
    std::size_t shown = 0;
    std::size_t left = 0;
    for (const OpOpinion& one : audit_->kernels.opinions) {
      if (one.holds_for_all_inputs() && !one.disagrees()) continue;
      if (shown == kOpinionsShown) {
        ++left;
        continue;
      }
      ++shown;
      if (!one.holds_for_all_inputs()) {
        say(options_.common,
            fmt::format("    op {} ({}): for this input only: {}", one.op, one.function, one.reason()));
      }
      if (one.disagrees()) {
        say(options_.common, fmt::format("    op {} ({}): text analysis says {}, LLVM IR {}", one.op, one.function,
                                         footprint_name(one.text), ir_opinion_name(one.ir.kind)));
      }
    }
    if (left > 0) say(options_.common, fmt::format("    and {} more; --json FILE lists them", left));
  }

  void print_measured() {
    if (measured_.empty() || options_.common.reproducible) return;
    std::string text = "measured            ";
    for (const auto& [workers, ps] : measured_) text += fmt::format(" {} workers {}", workers, format_time(ps));
    say(options_.common, text);
    text = "list schedule       ";
    for (const auto& [cores, ps] : simulated_) {
      text += fmt::format(
          " {} cores {} ({:.2f}x)", cores, format_time(ps),
          static_cast<double>(simulated_.front().second) / static_cast<double>(std::max<std::uint64_t>(ps, 1)));
    }
    say(options_.common, text);
  }

  const ImportTvmOptions& options_;
  tvm::ModelOptions model_options_;
  tvm::Import import_;
  bool is_foreign_ = false;  ///< the package cannot be executed on this host
  models::Model model_;
  std::optional<tvm::Replan> replan_;
  std::optional<ImportAudit> audit_;
  std::vector<std::uint64_t> costs_;  ///< measured, by op
  std::vector<std::pair<std::uint32_t, std::uint64_t>> measured_, simulated_;
};

}  // namespace

int import_tvm(const ImportTvmOptions& options) { return TvmImport(options).run(); }

}  // namespace detent::cli
