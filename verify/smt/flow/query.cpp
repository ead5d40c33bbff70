// Schedules, runs, writes, then one pair of claims per read of a value.
#include "verify/smt/flow/query.hpp"

#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "base/ids.hpp"
#include "verify/smt/flow/families.hpp"
#include "verify/smt/solver/byte_terms.hpp"
#include "verify/smt/solver/run_terms.hpp"
#include "verify/smt/solver/schedule_terms.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify::smt {
namespace {

using Row = std::span<const std::uint32_t>;

class FlowEncoder {
 public:
  FlowEncoder(const detent_desc& desc, const ValueTables* tables, const Budget& budget)
      : desc_(desc),
        tables_(tables),
        budget_(budget),
        families_(find_families(desc)),
        schedule_(script_, desc, nullptr),
        runs_(script_, desc, tables) {
    query_.region = script_.integer("region");
    query_.byte = script_.integer("byte");
    bytes_.emplace(script_, desc, query_.byte);
    for (OpId op = 0; op < desc.op_count; ++op) {
      if (desc.ops[op].commute_group != DETENT_NONE) commuting_[desc.ops[op].commute_group].push_back(op);
    }
  }

  FlowQuery encode() {
    const bool has_schedules = for_each("schedules", desc_.op_count, [&](OpId op) { schedule_.add_op(op); }) &&
                               for_each("edges", desc_.op_count, [&](OpId op) { add_edges(op); });
    if (has_schedules && for_each("writes", desc_.op_count, [&](OpId op) { add_way(op); })) {
      const auto count = static_cast<std::uint32_t>(families_.size());
      const bool is_whole = add_declared() && for_each("tensors", count, [&](std::uint32_t f) { add_family(f); }) &&
                            for_each("guards", desc_.op_count, [&](OpId op) { add_decisions(op); });
      if (!is_whole) query_.wants.clear();
    }
    query_.start = schedule_.start();
    return std::move(query_);
  }

 private:
  /// Until a limit is reached: one step per term.
  template <typename Add>
  bool for_each(const char* what, std::uint32_t count, Add add) {
    for (std::uint32_t id = 0; id < count; ++id) {
      query_.stopped = stopped_building(budget_, script_, what, id, count);
      if (!query_.stopped.empty()) return false;
      add(id);
    }
    return true;
  }

  [[nodiscard]] Row row_of(const detent_slice& slice) const { return {desc_.tensor_refs + slice.first, slice.count}; }

  void add_edges(OpId op) {
    const detent_slice& slice = desc_.ops[op].successors;
    schedule_.add_edges(op, {desc_.successors + slice.first, slice.count});
  }

  /// The byte lies in the tensor.
  Term lies_in(TensorId id) {
    const detent_tensor& tensor = desc_.tensors[id];
    if (tensor.region >= desc_.region_count || !describes_bytes(tensor)) {
      throw std::invalid_argument(tensor_name(desc_, id) +
                                  " describes no bytes of a region; repair its offset or size");
    }
    return script_.all_of({script_.equal(query_.region, script_.number(tensor.region)), bytes_->lies_in(id)});
  }

  Term lies_in_one_of(Row tensors) {
    std::vector<Term> terms;
    for (const TensorId id : tensors) terms.push_back(lies_in(id));
    return script_.any_of(terms);
  }

  void add_way(OpId op) {
    std::vector<Term> written;
    const std::uint32_t refs = desc_.tensor_ref_count;
    for (const detent_slice* slice : {&desc_.ops[op].outputs, &desc_.ops[op].scratch}) {
      if (slice->first > refs || slice->count > refs - slice->first) {
        throw std::invalid_argument(op_name(desc_, op) + ": a list lies outside its table; repair the tables");
      }
      for (const TensorId id : row_of(*slice)) {
        if (id >= desc_.tensor_count) {
          throw std::invalid_argument(op_name(desc_, op) + ": writes a tensor that does not exist; repair the tables");
        }
        written.push_back(lies_in(id));
      }
    }
    way_of_.push_back(static_cast<std::uint32_t>(query_.ways.size()));
    if (written.empty()) {
      way_of_.back() = DETENT_NONE;
      return;
    }
    const Term is_here = script_.boolean("way_" + std::to_string(op));
    script_.require(
        script_.implies(is_here, script_.all_of({schedule_.active(op), runs_.runs(op), script_.any_of(written)})),
        op_name(desc_, op) + " writes the byte now");
    query_.ways.push_back({op, is_here});
  }

