// Page data: ReportData -> the JSON that the drawings of report.html read.
#include "reports/view/page_data.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "reports/view/dag_layout.hpp"
#include "reports/view/desc_view.hpp"
#include "reports/view/kernel_family.hpp"
#include "reports/view/lanes.hpp"
#include "reports/view/machine_view.hpp"
#include "reports/view/memory_map.hpp"

namespace detent::reports {
namespace {

constexpr std::uint64_t kDenseParts = 1000;  // of a run: short spans that are nearer to each other are drawn as one

/// Interns strings in order of first use.
class Names {
 public:
  std::uint32_t id(const std::string& name) {
    const auto [at, is_new] = ids_.try_emplace(name, static_cast<std::uint32_t>(list_.size()));
    if (is_new) list_.push_back(short_name(name));
    return at->second;
  }
  [[nodiscard]] const Json& list() const { return list_; }

 private:
  std::map<std::string, std::uint32_t> ids_;
  Json list_ = Json::array();
};

constexpr std::size_t kFamilyCount = static_cast<std::size_t>(KernelFamily::kOther) + 1;

/// What an op is called in the legend: its family; in a graph that knows no families, the kernel.
struct FamilyShare {
  std::string name;
  std::size_t colour = 0;
  std::uint64_t weight = 0;
};

/// Families by the time they take in the first timeline (by number of ops without one), the largest first.
std::vector<FamilyShare> families_of(const ReportData& data) {
  std::array<std::uint64_t, kFamilyCount> weight{};
  std::vector<std::uint8_t> family(op_count(data.desc));
  for (OpId op = 0; op < family.size(); ++op) {
    family[op] = static_cast<std::uint8_t>(family_of(kernel_name(data.desc, op), op_name(data.desc, op)));
    weight[family[op]] += 1;
  }
  if (!data.timelines.empty()) {
    for (const harness::Span& span : data.timelines.front().trace.spans) {
      if (span.op < family.size()) weight[family[span.op]] += span.end_ps - std::min(span.begin_ps, span.end_ps);
    }
  }
  std::vector<FamilyShare> out;
  for (std::size_t i = 0; i < kFamilyCount; ++i) {
    if (weight[i] != 0) out.push_back({family_name(static_cast<KernelFamily>(i)), i, weight[i]});
  }
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.weight > b.weight; });
  const bool is_unknown = out.size() == 1 && out.front().colour == kFamilyCount - 1;
  if (is_unknown) out.front() = {"ops", 0, out.front().weight};
  return out;
}

Json groups_json(const std::vector<FamilyShare>& families) {
  std::uint64_t total = 0;
  for (const FamilyShare& family : families) total += family.weight;
  Json out = Json::array();
  for (const FamilyShare& family : families) {
    const double share = total > 0 ? static_cast<double>(family.weight) / static_cast<double>(total) : 0.0;
    out.push_back({{"family", family.name}, {"colour", family.colour}, {"share", format_share(share)}});
  }
  return out;
}

Json tensor_lists(const detent_desc* desc, std::uint32_t count, bool is_write) {
  Json out = Json::array();
  for (OpId op = 0; op < count; ++op) out.push_back(is_write ? writes_of(desc, op) : reads_of(desc, op));
  return out;
}

/// What a drawing says of an op.
class OpTexts {
 public:
  explicit OpTexts(const detent_desc* desc, const std::vector<FamilyShare>& families) : desc_(desc) {
    for (const FamilyShare& family : families) only_ = families.size() == 1 ? family.colour : only_;
  }

  std::uint32_t kernel(OpId op) { return kernels_.id(kernel_name(desc_, op)); }
  std::uint32_t core_class(OpId op) { return classes_.id(class_name(desc_, op)); }
  [[nodiscard]] std::size_t colour(OpId op) const {
    return only_.value_or(static_cast<std::size_t>(family_of(kernel_name(desc_, op), op_name(desc_, op))));
  }
  [[nodiscard]] const Json& kernels() const { return kernels_.list(); }
  [[nodiscard]] const Json& classes() const { return classes_.list(); }

