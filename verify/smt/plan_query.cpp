// One function per law, in the order of runtime/include/detent/desc.h.
#include "verify/smt/plan_query.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "verify/smt/byte_terms.hpp"
#include "verify/smt/schedule_terms.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify::smt {
namespace {

using Tensors = std::span<const std::uint32_t>;

class PlanEncoder {
 public:
  PlanEncoder(const detent_desc& desc, const Budget& budget)
      : desc_(desc),
        budget_(budget),
        schedule_condition_(query_.script.boolean("schedule")),
        schedule_(query_.script, desc, &schedule_condition_) {}

  PlanQuery encode() {
    query_.claim = script().boolean("claim");
    query_.byte = script().integer("byte");
    query_.schedule = schedule_condition_;
    region_ = script().integer("region");
    ByteTerms bytes(script(), desc_, query_.byte);
    const bool is_whole = for_each("region", desc_.region_count, [&](std::uint32_t region) { add_region(region); }) &&
                          for_each("tensor", desc_.tensor_count, [&](std::uint32_t tensor) { add_tensor(tensor); }) &&
                          for_each("op", desc_.op_count, [&](std::uint32_t op) { add_op(op, bytes); }) &&
                          add_circle() && add_schedules() && add_backward_lifetimes() && add_overlap(bytes);
    if (is_whole) add_claim();
    return std::move(query_);
  }

 private:
  Script& script() { return query_.script; }
  Term number(std::uint64_t value) { return script().number(value); }
  Term same(std::uint64_t a, std::uint64_t b) { return script().equal(number(a), number(b)); }

  /// Until a limit is reached: one step per term.
  template <typename Add>
  bool for_each(const char* what, std::uint32_t count, Add add) {
    for (std::uint32_t id = 0; id < count; ++id) {
      query_.stopped = stopped_building(budget_, script(), what, id, count);
      if (!query_.stopped.empty()) return false;
      add(id);
    }
    return true;
  }

  /// A law may be broken only as `when` says.
  void add_fault(const std::string& text, Term when, std::vector<std::uint32_t> ops = {}) {
    const Term holds = script().boolean("fault_" + std::to_string(query_.faults.size()));
    script().require(script().implies(holds, when), text);
    query_.faults.push_back({holds, text, std::move(ops)});
  }

  Term is_no_power_of_two(std::uint32_t value) {
    std::vector<Term> powers;
    for (std::uint64_t power = 1; power <= UINT32_MAX; power *= 2) powers.push_back(same(value, power));
    return script().negate(script().any_of(powers));
  }

  void add_region(std::uint32_t id) {
    const detent_region& region = desc_.regions[id];
    const std::string name = region_name(desc_, id);
    const Term size = number(region.size_bytes);
    add_fault("B47: " + name + " has no bytes", script().equal(size, number(0)));
    add_fault("B40: " + name + " is larger than 2^40 bytes", script().less(number(DETENT_MAX_BYTES), size));
    add_fault("B48: " + name + ": its alignment is no power of two", is_no_power_of_two(region.align_bytes));
    const std::uint64_t bytes = region.data != nullptr ? 1 : 0;
    add_fault("B46: " + name + " holds weights but has no bytes to read",
              script().all_of({same(static_cast<std::uint64_t>(region.kind), DETENT_REGION_WEIGHTS), same(bytes, 0)}));
  }

  void add_tensor(std::uint32_t id) {
    const detent_tensor& tensor = desc_.tensors[id];
    add_lifetime(id, tensor);
    if (tensor.alias_of != DETENT_NONE) add_view(id, tensor);
    if (tensor.region >= desc_.region_count) {
      add_fault("B09: " + tensor_name(desc_, id) + " lies in a region that does not exist", script().all_of({}));
      return;
    }
    add_extent(id, tensor);
    const detent_region& region = desc_.regions[tensor.region];
    const Term end = script().plus(number(tensor.offset_bytes), number(tensor.size_bytes));
    add_fault("B40: " + tensor_name(desc_, id) + " leaves " + region_name(desc_, tensor.region),
              script().less(number(region.size_bytes), end));
    add_alignment(id, tensor, region);
  }