  // ---- Values that reads of bare ranges name.

  [[nodiscard]] const std::vector<std::uint32_t>& values_of(TensorId id) const {
    static const std::vector<std::uint32_t> kNone;
    return id < tables_->tensor_values.size() ? tables_->tensor_values[id] : kNone;
  }

  bool add_declared() {
    if (tables_ == nullptr || tables_->names.empty()) return true;
    std::map<std::uint32_t, std::uint32_t> writer_of;
    for (const TensorId id : Row{desc_.inputs, desc_.input_count}) {
      for (const std::uint32_t value : values_of(id)) writer_of[value] = DETENT_NONE;
    }
    for (OpId op = 0; op < desc_.op_count; ++op) {
      for (const TensorId id : row_of(desc_.ops[op].outputs)) {
        for (const std::uint32_t value : values_of(id)) writer_of[value] = op;
      }
    }
    const auto add = [&](std::uint32_t reader, Row tensors) {
      std::map<std::vector<std::uint32_t>, std::vector<Term>> by_values;
      for (const TensorId id : tensors) {
        if (!values_of(id).empty()) by_values[values_of(id)].push_back(lies_in(id));
      }
      for (const auto& [values, read] : by_values) {
        FlowQuery::Want want;
        want.reader = reader;
        for (const std::uint32_t value : values) {
          if (value >= tables_->names.size() || !writer_of.contains(value)) {
            throw std::invalid_argument("a read wants a value that nobody writes; repair the value tables");
          }
          want.values.push_back(tables_->names[value]);
          want.writers.push_back(writer_of[value]);
        }
        add_want(std::move(want), script_.any_of(read), true);
        for (std::size_t k = 0; k < values.size(); ++k) add_clash(values[k]);
      }
    };
    return for_each("values", desc_.op_count, [&](OpId op) { add(op, row_of(desc_.ops[op].inputs)); }) &&
           for_each("outputs", 1, [&](std::uint32_t) {
             add(DETENT_NONE, {desc_.outputs, desc_.output_count});
           });
  }

  /// The last want's value, and another one that its writer puts into the same byte.
  void add_clash(std::uint32_t value) {
    const FlowQuery::Want& want = query_.wants.back();
    const std::string& name = tables_->names[value];
    std::uint32_t writer = DETENT_NONE;
    for (std::size_t k = 0; k < want.values.size(); ++k) {
      if (want.values[k] == name) writer = want.writers[k];
    }
    if (writer == DETENT_NONE) return;
    std::vector<Term> own, other;
    for (const TensorId id : row_of(desc_.ops[writer].outputs)) {
      for (const std::uint32_t made : values_of(id)) (made == value ? own : other).push_back(lies_in(id));
    }
    if (own.empty() || other.empty()) return;
    const Term holds = script_.boolean("clash_" + std::to_string(query_.facts.size()));
    script_.require(
        script_.implies(holds, script_.all_of({here_, runs_.runs(writer), script_.any_of(own), script_.any_of(other)})),
        op_name(desc_, writer) + " writes " + name + " and another value");
    query_.facts.push_back({want.reader, name, writer, holds});
  }

  // ---- Versions of tensors.

  /// What a reader finds is, byte by byte, the last version before it, or, where there is none, the first after it. A
  /// version whose op does not run in a run is none of it: the one before it is found, or, where no op that writes the
  /// byte before the reader runs, nothing that anyone means.
  void add_family(std::uint32_t f) {
    const Family& family = families_[f];
    const std::vector<Touch>& writes = family.writes;
    for (std::size_t i = 0; i < family.reads.size();) {
      const Touch read = family.reads[i];
      std::vector<Term> bytes;
      for (; i < family.reads.size() && family.reads[i].step == read.step; ++i) {
        bytes.push_back(lies_in(family.reads[i].tensor));
      }
      const Term read_bytes = script_.any_of(bytes);
      Term left = read_bytes;
      std::vector<Term> not_written = {read_bytes};
      std::size_t before = 0;
      while (before < writes.size() && writes[before].step < read.step) ++before;
      for (std::size_t w = before; w-- > 0;) {
        left = add_version(family, read, writes[w], written_in_run(writes[w]), left);
        not_written.push_back(script_.negate(lies_in(writes[w].tensor)));
      }
      add_absent(family, read, before, left);
      if (before > 0) left = script_.all_of(not_written);
      for (std::size_t w = before; w < writes.size(); ++w) {
        left = add_version(family, read, writes[w], lies_in(writes[w].tensor), left);
      }
    }
  }

