// Laws of detent_bind_regions, over placements anywhere in a memory that also holds the arena: which of them are
// accepted, by a map of bytes, and what runs on them read and write.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <vector>

#include <detent/detent.h>

#include "properties/law.hpp"
#include "properties/runtime/random_desc.hpp"

namespace detent::laws {
namespace {

constexpr std::size_t kMemoryBytes = std::size_t{1} << 16;
constexpr std::size_t kArenaAt = std::size_t{1} << 14;
constexpr std::uint8_t kForeign = 0x5c;

/// Regions: 0 and 1 inputs, 2 workspace, 3 and 4 outputs, of different sizes and alignments.
test::DescBuilder two_by_two() {
  test::DescBuilder b;
  b.add_region("x", DETENT_REGION_INPUT, 64, 16);
  b.add_region("y", DETENT_REGION_INPUT, 128, 8);
  b.add_region("work", DETENT_REGION_WORKSPACE, 128);
  b.add_region("p", DETENT_REGION_OUTPUT, 96, 32);
  b.add_region("q", DETENT_REGION_OUTPUT, 64, 1);
  b.add_tensor({.name = "x", .region = 0, .live_begin = 0, .live_end = 1});
  b.add_tensor({.name = "y", .region = 1, .block_bytes = 128, .live_begin = 1, .live_end = 1});
  b.add_tensor({.name = "a", .region = 2, .live_begin = 0, .live_end = 2});
  b.add_tensor({.name = "b", .region = 2, .offset_bytes = 64, .live_begin = 1, .live_end = 3});
  b.add_tensor({.name = "p", .region = 3, .block_bytes = 96, .live_begin = 2, .live_end = 2});
  b.add_tensor({.name = "q", .region = 4, .align_bytes = 1, .live_begin = 3, .live_end = 3});
  b.add_op({.name = "a", .inputs = {0}, .outputs = {2}});
  b.add_op({.name = "b", .inputs = {0, 1}, .outputs = {3}});
  b.add_op({.name = "p", .inputs = {2, 3}, .outputs = {4}});
  b.add_op({.name = "q", .inputs = {3}, .outputs = {5}});
  b.add_edge(0, 2);
  b.add_edge(1, 2);
  b.add_edge(1, 3);
  b.inputs = {0, 1};
  b.outputs = {4, 5};
  b.refresh();
  return b;
}

/// A context whose arena lies in the middle of a memory that bindings may point anywhere into.
class Placements {
 public:
  explicit Placements(detent_mode mode) {
    config_ = detent_default_config(&port_);
    config_.backends = &cpu_;
    config_.backend_count = 1;
    config_.mode = mode;
    config_.worker_count = 1;
    std::memset(memory_.data(), kForeign, memory_.size());
    arena_bytes_ = detent_arena_bytes(&tables_.desc, &config_);
    RC_ASSERT(arena_bytes_ != 0 && kArenaAt + arena_bytes_ < kMemoryBytes);
    RC_ASSERT(detent_init(memory_.data() + kArenaAt, arena_bytes_, &tables_.desc, &config_, &context_, nullptr) ==
              DETENT_OK);
    for (std::uint32_t region = 0; region < regions(); ++region) bases_.push_back(detent_region_base(context_, region));
    first_ = bases_;
  }
  ~Placements() { static_cast<void>(detent_deinit(context_)); }
  Placements(const Placements&) = delete;
  Placements& operator=(const Placements&) = delete;

  detent_binding draw(Tape& tape) {
    detent_binding binding{};
    constexpr std::array<std::uint32_t, 8> kRegions = {0, 1, 3, 4, 0, 3, 2, 5};
    binding.region = kRegions[tape.below(tape.one_in(4) ? 8 : 6)];
    const std::uint64_t size = binding.region < regions() ? tables_.desc.regions[binding.region].size_bytes : 64;
    binding.size_bytes = tape.one_in(8) ? size - 1 : size + 8 * tape.below(3);
    const std::size_t from = tape.one_in(8) ? kArenaAt - 256 : 0;  // near the arena's first byte, or far before it
    if (!tape.one_in(8)) binding.data = memory_.data() + from + (tape.one_in(4) ? 1 : 32) * std::size_t{tape.below(32)};
    return binding;
  }

  /// What may be said of the bindings; only OK where all of them fit.
  std::set<detent_status> expected(const std::vector<detent_binding>& bindings) {
    std::set<detent_status> wrong;
    std::vector<void*> after = bases_;
    std::set<std::uint32_t> named;
    for (const detent_binding& binding : bindings) {
      if (binding.region >= regions()) {
        wrong.insert(DETENT_TABLE_RANGE);
        continue;
      }
      const detent_region& region = tables_.desc.regions[binding.region];
      const bool is_own = region.kind == DETENT_REGION_WORKSPACE;
      if (is_own || !named.insert(binding.region).second) wrong.insert(DETENT_INVALID_ARGUMENT);
      after[binding.region] = binding.data != nullptr ? binding.data : first_[binding.region];
      if (binding.data == nullptr) continue;
      if (binding.size_bytes < region.size_bytes) {
        wrong.insert(region.kind == DETENT_REGION_OUTPUT ? DETENT_INSUFFICIENT_SIZE : DETENT_OUT_OF_REGION);
      }
      if (reinterpret_cast<std::uintptr_t>(binding.data) % region.align_bytes != 0) wrong.insert(DETENT_ALIGNMENT);
      std::vector<void*> alone = first_;
      alone[binding.region] = binding.data;  // a region that is named twice is judged where each of them says
      if (shares_a_byte(alone)) wrong.insert(DETENT_OVERLAP);
    }
    if (shares_a_byte(after)) wrong.insert(DETENT_OVERLAP);
    if (wrong.empty()) bases_ = after;
    return wrong.empty() ? std::set{DETENT_OK} : wrong;
  }