  void add_extent(std::uint32_t id, const detent_tensor& tensor) {
    const std::string name = tensor_name(desc_, id);
    const Term size = number(tensor.size_bytes);
    const Term empty =
        script().any_of({same(tensor.size_bytes, 0), same(tensor.block_bytes, 0), same(tensor.block_count, 0)});
    add_fault("B47: " + name + " has no bytes", empty);
    const Term two_to_64 = script().plus(number(UINT64_MAX), number(1));
    const Term wraps = script().at_most(two_to_64, script().plus(number(tensor.offset_bytes), size));
    add_fault("B41: " + name + ": offset + size wraps", script().all_of({script().negate(empty), wraps}));
    const Term within = script().all_of({script().at_most(size, number(DETENT_MAX_BYTES)),
                                         script().at_most(number(tensor.offset_bytes), number(DETENT_MAX_BYTES))});
    add_fault("B32: " + name + ": its extent is not what its blocks span",
              script().all_of({script().negate(empty), within, script().negate(spans(tensor))}));
  }

  /// size = (count - 1) * stride + block, of blocks that do not overlap.
  Term spans(const detent_tensor& tensor) {
    const Term block = number(tensor.block_bytes);
    const Term stride = number(tensor.stride_bytes);
    const std::uint64_t steps = tensor.block_count == 0 ? 0 : tensor.block_count - 1;
    const Term extent = script().equal(number(tensor.size_bytes), script().plus(script().times(steps, stride), block));
    const Term apart =
        script().all_of({script().at_most(block, stride), script().at_most(stride, number(DETENT_MAX_BYTES))});
    return script().all_of({extent, script().any_of({same(steps, 0), apart})});
  }

  /// The place is a multiple of the alignment, and so is the region's base. The multiple is only proposed here: a wrong
  /// one would be a fault that is none, never a fault that goes unseen.
  void add_alignment(std::uint32_t id, const detent_tensor& tensor, const detent_region& region) {
    const std::uint64_t multiple = tensor.align_bytes == 0 ? 0 : tensor.offset_bytes / tensor.align_bytes;
    const Term place = script().times(tensor.align_bytes, number(multiple));
    add_fault("B48: " + tensor_name(desc_, id) + " is not aligned to " + std::to_string(tensor.align_bytes) + " bytes",
              script().any_of({is_no_power_of_two(tensor.align_bytes),
                               script().less(number(region.align_bytes), number(tensor.align_bytes)),
                               script().negate(script().equal(number(tensor.offset_bytes), place))}));
  }

  void add_view(std::uint32_t id, const detent_tensor& view) {
    const std::string text = tensor_name(desc_, id) + " is a view of " + tensor_name(desc_, view.alias_of);
    if (view.alias_of >= desc_.tensor_count) {
      add_fault("B09: " + text + ", which does not exist", script().all_of({}));
      return;
    }
    const detent_tensor& base = desc_.tensors[view.alias_of];
    add_fault("B44: " + text + " of another type", script().negate(same(view.dtype, base.dtype)));
    const Term end = script().plus(number(view.offset_bytes), number(view.size_bytes));
    const Term base_end = script().plus(number(base.offset_bytes), number(base.size_bytes));
    const Term inside = script().all_of({same(view.region, base.region),
                                         script().at_most(number(base.offset_bytes), number(view.offset_bytes)),
                                         script().at_most(end, base_end)});
    add_fault("B43: " + text + ", but does not lie inside it", script().negate(inside));
  }

