// Footprints of functions -> bytes of calls, in the coordinates of main's objects.
#include <algorithm>

#include "models/import/tvm/hazards/hazards.hpp"

namespace detent::models::tvm {
namespace {

using Kind = MemoryObject::Kind;

bool is_constant(Kind kind) { return kind == Kind::kConstPool || kind == Kind::kConstant; }

class AccessBuilder {
 public:
  AccessBuilder(const Program& program, const Footprints& footprints, std::vector<std::string>& notes)
      : program_(program),
        footprints_(footprints),
        directions_(argument_directions(program, footprints)),
        notes_(notes),
        known_end_(program.buffers.size()) {}

  CallAccesses build() {
    find_ends();
    CallAccesses result(program_.calls.size());
    for (std::uint32_t i = 0; i < program_.calls.size(); ++i) {
      call_ = i;
      accesses_ = &result[i];
      for (std::uint32_t k = 0; k < call().arguments.size(); ++k) add_argument(k);
    }
    add_state(result);
    return result;
  }

 private:
  void add_state(CallAccesses& result) const {
    const auto state = std::find_if(program_.objects.begin(), program_.objects.end(),
                                    [](const MemoryObject& object) { return object.kind == Kind::kState; });
    if (state == program_.objects.end()) return;
    for (const std::uint32_t i : calls_with_state(program_, footprints_)) {
      const ByteSet byte({0, 1});
      result[i].push_back({.object = static_cast<std::uint32_t>(state - program_.objects.begin()),
                           .what = state->name,
                           .reads = byte,
                           .writes = byte,
                           .exact = false});
    }
  }

  [[nodiscard]] const Call& call() const { return program_.calls[call_]; }
  [[nodiscard]] const FunctionFootprint* footprint_of(const Call& call) const {
    const auto found = footprints_.find(call.function);
    return found != footprints_.end() ? &found->second : nullptr;
  }
  static bool is_bounded(const AccessSets& sets) { return !sets.reads_unbounded && !sets.writes_unbounded; }

  [[nodiscard]] const AccessSets* sets_of(const Call& call, std::size_t argument) const {
    const FunctionFootprint* footprint = footprint_of(call);
    const bool is_known = footprint != nullptr && footprint->understood && argument < footprint->params.size();
    return is_known ? &footprint->params[argument] : nullptr;
  }

  /// Where a body is here and does not tell what it writes, names do not tell either, but for calls of vendors'
  /// functions.
  [[nodiscard]] Direction possible_direction(std::size_t argument) const {
    const Direction named = directions_[call_][argument];
    const FunctionFootprint* footprint = footprint_of(call());
    const std::uint32_t object = program_.buffers[call().arguments[argument].index].object;
    if (footprint == nullptr || program_.objects[object].kind == MemoryObject::Kind::kInput) return named;
    if (!footprint->understood && !footprint->hides_accesses) return named;
    // What is named an output is taken for one: its old value is ordered by its being written.
    if (argument >= footprint->params.size()) return {.reads = named.reads, .writes = true};
    const AccessSets& sets = footprint->params[argument];
    if (footprint->understood && sets.names_tell) return named;
    return {.reads = named.reads || (!named.writes && sets.reads_unbounded),
            .writes = named.writes || sets.writes_unbounded || !sets.writes.empty()};
  }

  /// How far each buffer reaches, from all that is known of it.
  void find_ends() {
    for (std::size_t b = 0; b < program_.buffers.size(); ++b) known_end_[b] = program_.buffers[b].size_bytes;
    for (const Call& call : program_.calls) {
      for (std::size_t k = 0; k < call.arguments.size(); ++k) {
        const AccessSets* sets = sets_of(call, k);
        if (call.arguments[k].kind != Argument::Kind::kBuffer || sets == nullptr) continue;
        std::uint64_t& end = known_end_[call.arguments[k].index];
        for (const ByteSet* bytes : {&sets->reads, &sets->writes}) {
          end = std::max(end, static_cast<std::uint64_t>(std::max<std::int64_t>(bytes->hull().end, 0)));
        }
      }
    }
  }

  [[nodiscard]] std::string place() const {
    return program_.file + ":" + std::to_string(call().line) + ": call " + std::to_string(call_) + ", " +
           call().function;
  }

  /// [0, end) of a buffer whose footprint is unknown here.
  ByteSet whole_buffer(std::uint32_t buffer_id) {
    const Buffer& buffer = program_.buffers[buffer_id];
    const MemoryObject& object = program_.objects[buffer.object];
    std::uint64_t end = known_end_[buffer_id];
    if (end == 0) {
      const bool is_told = object.size_bytes > buffer.offset_bytes;
      end = is_told ? object.size_bytes - buffer.offset_bytes : 1;
      notes_.push_back(place() + ": the length of " + buffer.name + " is not known" +
                       (is_told ? "; taken to the end of " + object.name : ", so that it cannot be executed"));
    }
    return ByteSet({0, static_cast<std::int64_t>(end)});
  }