 private:
  const detent_desc* desc_;
  Names kernels_, classes_;
  std::optional<std::size_t> only_{};  ///< colour of all ops, where there is one
};

/// Names and kernels of every op a drawing may ask for: those in the graph as lists, others that have a span by id;
/// tensors only of ops in the graph.
Json ops_json(const detent_desc* desc, const PageLimits& limits, const std::vector<FamilyShare>& families,
              const std::set<OpId>& with_span) {
  const auto drawn = static_cast<std::uint32_t>(std::min<std::size_t>(op_count(desc), limits.ops));
  OpTexts texts(desc, families);
  Json name = Json::array();
  Json kernel = Json::array();
  Json core_class = Json::array();
  Json colour = Json::array();
  for (OpId op = 0; op < drawn; ++op) {
    name.push_back(short_name(op_name(desc, op)));
    kernel.push_back(texts.kernel(op));
    core_class.push_back(texts.core_class(op));
    colour.push_back(texts.colour(op));
  }
  Json further = Json::array();  // op, name, kernel, class, colour
  for (auto at = with_span.lower_bound(drawn); at != with_span.end(); ++at) {
    if (*at >= op_count(desc)) break;
    further.push_back(*at);
    further.push_back(short_name(op_name(desc, *at)));
    further.push_back(texts.kernel(*at));
    further.push_back(texts.core_class(*at));
    further.push_back(texts.colour(*at));
  }
  Json tensors = Json::array();
  const std::uint32_t tensor_count = desc != nullptr && desc->tensors != nullptr ? desc->tensor_count : 0;
  for (std::uint32_t t = 0; t < std::min<std::size_t>(tensor_count, limits.tensors * 2); ++t) {
    tensors.push_back(short_name(tensor_name(desc, t)));
  }
  return {{"count", op_count(desc)},
          {"name", name},
          {"kernel", kernel},
          {"class", core_class},
          {"colour", colour},
          {"further", further},
          {"kernels", texts.kernels()},
          {"classes", texts.classes()},
          {"tensors", tensors},
          {"reads", tensor_lists(desc, drawn, false)},
          {"writes", tensor_lists(desc, drawn, true)}};
}

Json graph_json(const DagLayout& layout) {
  Json edges = Json::array();  // from, to, number of bends, bends...
  for (const LayoutEdge& edge : layout.edges) {
    edges.push_back(edge.from);
    edges.push_back(edge.to);
    edges.push_back(edge.bends.size());
    for (const std::int32_t bend : edge.bends) edges.push_back(bend);
  }
  return {{"layer", layout.layer},
          {"y", layout.y},
          {"edges", edges},
          {"layers", layout.layer_count},
          {"height", layout.height}};
}

/// What a lane of the timeline shows: an op, or kOverheadBlock, or kLoadBlock less the number of the load.
struct TimelineBlock {
  std::int64_t what = 0;
  std::uint64_t begin_ps = 0, duration_ps = 0;
};
constexpr std::int64_t kOverheadBlock = -1;
constexpr std::int64_t kLoadBlock = -2;

struct TimelineLane {
  std::string name;
  bool is_transfer = false;  ///< shows an op's DMA beside the core that executes it
  std::vector<TimelineBlock> blocks;
};

TimelineBlock block_of(const harness::Use& use) {
  std::int64_t what = use.op;
  if (use.kind == harness::UseKind::kOverhead) what = kOverheadBlock;
  if (use.kind == harness::UseKind::kLoad) what = kLoadBlock - (use.load == DETENT_NONE ? 0 : std::int64_t{use.load});
  return {what, use.begin_ps, use.end_ps - use.begin_ps};
}