  /// Either end, but not both, is missing, or is no op.
  void add_lifetime(std::uint32_t id, const detent_tensor& tensor) {
    const auto is_op = [&](std::uint32_t op) { return script().less(number(op), number(desc_.op_count)); };
    const Term claims = script().any_of(
        {script().negate(same(tensor.live_begin, DETENT_NONE)), script().negate(same(tensor.live_end, DETENT_NONE))});
    const Term both = script().all_of({is_op(tensor.live_begin), is_op(tensor.live_end)});
    add_fault("B49: " + tensor_name(desc_, id) + ": its lifetime does not begin and end at ops",
              script().all_of({claims, script().negate(both)}));
  }

  /// Of a list that may be broken: nothing, then.
  Tensors tensors_of(const detent_slice& slice) const {
    if (slice.first > desc_.tensor_ref_count || slice.count > desc_.tensor_ref_count - slice.first) return {};
    return {desc_.tensor_refs + slice.first, slice.count};
  }

  void add_op(std::uint32_t id, ByteTerms& bytes) {
    const detent_op& op = desc_.ops[id];
    for (const detent_slice* slice : {&op.outputs, &op.scratch}) {
      for (const std::uint32_t tensor : tensors_of(*slice)) add_write(id, tensor);
    }
    if ((op.flags & DETENT_OP_IN_PLACE) != 0) return;
    for (const std::uint32_t in : tensors_of(op.inputs)) {
      for (const std::uint32_t out : tensors_of(op.outputs)) add_not_in_place(id, in, out, bytes);
    }
  }

  void add_write(std::uint32_t op, std::uint32_t tensor) {
    if (tensor >= desc_.tensor_count || desc_.tensors[tensor].region >= desc_.region_count) return;
    const std::uint32_t region = desc_.tensors[tensor].region;
    const auto kind = static_cast<std::uint64_t>(desc_.regions[region].kind);
    add_fault("B46: " + op_name(desc_, op) + " writes " + tensor_name(desc_, tensor) + ", which lies in read-only " +
                  region_name(desc_, region),
              script().any_of({same(kind, DETENT_REGION_WEIGHTS), same(kind, DETENT_REGION_INPUT)}), {op});
  }

  bool is_placed_value(std::uint32_t tensor) const {
    return tensor < desc_.tensor_count && (desc_.tensors[tensor].flags & DETENT_TENSOR_RANGE) == 0 &&
           describes_bytes(desc_.tensors[tensor]);
  }

  void add_not_in_place(std::uint32_t op, std::uint32_t in, std::uint32_t out, ByteTerms& bytes) {
    if (!is_placed_value(in) || !is_placed_value(out)) return;
    const Term shared = script().all_of(
        {same(desc_.tensors[in].region, desc_.tensors[out].region), bytes.lies_in(in), bytes.lies_in(out)});
    add_fault("B45: " + op_name(desc_, op) + " writes " + tensor_name(desc_, out) + " over its input " +
                  tensor_name(desc_, in) + " but is not declared in place",
              shared, {op});
  }

  bool add_circle() {
    query_.circle = script().boolean("circle");
    for (std::uint32_t id = 0; id < desc_.tensor_count; ++id) {
      query_.in_circle.push_back(script().boolean("in_circle_" + std::to_string(id)));
    }
    const bool is_whole = for_each("views, tensor", desc_.tensor_count, [&](std::uint32_t id) {
      const std::uint32_t base = desc_.tensors[id].alias_of;
      const Term base_too = base < desc_.tensor_count ? query_.in_circle[base] : script().any_of({});
      script().require(script().implies(query_.in_circle[id], base_too));
    });
    script().require(script().implies(query_.circle, script().any_of(query_.in_circle)), "B43: views in a circle");
    return is_whole;
  }

  /// Of ops in range.
  bool claims_ops(const detent_tensor& tensor) const {
    return tensor.live_begin < desc_.op_count && tensor.live_end < desc_.op_count;
  }