  /// Guarded by a tensor, so that another op may write for it in other runs.
  [[nodiscard]] bool has_guards(std::uint32_t op) const {
    return tables_ != nullptr && op < tables_->guards.size() && !tables_->guards[op].empty() &&
           tables_->decisions[tables_->guards[op].front().decision].tensor != DETENT_NONE;
  }

  /// @param left  the bytes that no op before the reader writes which runs
  void add_absent(const Family& family, const Touch& read, std::size_t before, Term left) {
    for (std::size_t w = 0; w < before; ++w) {
      const Touch& write = family.writes[w];
      if (!has_guards(write.op)) continue;
      FlowQuery::Want want;
      want.reader = read.op;
      want.values = {family.name};
      want.writers = {write.op};
      add_want(std::move(want), script_.all_of({left, lies_in(write.tensor)}), false);
    }
  }

  Term written_in_run(const Touch& write) {
    const Term written = lies_in(write.tensor);
    return has_guards(write.op) ? script_.all_of({written, runs_.runs(write.op)}) : written;
  }

  /// @return  the bytes that are left for other versions
  Term add_version(const Family& family, const Touch& read, const Touch& write, Term written, Term left) {
    const bool is_own = write.step == read.step;
    if (!is_own) {
      FlowQuery::Want want;
      want.reader = read.op;
      want.values = {family.name};
      want.writers = {write.op};
      add_want(std::move(want), script_.all_of({left, written}), false);
    }
    return script_.all_of({left, script_.negate(written)});
  }

  // ---- The claims.

  [[nodiscard]] bool commute(std::uint32_t a, std::uint32_t b) const {
    if (a == DETENT_NONE || b == DETENT_NONE || desc_.ops[a].commute_group == DETENT_NONE) return false;
    return desc_.ops[a].commute_group == desc_.ops[b].commute_group;
  }

  Term is_ended(std::uint32_t op) { return op == DETENT_NONE ? script_.all_of({}) : schedule_.ended(op); }
  Term is_active(std::uint32_t op) { return op == DETENT_NONE ? script_.all_of({}) : schedule_.active(op); }
  Term is_to_come(std::uint32_t op) {
    return op == DETENT_NONE ? script_.all_of({}) : script_.negate(schedule_.started(op));
  }

  void add_want(FlowQuery::Want want, Term bytes, bool is_declared) {
    const std::string number = std::to_string(query_.wants.size());
    here_ = script_.boolean("wanted_" + number);
    script_.require(script_.implies(here_, script_.all_of({bytes, runs_.runs(want.reader)})),
                    (want.reader == DETENT_NONE ? "the output " : op_name(desc_, want.reader) + " wants ") +
                        want.values.front() + " in the byte");
    add_missed(want, number, is_declared);
    for (std::size_t k = 0; k < want.writers.size(); ++k) add_failure(want, k);
    add_overwritten(want, number, is_declared);
    query_.wants.push_back(std::move(want));
  }

  /// The writer fails in the run, and leaves the byte in any state.
  void add_failure(const FlowQuery::Want& want, std::size_t k) {
    const std::uint32_t writer = want.writers[k];
    if (writer == DETENT_NONE || (desc_.ops[writer].flags & DETENT_OP_FALLIBLE) == 0) return;
    const Row outputs = row_of(desc_.ops[writer].outputs);
    if (outputs.empty()) return;
    const std::uint32_t failed = outputs.back();
    std::vector<Term> all = {here_, runs_.runs(writer), lies_in_one_of(outputs.first(outputs.size() - 1))};
    for (std::uint32_t d = 0; tables_ != nullptr && d < tables_->decisions.size(); ++d) {
      const Decision& decision = tables_->decisions[d];
      if (decision.op == writer && decision.tensor == failed) all.push_back(runs_.came_out(d, 1));
    }
    const Term holds = script_.boolean("failed_" + std::to_string(query_.facts.size()));
    script_.require(script_.implies(holds, script_.all_of(all)), op_name(desc_, writer) + " fails");
    query_.facts.push_back({want.reader, want.values[k], writer, holds});
  }