/// Parts of the chip where they were simulated, else the engine's slots.
std::vector<TimelineLane> timeline_lanes(const detent_desc* desc, const TimelineRun& run) {
  std::vector<TimelineLane> out;
  if (run.machine.resources.empty()) {
    for (const Lane& lane : lanes_of(run)) {
      out.push_back({lane.name, false, {}});
      for (const harness::Span& span : lane.spans) {
        out.back().blocks.push_back({span.op, span.begin_ps, span.end_ps - span.begin_ps});
      }
    }
    return out;
  }
  const harness::MachineTrace machine = machine_of(desc, run);
  std::vector<TimelineLane> lanes;
  for (const harness::Resource& part : machine.resources) {
    lanes.push_back({part.name, part.kind == harness::ResourceKind::kDma, {}});
  }
  for (const harness::Use& use : machine.uses) lanes[use.resource].blocks.push_back(block_of(use));
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (machine.resources[i].kind != harness::ResourceKind::kDram) out.push_back(std::move(lanes[i]));
  }
  return out;
}

/// Durations from which on blocks are kept so that at most `budget` remain; 0 keeps all.
std::uint64_t shortest_kept(const std::vector<TimelineLane>& lanes, std::size_t budget) {
  std::vector<std::uint64_t> lengths;
  for (const TimelineLane& lane : lanes) {
    for (const TimelineBlock& block : lane.blocks) lengths.push_back(block.duration_ps);
  }
  if (lengths.size() <= budget) return 0;
  const auto at = lengths.end() - static_cast<std::ptrdiff_t>(budget + 1);
  std::nth_element(lengths.begin(), at, lengths.end());
  return *at + 1;
}

/// Spans of one lane that are too short to be drawn one by one, together: begin, duration, how many, for how long.
class DenseBlocks {
 public:
  explicit DenseBlocks(std::uint64_t gap_ps) : gap_ps_(gap_ps) {}

  void add(const TimelineBlock& block) {
    if (count_ > 0 && block.begin_ps > end_ps_ && block.begin_ps - end_ps_ > gap_ps_) close();
    if (count_ == 0) begin_ps_ = end_ps_ = block.begin_ps;
    end_ps_ = std::max(end_ps_, block.begin_ps + block.duration_ps);
    busy_ps_ += block.duration_ps;
    ++count_;
  }
  void close() {
    if (count_ == 0) return;
    for (const std::uint64_t value : {begin_ps_, end_ps_ - begin_ps_, count_, busy_ps_}) list_.push_back(value);
    count_ = busy_ps_ = 0;
  }
  Json take() {
    close();
    return std::move(list_);
  }

 private:
  std::uint64_t gap_ps_;
  std::uint64_t begin_ps_ = 0, end_ps_ = 0, count_ = 0, busy_ps_ = 0;
  Json list_ = Json::array();
};

Json timeline_json(const detent_desc* desc, const TimelineRun& run, std::size_t budget, std::uint64_t& left_out,
                   std::set<OpId>& with_span) {
  const std::vector<TimelineLane> drawn = timeline_lanes(desc, run);
  const std::uint64_t shortest_ps = shortest_kept(drawn, budget);
  Json lanes = Json::array();
  for (const TimelineLane& lane : drawn) {
    Json spans = Json::array();  // what, begin, duration
    DenseBlocks dense(run.makespan_ps / kDenseParts);
    for (const TimelineBlock& block : lane.blocks) {
      if (block.duration_ps < shortest_ps) {
        ++left_out;
        dense.add(block);
        continue;
      }
      dense.close();
      if (block.what >= 0) with_span.insert(OpId{static_cast<std::uint32_t>(block.what)});
      spans.push_back(block.what);
      spans.push_back(block.begin_ps);
      spans.push_back(block.duration_ps);
    }
    lanes.push_back({{"name", short_name(lane.name)},
                     {"dma", lane.is_transfer},
                     {"spans", std::move(spans)},
                     {"dense", dense.take()}});
  }
  Json loads = Json::array();
  for (const std::string& load : run.machine.loads) loads.push_back(short_name(load));
  return {{"title", short_name(run.title)}, {"native", run.is_native},   {"lost", run.trace.dropped},
          {"makespan", run.makespan_ps},    {"loads", std::move(loads)}, {"lanes", std::move(lanes)}};
}