  bool is_placed_elsewhere_than_weights(const detent_tensor& tensor) const {
    return tensor.region < desc_.region_count && desc_.regions[tensor.region].kind != DETENT_REGION_WEIGHTS &&
           describes_bytes(tensor);
  }

  bool is_resident(const detent_tensor& tensor) const {
    return tensor.alias_of == DETENT_NONE && (tensor.flags & DETENT_TENSOR_RANGE) == 0 &&
           is_placed_elsewhere_than_weights(tensor);
  }

  Tensors successors_of(std::uint32_t op) const {
    const detent_slice& slice = desc_.ops[op].successors;
    return {desc_.successors + slice.first, slice.count};
  }

  bool has_sound_edges(std::uint32_t op) const {
    const detent_slice& slice = desc_.ops[op].successors;
    if (slice.first > desc_.successor_count || slice.count > desc_.successor_count - slice.first) return false;
    return std::ranges::all_of(successors_of(op), [&](std::uint32_t next) { return next < desc_.op_count; });
  }

  /// Only where some law is about schedules.
  bool add_schedules() {
    const std::span<const detent_tensor> tensors{desc_.tensors, desc_.tensor_count};
    needs_schedule_ =
        std::ranges::any_of(tensors, [&](const detent_tensor& t) { return is_resident(t) || claims_ops(t); });
    if (!needs_schedule_) return true;
    for (std::uint32_t op = 0; op < desc_.op_count; ++op) {
      if (has_sound_edges(op)) continue;
      query_.unordered = op_name(desc_, op) + ": its successors leave their table";
      needs_schedule_ = false;
      return true;
    }
    const bool is_whole =
        for_each("schedules, op", desc_.op_count, [&](std::uint32_t op) { schedule_.add_op(op); }) &&
        for_each("edges, op", desc_.op_count, [&](std::uint32_t op) { schedule_.add_edges(op, successors_of(op)); });
    query_.start = schedule_.start();
    return is_whole;
  }

  /// A lifetime ends before it begins where a path leads from the op of its end to that of its beginning: a set of ops
  /// with the end in it, of which each is the beginning or has a successor in the set. (With a schedule there is no
  /// cycle, so following successors ends.)
  bool add_backward_lifetimes() {
    if (!needs_schedule_) return true;
    std::vector<std::uint32_t> claiming;
    for (std::uint32_t id = 0; id < desc_.tensor_count; ++id) {
      const detent_tensor& tensor = desc_.tensors[id];
      if (claims_ops(tensor) && tensor.live_begin != tensor.live_end) claiming.push_back(id);
    }
    if (claiming.empty()) return true;
    const Term beginning = script().integer("beginning");
    std::vector<Term> on_path;
    for (std::uint32_t op = 0; op < desc_.op_count; ++op) {
      on_path.push_back(script().boolean("on_path_" + std::to_string(op)));
    }
    const bool is_whole = for_each("paths, op", desc_.op_count, [&](std::uint32_t op) {
      std::vector<Term> ways = {script().equal(beginning, number(op))};
      for (const std::uint32_t next : successors_of(op)) ways.push_back(on_path[next]);
      script().require(script().implies(on_path[op], script().any_of(ways)));
    });
    for (const std::uint32_t id : claiming) {
      const detent_tensor& tensor = desc_.tensors[id];
      add_fault("B49: " + tensor_name(desc_, id) + ": its lifetime ends before it begins",
                script().all_of({schedule_condition_, on_path[tensor.live_end],
                                 script().equal(beginning, number(tensor.live_begin))}));
    }
    return is_whole;
  }

