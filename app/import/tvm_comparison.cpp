// Per call and object: writes are equal; first reads are within the analysed ones, and those within all reads.
#include "app/import/tvm_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/counted.hpp"
#include "base/ids.hpp"

namespace detent::app {
namespace {

namespace tvm = models::tvm;
using Object = tvm::MemoryObject::Kind;

/// Bytes of one region that a call touches.
struct Touched {
  ByteRanges reads, writes;
};

/// Region and first byte of an object; region kNone: none of its own.
struct Base {
  RegionId region = models::kNone;
  std::uint64_t offset = 0;
};

Base base_of(const LoadedModel& original, const tvm::ObjectPlace& place) {
  if (place.region != models::kNone) return {.region = place.region, .offset = 0};
  if (place.tensor == models::kNone) return {};
  const detent_tensor& tensor = original.desc().tensors[place.tensor];
  return {.region = tensor.region, .offset = tensor.offset_bytes};
}

void append_ranges(const tvm::ByteSet& bytes, std::uint64_t offset, std::vector<ByteRange>& to) {
  for (const tvm::ByteInterval& one : bytes.intervals()) {
    to.push_back(
        {.begin = offset + static_cast<std::uint64_t>(one.begin), .end = offset + static_cast<std::uint64_t>(one.end)});
  }
}

/// What the analysis says, by region.
std::map<std::uint32_t, Touched> analysed(const tvm::Import& import, const LoadedModel& original,
                                          const std::vector<tvm::ObjectPlace>& places, std::uint32_t call) {
  std::map<std::uint32_t, std::pair<std::vector<ByteRange>, std::vector<ByteRange>>> lists;
  for (const tvm::CallAccess& access : import.accesses[call]) {
    if (import.program.objects[access.object].kind == Object::kState) continue;
    const Base base = base_of(original, places[access.object]);
    if (base.region == models::kNone) continue;
    append_ranges(access.reads, base.offset, lists[base.region].first);
    append_ranges(access.writes, base.offset, lists[base.region].second);
  }
  std::map<std::uint32_t, Touched> result;
  for (auto& [region, both] : lists) {
    result[region] = {.reads = make_ranges(std::move(both.first)), .writes = make_ranges(std::move(both.second))};
  }
  return result;
}

/// Blocks of TVMBackendAllocWorkspace, which the text names by no object.
ByteRanges allocated(const LoadedModel& original, OpId op, RegionId region) {
  std::vector<ByteRange> blocks;
  for (const std::uint32_t id : original.model.ops[op].scratch) {
    const detent_tensor& tensor = original.desc().tensors[id];
    if (original.model.tensors[id].role != models::TensorRole::kScratch || tensor.region != region) continue;
    append_blocks(tensor, 0, blocks);
  }
  return make_ranges(std::move(blocks));
}

bool is_weights(const LoadedModel& original, RegionId region) {
  return original.desc().regions[region].kind == DETENT_REGION_WEIGHTS;
}

class Comparison {
 public:
  Comparison(const tvm::Import& import, const LoadedModel& original, const std::vector<tvm::ObjectPlace>& places,
             const harness::AccessReport& report)
      : import_(import), original_(original), places_(places), report_(report) {}

  verify::Verdict verdict() {
    for (std::uint32_t call = 0; call < import_.program.calls.size(); ++call) {
      const bool is_exact = original_.model.ops[call].footprint == models::Footprint::kExact;
      const bool is_seen = call < report_.ops.size() && !report_.ops[call].is_incomplete &&
                           report_.ops[call].method == harness::AccessMethod::kInstrumented;
      if (!is_exact) continue;
      ++exact_;
      if (!is_seen || report_.error.status != DETENT_OK) continue;
      ++compared_;
      compare(call);
    }
    using verify::Outcome;
    Outcome outcome = compared_ == exact_ ? Outcome::kHolds : Outcome::kUnknown;
    if (!witnesses_.empty()) outcome = Outcome::kViolated;
    return {.property = verify::Property::kTextAnalysis,
            .outcome = outcome,
            .summary = fmt::format("{} of {} are exact by text analysis; {} compared with the bytes that they "
                                   "touched before anything was planned anew, {}",
                                   exact_, counted(import_.program.calls.size(), "op"), compared_,
                                   counted(witnesses_.size(), "difference")),
            .witnesses = std::move(witnesses_)};
  }

 private:
  void compare(std::uint32_t call) {
    const std::map<std::uint32_t, Touched> text = analysed(import_, original_, places_, call);
    std::map<std::uint32_t, const harness::RegionAccess*> seen;
    for (const auto& [region, bytes] : text) seen[region] = nullptr;
    for (const harness::RegionAccess& access : report_.ops[call].regions) seen[access.region] = &access;
    for (const auto& [region, access] : seen) {
      if (is_weights(original_, region)) continue;
      static const Touched kNothing;
      static const harness::RegionAccess kUntouched;
      const auto place = text.find(region);
      compare_region(call, region, place != text.end() ? place->second : kNothing,
                     access != nullptr ? *access : kUntouched);
    }
  }

  void compare_region(std::uint32_t call, RegionId region, const Touched& text, const harness::RegionAccess& seen) {
    const ByteRanges own = allocated(original_, call, region);
    add(call, region, "was seen to write, which the text analysis denies,",
        difference(difference(seen.writes, own), text.writes));
    add(call, region, "did not write, as the text analysis claims,", difference(text.writes, seen.writes));
    add(call, region, "was seen to read, which the text analysis denies,",
        difference(difference(seen.early_reads, own), text.reads));
    add(call, region, "did not read, as the text analysis claims,", difference(text.reads, seen.reads));
  }

  void add(std::uint32_t call, RegionId region, const char* what, const ByteRanges& bytes) {
    if (bytes.empty()) return;
    witnesses_.push_back({.text = fmt::format("op {} ({}, line {}) {} {} of {}, the first at [{}, {})", call,
                                              import_.program.calls[call].function, import_.program.calls[call].line,
                                              what, counted(byte_count(bytes), "byte"),
                                              original_.model.regions[region].name, bytes[0].begin, bytes[0].end),
                          .ops = {call},
                          .schedule = {}});
  }

  const tvm::Import& import_;
  const LoadedModel& original_;
  const std::vector<tvm::ObjectPlace>& places_;
  const harness::AccessReport& report_;
  std::size_t exact_ = 0, compared_ = 0;
  std::vector<verify::Witness> witnesses_;
};

}  // namespace

verify::Verdict compare_with_text(const tvm::Import& import, const LoadedModel& original,
                                  const std::vector<tvm::ObjectPlace>& places, const harness::AccessReport& report) {
  return Comparison(import, original, places, report).verdict();
}

}  // namespace detent::app
