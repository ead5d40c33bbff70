// Schedules, accesses and the claim.
#include "verify/smt/race_query.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "verify/smt/solver/byte_terms.hpp"
#include "verify/smt/solver/run_terms.hpp"
#include "verify/smt/solver/schedule_terms.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify::smt {
namespace {

using Ids = std::span<const std::uint32_t>;

/// A slice of a table, which may be broken.
Ids ids_of(const detent_desc& desc, OpId op, const detent_slice& slice, Ids table, std::uint32_t limit) {
  if (slice.first > table.size() || slice.count > table.size() - slice.first) {
    throw std::invalid_argument(op_name(desc, op) + ": a list lies outside its table; repair the tables");
  }
  const Ids ids = table.subspan(slice.first, slice.count);
  for (const std::uint32_t id : ids) {
    if (id >= limit) {
      throw std::invalid_argument(op_name(desc, op) + ": a list names number " + std::to_string(id) +
                                  ", which does not exist; repair the tables");
    }
  }
  return ids;
}

bool guards_ops(const ValueTables& tables) {
  return std::ranges::any_of(tables.guards, [](const std::vector<Guard>& guards) { return !guards.empty(); });
}

class RaceEncoder {
 public:
  RaceEncoder(const detent_desc& desc, const ValueTables* tables, const Budget& budget)
      : desc_(desc), budget_(budget), schedule_(query_.script, desc, nullptr) {
    if (tables != nullptr && guards_ops(*tables)) runs_.emplace(query_.script, desc, tables);
  }

  RaceQuery encode() {
    region_ = script().integer("region");
    query_.byte = script().integer("byte");
    query_.claim = script().boolean("claim");
    ByteTerms bytes(script(), desc_, query_.byte);
    const bool is_whole = for_each_op("schedules", [&](OpId op) { schedule_.add_op(op); }) &&
                          for_each_op("edges", [&](OpId op) { add_edges(op); }) && count_mutex_users() &&
                          for_each_op("accesses", [&](OpId op) { add_accesses(op, bytes); });
    if (is_whole) add_claim();
    query_.start = schedule_.start();
    return std::move(query_);
  }

 private:
  Script& script() { return query_.script; }

  /// Until a limit is reached: one step per term.
  template <typename Add>
  bool for_each_op(const char* what, Add add) {
    for (OpId op = 0; op < desc_.op_count; ++op) {
      query_.stopped = stopped_building(budget_, script(), what, op, desc_.op_count);
      if (!query_.stopped.empty()) return false;
      add(op);
    }
    return true;
  }

  void add_edges(OpId op) {
    const Ids table{desc_.successors, desc_.successor_count};
    schedule_.add_edges(op, ids_of(desc_, op, desc_.ops[op].successors, table, desc_.op_count));
  }

  Ids mutexes_of(OpId op) {
    return ids_of(desc_, op, desc_.ops[op].mutexes, {desc_.mutex_refs, desc_.mutex_ref_count}, desc_.mutex_count);
  }

  bool count_mutex_users() {
    std::map<std::uint32_t, std::uint32_t> users;
    for (OpId op = 0; op < desc_.op_count; ++op) {
      for (const std::uint32_t mutex : mutexes_of(op)) ++users[mutex];
    }
    for (const auto& [mutex, count] : users) {
      if (count > 1) holder_.emplace(mutex, script().integer("holder_" + std::to_string(mutex)));
    }
    return true;
  }

  void add_accesses(OpId op, ByteTerms& bytes) {
    std::map<std::pair<std::uint32_t, bool>, std::vector<std::uint32_t>> groups;
    const detent_op& entry = desc_.ops[op];
    for (const detent_slice* slice : {&entry.inputs, &entry.weights}) collect(op, *slice, false, groups);
    for (const detent_slice* slice : {&entry.outputs, &entry.scratch}) collect(op, *slice, true, groups);
    std::vector<std::size_t> of_op;
    for (auto& [key, tensors] : groups) {
      of_op.push_back(query_.groups.size());
      add_group({op, key.first, key.second, std::move(tensors)}, bytes);
    }
    for (const std::size_t g : of_op) {
      for (const std::size_t h : of_op) {
        if (query_.groups[g].writes) exclude(g, h);
      }
    }
  }

  void collect(OpId op, const detent_slice& slice, bool writes,
               std::map<std::pair<std::uint32_t, bool>, std::vector<std::uint32_t>>& groups) {
    const Ids table{desc_.tensor_refs, desc_.tensor_ref_count};
    for (const TensorId tensor : ids_of(desc_, op, slice, table, desc_.tensor_count)) {
      const detent_tensor& bytes = desc_.tensors[tensor];
      if (bytes.region >= desc_.region_count || !describes_bytes(bytes)) {
        throw std::invalid_argument(op_name(desc_, op) + ": " + tensor_name(desc_, tensor) +
                                    " describes no bytes of a region; repair its offset, size or blocks");
      }
      groups[{bytes.region, writes}].push_back(tensor);
    }
  }

  void add_group(AccessGroup group, ByteTerms& bytes) {
    std::vector<Term> tensors;
    for (const TensorId tensor : group.tensors) tensors.push_back(bytes.lies_in(tensor));
    std::vector<Term> touches = {schedule_.started(group.op), script().negate(schedule_.ended(group.op)),
                                 script().equal(region_, script().number(group.region)), script().any_of(tensors)};
    if (runs_) touches.push_back(runs_->runs(group.op));
    for (const std::uint32_t mutex : mutexes_of(group.op)) {
      const auto holder = holder_.find(mutex);
      if (holder == holder_.end()) continue;
      touches.push_back(script().equal(holder->second, script().number(group.op)));
    }
    const Term touching = script().all_of(touches);
    const std::string number = std::to_string(query_.groups.size());
    const std::string what = op_name(desc_, group.op) + (group.writes ? " writes " : " reads ") +
                             region_name(desc_, group.region) + " as the ";
    query_.first.push_back({});
    if (group.writes) {
      query_.first.back() = script().boolean("first_" + number);
      script().require(script().implies(query_.first.back(), touching), what + "first");
    }
    query_.second.push_back(script().boolean("second_" + number));
    script().require(script().implies(query_.second.back(), touching), what + "second");
    query_.groups.push_back(std::move(group));
  }

  void exclude(std::size_t g, std::size_t h) {
    script().require(script().any_of({script().negate(query_.first[g]), script().negate(query_.second[h])}),
                     "two accesses of one op");
  }

  void add_claim() {
    std::vector<Term> first;
    for (std::size_t g = 0; g < query_.groups.size(); ++g) {
      if (query_.groups[g].writes) first.push_back(query_.first[g]);
    }
    const Term both = script().all_of({script().any_of(first), script().any_of(query_.second)});
    script().require(script().implies(query_.claim, both), "the claim: a first and a second access at once");
  }

  const detent_desc& desc_;
  const Budget& budget_;
  RaceQuery query_;
  ScheduleTerms schedule_;
  std::optional<RunTerms> runs_;  ///< none: every op runs
  Term region_{};
  std::map<std::uint32_t, Term> holder_;  ///< of mutexes that more than one op takes
};

}  // namespace

RaceQuery encode_races(const detent_desc& desc, const ValueTables* tables, const Budget& budget) {
  return RaceEncoder(desc, tables, budget).encode();
}

}  // namespace detent::verify::smt
