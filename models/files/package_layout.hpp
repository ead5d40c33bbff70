// The layout of a package, once for both directions: each code_* names the fields of one record in file order. A Codec
// is PackageEncoder (fields -> bytes) or PackageDecoder (bytes -> fields, checked).
#pragma once

#include <array>
#include <cstdint>

#include "models/core/model.hpp"

namespace detent::models::package {

inline constexpr std::size_t kHeaderBytes = 32;
inline constexpr std::size_t kSectionEntryBytes = 32;
inline constexpr std::size_t kHeaderSummedBytes = 24;  ///< of the header, before its own checksum
inline constexpr std::size_t kSectionAlign = 8;
inline constexpr std::uint32_t kNoName = 0xFFFFFFFFU;  ///< the empty string

enum class Section : std::uint32_t {
  kNameText,
  kNames,
  kModel,
  kRegions,
  kTensors,
  kOps,
  kEdges,
  kRefs,
  kConfigs,
  kWeights,
  kSources,
  kSourceText,
  kDemands
};

struct SectionInfo {
  const char* name;
  std::uint32_t record_bytes;
};

/// In file order; the number of a section in the file is its index plus 1.
inline constexpr std::array<SectionInfo, 13> kSections = {{
    {.name = "name_text", .record_bytes = 1},
    {.name = "names", .record_bytes = 4},
    {.name = "model", .record_bytes = 32},
    {.name = "regions", .record_bytes = 24},
    {.name = "tensors", .record_bytes = 96},
    {.name = "ops", .record_bytes = 88},
    {.name = "edges", .record_bytes = 24},
    {.name = "refs", .record_bytes = 4},
    {.name = "configs", .record_bytes = 1},
    {.name = "weights", .record_bytes = 1},
    {.name = "sources", .record_bytes = 16},
    {.name = "source_text", .record_bytes = 1},
    {.name = "demands", .record_bytes = 16},
}};
inline constexpr std::size_t kFixedSections = 12;  ///< of every package; the last is there where a demand is

/// Sections of a package that demands something of the time of runs, or does not.
constexpr std::size_t section_count(bool has_demands) { return has_demands ? kSections.size() : kFixedSections; }

inline constexpr std::uint32_t kRegionIsSeparate = 1;

enum OpFlag : std::uint32_t {
  kOpInPlace = 1,
  kOpHasTime = 2,
  kOpHasRelease = 4,
  kOpFootprint = 56,
  kOpHasWorkers = 64,
  kOpGuarded = 384,
  kOpFallible = 512,
  kOpReplaces = 1024,
  kOpHasClassTimes = 2048,
  kOpIsWatched = 4096,
  kOpIsSized = 8192,
  kOpFlags = 16383
};
inline constexpr std::uint32_t kFootprintShift = 3;
inline constexpr std::uint32_t kGuardedShift = 7;

template <typename Codec, typename M>
void code_model(Codec& codec, M& model) {
  codec.name(model.name);
  codec.names(model.value_names);
  codec.u64(model.weight_seed);
  codec.list(model.inputs, UINT32_MAX);
  codec.list(model.outputs, UINT32_MAX);
  codec.names(model.compile_flags);
  codec.schedules(model.schedules);
}

template <typename Codec, typename R>
void code_region(Codec& codec, R& region) {
  codec.name(region.name);
  codec.enum32(region.kind, DETENT_REGION_WEIGHTS);
  codec.u64(region.size_bytes);
  codec.u32(region.align_bytes);
  std::uint32_t flags = region.is_separate ? kRegionIsSeparate : 0U;
  codec.flags(flags, kRegionIsSeparate);
  codec.at_most(flags != 0 ? static_cast<std::uint32_t>(region.kind) : 0, DETENT_REGION_WORKSPACE,
                "memory of its own, of a region of kind");
  codec.set(region.is_separate, flags != 0);
}

template <typename Codec, typename T>
void code_tensor(Codec& codec, T& tensor) {
  codec.name(tensor.name);
  codec.enum8(tensor.role, TensorRole::kRange);
  codec.enum8(tensor.dtype, DETENT_BF16);
  codec.enum8(tensor.layout, DETENT_LAYOUT_C16);
  codec.list8(tensor.dims, DETENT_MAX_RANK);
  codec.u64(tensor.size_bytes);
  codec.u64(tensor.block_bytes);
  codec.u64(tensor.stride_bytes);
  codec.u32(tensor.block_count);
  codec.u32(tensor.align_bytes);
  codec.u32(tensor.alias_of);
  codec.u32(tensor.region);
  codec.u64(tensor.alias_offset_bytes);
  codec.u64(tensor.offset_bytes);
  codec.enum8(tensor.init.kind, WeightInit::Kind::kWinograd);
  codec.list8(tensor.init.unpadded_dims, DETENT_MAX_RANK);
  codec.reserved16();
  codec.f32(tensor.init.scale);
  codec.u64(tensor.init.stream);
  codec.weight_bytes(tensor.init.bytes);
  codec.u32(tensor.init.groups);
  codec.list(tensor.values, UINT32_MAX);
}

template <typename Codec, typename O>
void code_op(Codec& codec, O& op) {
  codec.name(op.name);
  codec.name(op.kernel);
  codec.name(op.core_class);
  codec.name(op.commutes);
  codec.list(op.inputs, DETENT_MAX_OP_TENSORS);
  codec.list(op.outputs, DETENT_MAX_OP_TENSORS);
  codec.list(op.weights, DETENT_MAX_OP_TENSORS);
  codec.list(op.scratch, DETENT_MAX_OP_TENSORS);
  codec.names(op.mutexes);
  codec.config_bytes(op.config);
  codec.i32(op.priority);
  std::uint32_t flags =
      (op.in_place ? kOpInPlace : 0U) | (op.time_ps ? kOpHasTime : 0U) | (op.release_ps ? kOpHasRelease : 0U) |
      (op.workers != 0 ? kOpHasWorkers : 0U) | (static_cast<std::uint32_t>(op.footprint) << kFootprintShift) |
      (static_cast<std::uint32_t>(op.guarded) << kGuardedShift) | (op.is_fallible ? kOpFallible : 0U) |
      (op.replaces ? kOpReplaces : 0U) | (op.times_by_class.empty() ? 0U : kOpHasClassTimes) |
      (op.watchdog_ps != 0 ? kOpIsWatched : 0U) | (op.is_sized ? kOpIsSized : 0U);
  codec.flags(flags, kOpFlags);
  codec.at_most((flags & kOpFootprint) >> kFootprintShift, static_cast<std::uint32_t>(Footprint::kUnknown),
                "kind of footprint");
  codec.at_most((flags & kOpGuarded) >> kGuardedShift, static_cast<std::uint32_t>(Guarded::kIfFalse), "kind of guard");
  codec.workers(op.workers, (flags & kOpHasWorkers) != 0);
  codec.class_times(op.times_by_class, (flags & kOpHasClassTimes) != 0);
  codec.watchdog(op.watchdog_ps, (flags & kOpIsWatched) != 0, (flags & kOpFallible) != 0);
  codec.span(op.time_ps, (flags & kOpHasTime) != 0);
  codec.span(op.release_ps, (flags & kOpHasRelease) != 0);
  codec.u64(op.flops);
  codec.set(op.in_place, (flags & kOpInPlace) != 0);
  codec.set(op.footprint, static_cast<Footprint>((flags & kOpFootprint) >> kFootprintShift));
  codec.set(op.is_fallible, (flags & kOpFallible) != 0);
  codec.set(op.replaces, (flags & kOpReplaces) != 0);
  codec.set(op.is_sized, (flags & kOpIsSized) != 0);
  codec.set(op.guarded, static_cast<Guarded>((flags & kOpGuarded) >> kGuardedShift));
}

template <typename Codec, typename E>
void code_edge(Codec& codec, E& edge) {
  codec.u32(edge.from);
  codec.u32(edge.to);
  codec.u64(edge.min_ps);
  codec.u64(edge.max_ps);
}

template <typename Codec, typename D>
void code_demands(Codec& codec, D& demands) {
  codec.demanded_time(demands.deadline_ps, "deadline");
  codec.demanded_time(demands.period_ps, "period");
}

template <typename Codec, typename S>
void code_source(Codec& codec, S& source) {
  codec.name(source.name);
  codec.reserved32();
  codec.source_text(source.text);
}

}  // namespace detent::models::package