  detent_status bind(const std::vector<detent_binding>& bindings) {
    return detent_bind_regions(context_, bindings.data(), static_cast<std::uint32_t>(bindings.size()), nullptr);
  }

  /// Outputs of a run on inputs of this seed. Bytes of the memory that belong to nobody stay as they were.
  std::vector<std::uint8_t> run(std::uint8_t seed) {
    for (std::uint32_t region = 0; region < regions(); ++region) {
      RC_ASSERT((detent_region_base(context_, region) == bases_[region]));
      std::uint8_t* const bytes = bytes_of(region);
      for (std::uint64_t i = 0; i < tables_.desc.regions[region].size_bytes; ++i) {
        bytes[i] = region < 2 ? static_cast<std::uint8_t>(seed + 31 * i + region) : 0xa5;
      }
    }
    const std::vector<std::uint8_t> before = outside();
    detent_result result{};
    RC_ASSERT(detent_run(context_, &result) == DETENT_OK);
    RC_ASSERT(outside() == before);
    std::vector<std::uint8_t> outputs;
    for (const std::uint32_t region : {3U, 4U}) {
      outputs.insert(outputs.end(), bytes_of(region), bytes_of(region) + tables_.desc.regions[region].size_bytes);
    }
    return outputs;
  }

 private:
  [[nodiscard]] std::uint32_t regions() const { return tables_.desc.region_count; }
  [[nodiscard]] std::uint8_t* bytes_of(std::uint32_t region) { return static_cast<std::uint8_t*>(bases_[region]); }

  /// Byte by byte: the arena, and every region that does not stand in it where detent_init placed it.
  bool shares_a_byte(const std::vector<void*>& bases) {
    std::vector<bool> taken(kMemoryBytes);
    std::fill_n(taken.begin() + kArenaAt, arena_bytes_, true);
    bool shared = false;
    for (std::uint32_t region = 0; region < regions(); ++region) {
      if (bases[region] == first_[region]) continue;
      const std::ptrdiff_t at = static_cast<std::uint8_t*>(bases[region]) - memory_.data();
      for (std::uint64_t i = 0; i < tables_.desc.regions[region].size_bytes; ++i) {
        shared = shared || taken[static_cast<std::size_t>(at) + i];
        taken[static_cast<std::size_t>(at) + i] = true;
      }
    }
    return shared;
  }

  /// All bytes but the arena's and those of bound outputs.
  std::vector<std::uint8_t> outside() {
    std::vector<std::uint8_t> bytes(memory_.begin(), memory_.end());
    std::fill_n(bytes.begin() + kArenaAt, arena_bytes_, std::uint8_t{0});
    for (const std::uint32_t region : {3U, 4U}) {
      if (bases_[region] == first_[region]) continue;
      std::fill_n(bytes.begin() + (bytes_of(region) - memory_.data()), tables_.desc.regions[region].size_bytes,
                  std::uint8_t{0});
    }
    return bytes;
  }

  test::DescBuilder tables_ = two_by_two();
  detent_port port_ = detent_port_single();
  detent_backend cpu_ = detent_cpu_backend("*", detent_builtin_kernels());
  detent_config config_{};
  alignas(128) std::array<std::uint8_t, kMemoryBytes> memory_{};
  std::size_t arena_bytes_ = 0;
  detent_context* context_ = nullptr;
  std::vector<void*> bases_, first_;
};

RC_GTEST_PROP(BindingLaw, PlacementsThatFitGiveTheOutputsAndOthersTheirStatus, ()) {
  law_of_values(rc::gen::scale(3.0, rc::gen::arbitrary<std::vector<std::uint32_t>>()),
                [](const std::vector<std::uint32_t>& choices) {
                  Tape tape(choices);
                  const auto mode = static_cast<detent_mode>(tape.below(4));
                  const auto reference = std::make_unique<Placements>(DETENT_MODE_SERIAL);
                  const auto placed = std::make_unique<Placements>(mode);
                  for (std::uint8_t step = 0; step < 5; ++step) {
                    std::vector<detent_binding> bindings(tape.below(4));
                    for (detent_binding& binding : bindings) binding = placed->draw(tape);
                    const std::set<detent_status> allowed = placed->expected(bindings);
                    const detent_status status = placed->bind(bindings);
                    RC_ASSERT(allowed.contains(status));
                    RC_ASSERT(placed->run(step) == reference->run(step));
                  }
                });
}

}  // namespace
}  // namespace detent::laws