  bool add_overlap(ByteTerms& bytes) {
    query_.overlap = script().boolean("overlap");
    std::vector<Term> first;
    std::vector<Term> second;
    resident_of_.assign(desc_.tensor_count, DETENT_NONE);
    collect_users();
    const bool is_whole = for_each("lifetimes, tensor", desc_.tensor_count, [&](std::uint32_t id) {
      if (!needs_schedule_ || !is_resident(desc_.tensors[id]) || !is_used(id)) return;
      add_resident(id, bytes);
      first.push_back(query_.residents.back().first);
      second.push_back(query_.residents.back().second);
    });
    if (!is_whole) return false;
    add_meetings();
    std::vector<Term> meetings;
    for (const PlanQuery::Meeting& meeting : query_.meetings) meetings.push_back(meeting.is_here);
    const Term both = script().all_of(
        {schedule_condition_, script().any_of(first), script().any_of(second), script().any_of(meetings)});
    script().require(script().implies(query_.overlap, both), "B42: two tensors that live at once share a byte");
    return for_each("in place, op", desc_.op_count, [&](std::uint32_t op) { allow_in_place(op); });
  }

  /// Users of each tensor that is no view, through its views.
  void collect_users() {
    users_.resize(desc_.tensor_count);
    for (std::uint32_t op = 0; op < desc_.op_count; ++op) {
      const detent_op& entry = desc_.ops[op];
      for (const detent_slice* slice : {&entry.inputs, &entry.outputs, &entry.weights, &entry.scratch}) {
        for (const std::uint32_t id : tensors_of(*slice)) {
          if (id < desc_.tensor_count) users_[base_of(id)].insert(op);
        }
      }
    }
    for (std::uint32_t id = 0; id < desc_.tensor_count; ++id) {
      const bool is_input = desc_.tensors[id].region < desc_.region_count &&
                            desc_.regions[desc_.tensors[id].region].kind == DETENT_REGION_INPUT;
      if (is_input) inputs_.insert(base_of(id));
    }
    for (std::uint32_t i = 0; i < desc_.input_count; ++i) {
      if (desc_.inputs[i] < desc_.tensor_count) inputs_.insert(base_of(desc_.inputs[i]));
    }
    for (std::uint32_t i = 0; i < desc_.output_count; ++i) {
      if (desc_.outputs[i] < desc_.tensor_count) outputs_.insert(base_of(desc_.outputs[i]));
    }
    for (std::uint32_t id = 0; id < desc_.tensor_count; ++id) {
      const detent_tensor& tensor = desc_.tensors[id];
      if (tensor.live_begin < desc_.op_count && !inputs_.contains(id)) users_[id].insert(tensor.live_begin);
      if (tensor.live_end < desc_.op_count && !outputs_.contains(id)) users_[id].insert(tensor.live_end);
    }
  }

  bool is_used(std::uint32_t id) const { return !users_[id].empty() || inputs_.contains(id) || outputs_.contains(id); }

  /// Some user has begun and some user has not ended. The application before the run ends when an op starts; after it,
  /// it begins when all ops have ended, and never ends.
  Term lives(std::uint32_t id) {
    std::vector<Term> begun;
    std::vector<Term> unended;
    for (const std::uint32_t user : users_[id]) {
      begun.push_back(schedule_.started(user));
      unended.push_back(script().negate(schedule_.ended(user)));
    }
    if (inputs_.contains(id)) {
      begun.push_back(script().all_of({}));
      unended.push_back(is_before_run());
    }
    if (outputs_.contains(id)) {
      begun.push_back(is_after_run());
      unended.push_back(script().all_of({}));
    }
    return script().all_of({script().any_of(begun), script().any_of(unended)});
  }

  Term is_before_run() {
    if (!before_run_) {
      before_run_ = script().boolean("before_run");
      for (std::uint32_t op = 0; op < desc_.op_count; ++op) {
        script().require(script().implies(*before_run_, script().negate(schedule_.started(op))));
      }
    }
    return *before_run_;
  }

  Term is_after_run() {
    if (!after_run_) {
      after_run_ = script().boolean("after_run");
      for (std::uint32_t op = 0; op < desc_.op_count; ++op) {
        script().require(script().implies(*after_run_, schedule_.ended(op)));
      }
    }
    return *after_run_;
  }