Json memory_json(const detent_desc* desc, const MemoryMap& map) {
  Json blocks = Json::array();  // region, offset, size, begin, end, tensor, producer or -1, 1 for a write
  for (const MemoryBlock& block : map.blocks) {
    const std::int64_t producer = block.producer == DETENT_NONE ? -1 : static_cast<std::int64_t>(block.producer);
    for (const std::uint64_t value :
         {std::uint64_t{block.region}, block.offset_bytes, block.size_bytes, block.begin, block.end}) {
      blocks.push_back(value);
    }
    blocks.push_back(short_name(tensor_name(desc, block.tensor)));
    blocks.push_back(producer);
    blocks.push_back(block.is_write ? 1 : 0);
  }
  Json regions = Json::array();
  for (std::uint32_t r = 0; desc != nullptr && desc->regions != nullptr && r < desc->region_count; ++r) {
    regions.push_back({{"name", short_name(region_name(desc, r))}, {"size", desc->regions[r].size_bytes}});
  }
  return {{"time", map.is_time}, {"end", map.end}, {"regions", regions}, {"blocks", blocks}};
}

/// The run whose memory is drawn: the typical one, else whichever there is.
const TimelineRun* memory_run(const ReportData& data) {
  if (data.timelines.empty()) return nullptr;
  return &data.timelines[data.timelines.size() > 1 ? 1 : 0];
}

void note(Json& notes, const char* section, std::uint64_t left_out, const std::string& what) {
  if (left_out > 0) notes.push_back({{"section", section}, {"text", format_integer(left_out) + " " + what}});
}

}  // namespace

Json page_data(const ReportData& data, const PageLimits& limits) {
  Json notes = Json::array();
  Json timelines = Json::array();
  std::set<OpId> with_span;
  for (const TimelineRun& run : data.timelines) {
    std::uint64_t left_out = 0;
    timelines.push_back(timeline_json(data.desc, run, limits.spans / data.timelines.size(), left_out, with_span));
    note(notes, "timeline", left_out,
         "shorter spans of the " + short_name(run.title) + " are drawn together, hatched: not idle time.");
    note(notes, "timeline", run.trace.dropped,
         "log records of the " + short_name(run.title) + " were lost: what it did in the hatched lanes is not known.");
  }
  const DagLayout layout = layout_dag(data.desc, {.ops = limits.ops, .edges = limits.edges});
  note(notes, "graph", layout.ops_left_out, "ops with higher ids are not drawn.");
  note(notes, "graph", layout.edges_left_out, "edges are not drawn.");
  const TimelineRun* run = memory_run(data);
  const MemoryMap map = map_memory(data.desc, run, limits.tensors);
  note(notes, "memory", map.left_out, "smaller blocks are not drawn.");
  Json memory = memory_json(data.desc, map);
  Json lost = Json::array();
  for (const LostBlock& block : map_lost_values(data.desc, run, map, data.lost_values)) {
    lost.push_back({{"region", block.region},
                    {"offset", block.offset_bytes},
                    {"size", block.size_bytes},
                    {"begin", block.begin},
                    {"end", block.end},
                    {"text", short_name(block.text)}});
  }
  if (!lost.empty()) memory["lost"] = std::move(lost);
  memory["run"] = run != nullptr ? short_name(run->title) : "";
  const std::vector<FamilyShare> families = families_of(data);
  return {{"model", short_name(data.model)},
          {"ops", ops_json(data.desc, limits, families, with_span)},
          {"groups", groups_json(families)},
          {"graph", graph_json(layout)},
          {"timelines", timelines},
          {"memory", memory},
          {"notes", notes}};
}

}  // namespace detent::reports