  void add_argument(std::uint32_t k) {
    const Argument& argument = call().arguments[k];
    if (argument.kind == Argument::Kind::kPool) add_scratch(k);
    if (argument.kind != Argument::Kind::kBuffer) return;
    const Buffer& buffer = program_.buffers[argument.index];
    if (is_constant(program_.objects[buffer.object].kind)) return add_constant(k, buffer.object);
    CallAccess access{.object = buffer.object,
                      .buffer = argument.index,
                      .argument = k,
                      .what = buffer.name,
                      .reads = {},
                      .writes = {}};
    const Direction direction = directions_[call_][k];
    const AccessSets* sets = sets_of(call(), k);
    if (call().kind == Call::Kind::kCopy) {
      const ByteSet all({0, static_cast<std::int64_t>(call().copy_bytes)});
      (direction.writes ? access.writes : access.reads) = all;
    } else if (sets != nullptr && is_bounded(*sets)) {
      access.reads = sets->reads;
      access.writes = sets->writes;
      access.exact = sets->reads_exact && sets->writes_exact;
    } else {
      access.exact = false;
      const Direction possible = possible_direction(k);
      if (possible.reads) access.reads = whole_buffer(argument.index);
      if (possible.writes) access.writes = whole_buffer(argument.index);
      access.unknown_end =
          known_end_[argument.index] == 0 && program_.objects[buffer.object].size_bytes <= buffer.offset_bytes;
    }
    push(std::move(access), static_cast<std::int64_t>(buffer.offset_bytes));
  }

  /// Constants order nothing; only what cannot be executed is told of them.
  void add_constant(std::uint32_t k, std::uint32_t object) {
    const AccessSets* sets = sets_of(call(), k);
    if (call().kind == Call::Kind::kCopy) return;
    if (program_.objects[object].size_bytes != 0 || (sets != nullptr && is_bounded(*sets))) return;
    notes_.push_back(place() + ": the length of " + program_.objects[object].name +
                     " is not known, so that it cannot be executed");
    accesses_->push_back({.object = object,
                          .argument = k,
                          .what = program_.objects[object].name,
                          .reads = {},
                          .writes = {},
                          .exact = false,
                          .unknown_end = true});
  }

  void add_scratch(std::uint32_t k) {
    const MemoryObject& pool = program_.objects[call().arguments[k].index];
    const FunctionFootprint* footprint = footprint_of(call());
    if (is_constant(pool.kind)) return add_constant(k, call().arguments[k].index);
    if (footprint == nullptr) return add_whole_pool(k, pool);  // nobody shows its body
    bool is_known = footprint->understood;
    for (std::uint32_t u = 0; u < footprint->pool_uses.size(); ++u) {
      const PoolUse& use = footprint->pool_uses[u];
      if (use.param != k) continue;
      CallAccess access{.object = call().arguments[k].index,
                        .argument = k,
                        .pool_use = u,
                        .what = use.name,
                        .reads = {},
                        .writes = {}};
      access.reads = use.access.reads;
      access.writes = use.access.writes;
      access.exact = use.access.reads_exact && use.access.writes_exact;
      if (!is_bounded(use.access) || !footprint->understood) {
        access.exact = false;
        if (use.literal_size_bytes == 0) {
          is_known = false;
          continue;
        }
        const ByteSet all({0, static_cast<std::int64_t>(use.literal_size_bytes)});
        access.reads.unite(all);
        access.writes.unite(all);
      }
      push(std::move(access), static_cast<std::int64_t>(use.offset_bytes));
    }
    if (footprint->understood &&
        k < footprint->params.size()) {  // through the pool's own pointer, not through an alias
      const AccessSets& direct = footprint->params[k];
      is_known = is_known && is_bounded(direct);
      CallAccess access{.object = call().arguments[k].index,
                        .argument = k,
                        .what = pool.name,
                        .reads = direct.reads,
                        .writes = direct.writes,
                        .exact = direct.reads_exact && direct.writes_exact};
      push(std::move(access), 0);
    }
    if (!is_known) add_whole_pool(k, pool);
  }

  /// An operator that got a pool and is not understood may use any byte of it.
  void add_whole_pool(std::uint32_t k, const MemoryObject& pool) {
    if (pool_reported_ != call_) {
      notes_.push_back(place() + ": opaque; it may use all of " + pool.name);
      pool_reported_ = call_;
    }
    const ByteSet all({0, static_cast<std::int64_t>(std::max<std::uint64_t>(pool.size_bytes, 1))});
    push({.object = call().arguments[k].index,
          .argument = k,
          .what = pool.name,
          .reads = all,
          .writes = all,
          .exact = false,
          .unknown_end = pool.size_bytes == 0},
         0);
  }

  void push(CallAccess access, std::int64_t at) {
    if (access.reads.empty() && access.writes.empty()) return;
    access.reads = access.reads.shifted(at);
    access.writes = access.writes.shifted(at);
    accesses_->push_back(std::move(access));
  }

  const Program& program_;
  const Footprints& footprints_;
  std::vector<std::vector<Direction>> directions_;
  std::vector<std::string>& notes_;
  std::vector<std::uint64_t> known_end_;
  std::uint32_t call_ = 0;
  std::uint32_t pool_reported_ = UINT32_MAX;
  std::vector<CallAccess>* accesses_ = nullptr;
};

}  // namespace

std::vector<std::uint32_t> calls_with_state(const Program& program, const Footprints& footprints) {
  std::vector<std::uint32_t> calls;
  for (std::uint32_t i = 0; i < program.calls.size(); ++i) {
    if (program.calls[i].kind == Call::Kind::kCopy) continue;
    const auto footprint = footprints.find(program.calls[i].function);
    const bool is_seen = footprint != footprints.end() && footprint->second.understood;
    if (!is_seen || !footprint->second.state.empty()) calls.push_back(i);
  }
  if (calls.size() < 2) calls.clear();
  return calls;
}

bool has_unknown_end(const std::vector<CallAccess>& accesses) {
  return std::any_of(accesses.begin(), accesses.end(), [](const CallAccess& access) { return access.unknown_end; });
}

CallAccesses call_accesses(const Program& program, const Footprints& footprints, std::vector<std::string>& notes) {
  return AccessBuilder(program, footprints, notes).build();
}

}  // namespace detent::models::tvm