  /// A value that is one op's alone lives while that op holds its mutexes.
  std::vector<Term> held_mutexes(std::uint32_t id) {
    std::vector<Term> held;
    if (users_[id].size() != 1 || inputs_.contains(id) || outputs_.contains(id)) return held;
    const std::uint32_t op = *users_[id].begin();
    const detent_slice& slice = desc_.ops[op].mutexes;
    if (slice.first > desc_.mutex_ref_count || slice.count > desc_.mutex_ref_count - slice.first) return held;
    for (std::uint32_t k = 0; k < slice.count; ++k) {
      const std::uint32_t mutex = desc_.mutex_refs[slice.first + k];
      const auto [holder, is_new] = holder_.try_emplace(mutex);
      if (is_new) holder->second = script().integer("holder_" + std::to_string(mutex));
      held.push_back(script().equal(holder->second, number(op)));
    }
    return held;
  }

  void add_resident(std::uint32_t id, ByteTerms& bytes) {
    const detent_tensor& tensor = desc_.tensors[id];
    const std::string suffix = std::to_string(id);
    const PlanQuery::Resident resident{id,
                                       script().boolean("first_" + suffix),
                                       script().boolean("second_" + suffix),
                                       {users_[id].begin(), users_[id].end()},
                                       inputs_.contains(id),
                                       outputs_.contains(id)};
    std::vector<Term> conditions = {lives(id), script().equal(region_, number(tensor.region)),
                                    lies_in_value(id, bytes)};
    for (const Term held : held_mutexes(id)) conditions.push_back(held);
    const Term there = script().all_of(conditions);
    script().require(script().implies(resident.first, there), tensor_name(desc_, id) + " as the first");
    script().require(script().implies(resident.second, there), tensor_name(desc_, id) + " as the second");
    script().require(script().negate(script().all_of({resident.first, resident.second})));
    resident_of_[id] = static_cast<std::uint32_t>(query_.residents.size());
    query_.residents.push_back(resident);
  }

  /// In the tensor, or in a view over the gaps between its blocks.
  Term lies_in_value(std::uint32_t id, ByteTerms& bytes) {
    std::vector<Term> parts = {bytes.lies_in(id)};
    for (std::uint32_t view = 0; desc_.tensors[id].block_count > 1 && view < desc_.tensor_count; ++view) {
      const bool is_sound = view != id && desc_.tensors[view].region == desc_.tensors[id].region &&
                            base_of(view) == id && describes_bytes(desc_.tensors[view]);
      if (is_sound) parts.push_back(bytes.lies_in(view));
    }
    return script().any_of(parts);
  }

  /// Both live at every instant from the begin of the one that begins later on, so the instant may be one at which a
  /// user is at work: a witness can name it.
  void add_meetings() {
    std::map<std::uint32_t, std::vector<Term>> claims_of_op;  // DETENT_NONE: the application
    for (const PlanQuery::Resident& resident : query_.residents) {
      for (const std::uint32_t user : resident.users) {
        claims_of_op[user].push_back(resident.first);
        claims_of_op[user].push_back(resident.second);
      }
      if (!resident.is_input && !resident.is_output) continue;
      claims_of_op[DETENT_NONE].push_back(resident.first);
      claims_of_op[DETENT_NONE].push_back(resident.second);
    }
    for (const auto& [op, claims] : claims_of_op) {
      const std::string name = op == DETENT_NONE ? "meeting_outside" : "meeting_" + std::to_string(op);
      const PlanQuery::Meeting meeting{op, script().boolean(name)};
      const Term at_work = op == DETENT_NONE ? is_outside() : schedule_.active(op);
      script().require(script().implies(meeting.is_here, script().all_of({at_work, script().any_of(claims)})));
      query_.meetings.push_back(meeting);
    }
  }