  void add_missed(FlowQuery::Want& want, const std::string& number, bool is_declared) {
    want.missed = script_.boolean("missed_" + number);
    std::vector<Term> all = {here_, is_active(want.reader)};
    for (const std::uint32_t writer : want.writers) {
      const bool in_any_order = !is_declared && commute(want.reader, writer);
      const bool is_application = writer == DETENT_NONE || want.reader == DETENT_NONE || in_any_order;
      const Term in_time = is_application ? script_.all_of({}) : schedule_.ended(writer);
      all.push_back(script_.negate(script_.all_of({runs_.runs(writer), in_time})));
    }
    script_.require(script_.implies(want.missed, script_.all_of(all)), "it is not there");
  }

  void add_overwritten(FlowQuery::Want& want, const std::string& number, bool is_declared) {
    want.overwritten = script_.boolean("overwritten_" + number);
    const auto require = [&](Term term) { script_.require(script_.implies(want.overwritten, term)); };
    std::vector<Term> ways;
    for (const FlowQuery::Way& way : query_.ways) ways.push_back(way.is_here);
    if (any_way_ == std::nullopt) any_way_ = script_.any_of(ways);
    require(script_.all_of({here_, *any_way_}));
    const auto exclude = [&](std::uint32_t op) {
      if (op != DETENT_NONE && way_of_[op] != DETENT_NONE) {
        require(script_.negate(query_.ways[way_of_[op]].is_here));
      }
    };
    exclude(want.reader);
    for (const std::uint32_t writer : want.writers) exclude(writer);
    if (!is_declared) {
      for (const std::uint32_t op : {want.reader, want.writers.front()}) {
        if (op == DETENT_NONE || desc_.ops[op].commute_group == DETENT_NONE) continue;
        for (const OpId other : commuting_.at(desc_.ops[op].commute_group)) exclude(other);
      }
    }
    if (want.writers.size() > 1) return require(is_last_of_several(want));
    require(runs_.runs(want.writers.front()));
    for (const char* side : {"after_", "before_"}) want.sides.push_back(script_.boolean(side + number));
    script_.require(script_.implies(want.sides[0], is_ended(want.writers.front())));
    script_.require(script_.implies(want.sides[1], is_to_come(want.reader)));
  }

  /// One of the values is written in the run, the reader comes later, and none is written again in between.
  Term is_last_of_several(const FlowQuery::Want& want) {
    std::vector<Term> written;
    std::vector<Term> all = {is_to_come(want.reader)};
    for (const std::uint32_t writer : want.writers) {
      written.push_back(runs_.runs(writer));
      if (writer == DETENT_NONE) continue;
      const Term comes_later = want.reader == DETENT_NONE
                                   ? script_.any_of({})
                                   : script_.less(schedule_.start()[want.reader], schedule_.end(writer));
      all.push_back(script_.any_of({script_.negate(runs_.runs(writer)), schedule_.started(writer), comes_later}));
    }
    all.push_back(script_.any_of(written));
    return script_.all_of(all);
  }

  void add_decisions(OpId op) {
    if (tables_ == nullptr || op >= tables_->guards.size()) return;
    for (const Guard& guard : tables_->guards[op]) {
      const Decision& decision = tables_->decisions[guard.decision];
      if (decision.op == DETENT_NONE) continue;
      const Term holds = script_.boolean("undecided_" + std::to_string(query_.facts.size()));
      script_.require(
          script_.implies(holds, script_.all_of({schedule_.active(op), script_.negate(schedule_.ended(decision.op))})),
          op_name(desc_, op) + " before " + decision.name + " is decided");
      query_.facts.push_back({op, decision.name, DETENT_NONE, holds});
    }
  }

  const detent_desc& desc_;
  const ValueTables* const tables_;
  const Budget& budget_;
  const std::vector<Family> families_;
  FlowQuery query_;
  Script& script_ = query_.script;
  ScheduleTerms schedule_;
  RunTerms runs_;
  std::optional<ByteTerms> bytes_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> commuting_;  ///< ops by group
  std::vector<std::uint32_t> way_of_;                              ///< by op: into ways, or DETENT_NONE
  std::optional<Term> any_way_;
  Term here_{};  ///< of the last want
};

}  // namespace

FlowQuery encode_flow(const detent_desc& desc, const ValueTables* tables, const Budget& budget) {
  return FlowEncoder(desc, tables, budget).encode();
}

}  // namespace detent::verify::smt