  Term is_outside() {
    std::vector<Term> outside;
    if (before_run_) outside.push_back(*before_run_);
    if (after_run_) outside.push_back(*after_run_);
    return script().any_of(outside);
  }

  /// The tensor that a view stands on; some member of a circle.
  std::uint32_t base_of(std::uint32_t id) const {
    for (std::uint32_t steps = 0; steps < desc_.tensor_count && desc_.tensors[id].alias_of < desc_.tensor_count;
         ++steps) {
      id = desc_.tensors[id].alias_of;
    }
    return id;
  }

  bool refers_to(const detent_slice& slice, std::uint32_t base) const {
    return std::ranges::any_of(tensors_of(slice),
                               [&](std::uint32_t id) { return id < desc_.tensor_count && base_of(id) == base; });
  }

  /// A value that an in-place op only reads may give its bytes to one that the op only writes.
  void allow_in_place(std::uint32_t id) {
    const detent_op& op = desc_.ops[id];
    if (!needs_schedule_ || (op.flags & DETENT_OP_IN_PLACE) == 0) return;
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const std::uint32_t in : tensors_of(op.inputs)) {
      for (const std::uint32_t out : tensors_of(op.outputs)) {
        if (in < desc_.tensor_count && out < desc_.tensor_count) pairs.emplace(base_of(in), base_of(out));
      }
    }
    for (const auto& [from, to] : pairs) {
      const bool reads_only = !refers_to(op.outputs, from) && !refers_to(op.scratch, from);
      const bool writes_only = !refers_to(op.inputs, to) && !refers_to(op.scratch, to);
      if (from != to && reads_only && writes_only) allow(id, from, to);
    }
  }

  /// Once the op has started, `from` lives on for its other users only. It must have others: who else wrote it?
  void allow(std::uint32_t op, std::uint32_t from, std::uint32_t to) {
    if (resident_of_[from] == DETENT_NONE || resident_of_[to] == DETENT_NONE) return;
    const PlanQuery::Resident& a = query_.residents[resident_of_[from]];
    const PlanQuery::Resident& b = query_.residents[resident_of_[to]];
    if (a.users.size() < 2 && !a.is_input && !a.is_output) return;
    std::vector<Term> needed = {script().negate(schedule_.started(op))};
    for (const std::uint32_t user : a.users) {
      if (user != op) needed.push_back(script().negate(schedule_.ended(user)));
    }
    if (a.is_output) needed.push_back(script().all_of({}));
    const Term is_needed = script().any_of(needed);
    const std::string why = op_name(desc_, op) + " is declared in place";
    script().require(script().implies(script().all_of({a.first, b.second}), is_needed), why);
    script().require(script().implies(script().all_of({b.first, a.second}), is_needed), why);
  }

  void add_claim() {
    query_.law = script().boolean("law");
    std::vector<Term> broken = {query_.circle};
    for (const PlanQuery::Fault& fault : query_.faults) broken.push_back(fault.holds);
    script().require(script().implies(query_.law, script().any_of(broken)));
    script().require(script().implies(query_.claim, script().any_of({query_.law, query_.overlap})),
                     "the claim: a law is broken");
  }

  const detent_desc& desc_;
  const Budget& budget_;
  PlanQuery query_;
  const Term schedule_condition_;
  ScheduleTerms schedule_;
  Term region_{};
  bool needs_schedule_ = false;
  std::optional<Term> before_run_, after_run_;
  std::map<std::uint32_t, Term> holder_;        ///< of mutexes
  std::vector<std::set<std::uint32_t>> users_;  ///< by tensor: ops
  std::set<std::uint32_t> inputs_, outputs_;    ///< tensors that the application writes before the run, reads after it
  std::vector<std::uint32_t> resident_of_;      ///< by tensor, or DETENT_NONE
};

}  // namespace

PlanQuery encode_plan(const detent_desc& desc, const Budget& budget) { return PlanEncoder(desc, budget).encode(); }

}  // namespace detent::verify::smt
