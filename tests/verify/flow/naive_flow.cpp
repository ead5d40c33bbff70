// Orders by recursion, bytes by maps.
#include "tests/verify/flow/naive_flow.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "tests/verify/random_graph.hpp"

namespace detent::verify::testing {
namespace {

using models::Model;
using Byte = std::pair<std::uint32_t, std::uint64_t>;  ///< region, offset
using Bytes = std::set<Byte>;

constexpr std::uint32_t kNobody = DETENT_NONE;

Bytes bytes_of(const Model& model, std::uint32_t tensor) {
  Bytes bytes;
  const models::Tensor& t = model.tensors[tensor];
  for (std::uint64_t i = 0; i < t.size_bytes; ++i) bytes.emplace(t.region, t.offset_bytes + i);
  return bytes;
}

bool share(const Bytes& a, const Bytes& b) {
  return std::ranges::any_of(a, [&](const Byte& byte) { return b.contains(byte); });
}

/// A read of an op, or an output.
struct Read {
  std::uint32_t reader;
  std::vector<std::uint32_t> values;
  Bytes bytes;
};

struct Facts {
  explicit Facts(const Model& m) : model(m), count(static_cast<std::uint32_t>(m.ops.size())) {
    writer.assign(m.value_names.size(), kNobody);
    written.resize(count);
    for (std::uint32_t op = 0; op < count; ++op) {
      for (const std::uint32_t tensor : m.ops[op].outputs) {
        written[op].merge(bytes_of(m, tensor));
        for (const std::uint32_t value : m.tensors[tensor].values) writer[value] = op;
      }
      add_reads(op, m.ops[op].inputs);
    }
    add_reads(kNobody, m.outputs);
    list_orders();
    list_runs();
  }

  void add_reads(std::uint32_t reader, const std::vector<std::uint32_t>& tensors) {
    std::map<std::vector<std::uint32_t>, Bytes> by_values;
    for (const std::uint32_t tensor : tensors) {
      if (!model.tensors[tensor].values.empty()) by_values[model.tensors[tensor].values].merge(bytes_of(model, tensor));
    }
    for (const auto& [values, bytes] : by_values) reads.push_back({reader, values, bytes});
  }

  void list_orders() {
    orders = all_orders(model);
    can.assign(count, std::vector<bool>(count));
    for (const std::vector<std::uint32_t>& one : orders) {
      for (std::size_t i = 0; i < one.size(); ++i) {
        for (std::size_t k = i + 1; k < one.size(); ++k) can[one[i]][one[k]] = true;
      }
    }
  }

  /// Which ops run, for every outcome of every decision; an op whose decider does not run does not run.
  void list_runs() {
    std::vector<std::uint32_t> outcomes(model.decisions.size());
    const std::function<void(std::size_t)> go = [&](std::size_t d) {
      if (d == outcomes.size()) return add_run(outcomes);
      const std::size_t choices = std::max<std::size_t>(2, model.decisions[d].outcomes.size());
      for (outcomes[d] = 0; outcomes[d] < choices; ++outcomes[d]) go(d + 1);
    };
    go(0);
  }

  void add_run(const std::vector<std::uint32_t>& outcomes) {
    std::vector<bool> runs(count, true);
    for (std::uint32_t pass = 0; pass <= count; ++pass) {
      for (std::uint32_t op = 0; op < count; ++op) {
        for (const Guard& guard : model.ops[op].guards) {
          const std::uint32_t decider = model.decisions[guard.decision].op;
          if (outcomes[guard.decision] != guard.outcome || (decider != kNobody && !runs[decider])) runs[op] = false;
        }
      }
    }
    all_runs.push_back(runs);
  }

  [[nodiscard]] bool may_precede(std::uint32_t a, std::uint32_t b) const { return a != b && can[a][b]; }
  [[nodiscard]] bool always_precedes(std::uint32_t a, std::uint32_t b) const { return a != b && !can[b][a]; }

  const Model& model;
  std::uint32_t count;
  std::vector<std::uint32_t> writer;  ///< by value; kNobody: an input
  std::vector<Bytes> written;         ///< by op
  std::vector<Read> reads;
  std::vector<std::vector<std::uint32_t>> orders;
  std::vector<std::vector<bool>> can;       ///< a before b in some order
  std::vector<std::vector<bool>> all_runs;  ///< by outcomes: which ops run
};

/// Bytes that an op gives to two values.
bool is_clash(const Facts& facts, const Read& read, std::uint32_t value) {
  const std::uint32_t op = facts.writer[value];
  if (op == kNobody) return false;
  for (const std::uint32_t a : facts.model.ops[op].outputs) {
    const auto& values = facts.model.tensors[a].values;
    if (values.empty() || values.front() != value) continue;
    for (const std::uint32_t b : facts.model.ops[op].outputs) {
      const auto& others = facts.model.tensors[b].values;
      if (others.empty() || others.front() == value) continue;
      Bytes both;
      std::ranges::set_intersection(bytes_of(facts.model, a), bytes_of(facts.model, b),
                                    std::inserter(both, both.end()));
      if (share(both, read.bytes)) return true;
    }
  }
  return false;
}

FlowSet joined(const Facts& facts, const std::set<std::tuple<std::uint32_t, std::string, std::uint32_t, bool>>& found);

class Law {
 public:
  explicit Law(const Model& model) : f_(model) {}

  FlowSet find() {
    for (const Read& read : f_.reads) judge(read);
    for (std::uint32_t op = 0; op < f_.count; ++op) {
      for (const Guard& guard : f_.model.ops[op].guards) judge_guard(op, guard);
    }
    return joined(f_, found_);
  }

 private:
  [[nodiscard]] bool before_read(std::uint32_t op, std::uint32_t reader) const {
    return reader == kNobody || f_.always_precedes(op, reader);
  }
  [[nodiscard]] bool runs(const std::vector<bool>& run, std::uint32_t op) const { return op == kNobody || run[op]; }

  void judge(const Read& read) {
    const std::uint32_t r = read.reader;
    bool late = false;
    bool always_late = true;
    bool runs_at_all = false;
    std::map<std::uint32_t, std::set<std::size_t>> ways;  // op in the way -> which values
    for (const std::vector<bool>& run : f_.all_runs) {
      if (!runs(run, r)) continue;
      runs_at_all = true;
      bool some_late = true;  // some order in which nothing of it is there
      bool all_late = true;
      for (const std::uint32_t value : read.values) {
        const std::uint32_t p = f_.writer[value];
        if (!runs(run, p)) continue;
        if (p == kNobody || before_read(p, r)) some_late = false;
        if (p == kNobody || r == kNobody || f_.may_precede(p, r)) all_late = false;
      }
      late = late || some_late;
      always_late = always_late && all_late;
      for (std::uint32_t q = 0; q < f_.count; ++q) judge_way(read, run, q, ways);
    }
    const std::string name = f_.model.value_names[read.values[0]];
    if (runs_at_all && late) found_.emplace(r, name, kNobody, always_late);
    for (const auto& [q, values] : ways) found_.emplace(r, name, q, is_between(read, *values.begin(), q));
    for (std::size_t k = 0; k < read.values.size(); ++k) {
      const bool meet = std::ranges::any_of(f_.all_runs, [&](const std::vector<bool>& run) {
        return runs(run, r) && runs(run, f_.writer[read.values[k]]);
      });
      if (meet && is_clash(f_, read, read.values[k])) found_.emplace(r, name, f_.writer[read.values[k]], true);
    }
  }

  void judge_way(const Read& read, const std::vector<bool>& run, std::uint32_t q,
                 std::map<std::uint32_t, std::set<std::size_t>>& ways) {
    const std::uint32_t r = read.reader;
    const bool is_writer = std::ranges::any_of(read.values, [&](std::uint32_t value) { return f_.writer[value] == q; });
    if (q == r || is_writer || !run[q] || !share(f_.written[q], read.bytes)) return;
    if (r != kNobody && !f_.may_precede(q, r)) return;
    bool again = false;
    for (const std::uint32_t value : read.values) {
      const std::uint32_t p = f_.writer[value];
      if (p == kNobody || !run[p] || !f_.always_precedes(q, p)) continue;
      again = again || read.values.size() == 1 || before_read(p, r);
    }
    if (again) return;
    for (std::size_t k = 0; k < read.values.size(); ++k) {
      if (runs(run, f_.writer[read.values[k]])) ways[q].insert(k);
    }
  }

  [[nodiscard]] bool is_between(const Read& read, std::size_t k, std::uint32_t q) const {
    const std::uint32_t p = f_.writer[read.values[k]];
    const std::uint32_t r = read.reader;
    if (p != kNobody && r != kNobody && (p == r || f_.always_precedes(r, p))) return true;
    return (p == kNobody || f_.always_precedes(p, q)) && before_read(q, r);
  }

  void judge_guard(std::uint32_t op, const Guard& guard) {
    const Decision& decision = f_.model.decisions[guard.decision];
    if (decision.op == kNobody || f_.always_precedes(decision.op, op)) return;
    found_.emplace(op, decision.name, kNobody, decision.op == op || f_.always_precedes(op, decision.op));
  }

  Facts f_;
  std::set<std::tuple<std::uint32_t, std::string, std::uint32_t, bool>> found_;
};

std::string names_of(const Model& model, const std::vector<std::uint32_t>& values) {
  std::string text;
  for (const std::uint32_t value : values) text += (text.empty() ? "" : "|") + model.value_names[value];
  return text;
}

/// Where a reader reads a value both alone and as one of several, it is one entry: always, if either is.
FlowSet joined(const Facts& facts, const std::set<std::tuple<std::uint32_t, std::string, std::uint32_t, bool>>& found) {
  std::map<std::tuple<std::uint32_t, std::string, std::uint32_t>, bool> entries;
  for (const auto& [reader, value, in_the_way, always] : found) {
    const bool is_several = std::ranges::any_of(facts.reads, [&, r = reader, v = value](const Read& read) {
      return read.reader == r && read.values.size() > 1 &&
             std::ranges::any_of(read.values, [&](std::uint32_t id) { return facts.model.value_names[id] == v; });
    });
    bool& entry = entries[{reader, is_several ? "*" : value, in_the_way}];
    entry = entry || always;
  }
  FlowSet set;
  for (const auto& [key, always] : entries) set.push_back(std::tuple_cat(key, std::tuple(always)));
  return set;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> all_orders(const models::Model& model) {
  const auto count = static_cast<std::uint32_t>(model.ops.size());
  std::vector<std::vector<std::uint32_t>> orders;
  std::vector<std::uint32_t> order;
  std::vector<bool> taken(count);
  const std::function<void()> go = [&] {
    if (order.size() == count) orders.push_back(order);
    for (std::uint32_t op = 0; op < count; ++op) {
      const bool is_ready = !taken[op] && std::ranges::none_of(model.edges, [&](const models::Edge& edge) {
        return edge.to == op && !taken[edge.from];
      });
      if (!is_ready) continue;
      taken[op] = true;
      order.push_back(op);
      go();
      order.pop_back();
      taken[op] = false;
    }
  };
  go();
  return orders;
}

FlowSet find_flow_naively(const Model& model) { return Law(model).find(); }

std::vector<ReadTruth> execute_all(const Model& model) {
  const Facts facts(model);
  std::vector<ReadTruth> truths;
  for (const Read& read : facts.reads) truths.push_back({read.reader, names_of(model, read.values), false, true});
  for (const std::vector<bool>& run : facts.all_runs) {
    for (const std::vector<std::uint32_t>& order : facts.orders) {
      std::map<Byte, std::set<std::uint32_t>> memory;  // what a byte holds: values; empty: something else
      for (const std::uint32_t input : model.inputs) {
        for (const Byte& byte : bytes_of(model, input)) memory[byte] = {model.tensors[input].values.front()};
      }
      const auto look = [&](std::uint32_t reader) {
        for (std::size_t i = 0; i < facts.reads.size(); ++i) {
          const Read& read = facts.reads[i];
          if (read.reader != reader) continue;
          const bool good = std::ranges::all_of(read.bytes, [&](const Byte& byte) {
            const auto held = memory.find(byte);
            return held != memory.end() && std::ranges::any_of(read.values, [&](std::uint32_t value) {
                     return held->second == std::set<std::uint32_t>{value};
                   });
          });
          truths[i].some = truths[i].some || !good;
          truths[i].all = truths[i].all && !good;
        }
      };
      for (const std::uint32_t op : order) {
        if (!run[op]) continue;
        look(op);
        for (const Byte& byte : facts.written[op]) memory[byte].clear();
        for (const std::uint32_t tensor : model.ops[op].outputs) {
          for (const std::uint32_t value : model.tensors[tensor].values) {
            for (const Byte& byte : bytes_of(model, tensor)) memory[byte].insert(value);
          }
        }
      }
      look(kNobody);
    }
  }
  return truths;
}

FlowSet flow_set(const Model& model, const ValueFlowReport& report) {
  const Facts facts(model);
  std::set<std::tuple<std::uint32_t, std::string, std::uint32_t, bool>> found;
  for (const ValueViolation& violation : report.listed) {
    found.emplace(violation.reader, violation.value, violation.in_the_way, violation.always);
  }
  return joined(facts, found);
}

namespace {

class FlowGraph {
 public:
  FlowGraph(std::uint64_t seed, std::uint32_t most_ops, bool guards)
      : random_(seed), count_(1 + random_.below(most_ops)), guards_(guards) {}

  std::string text() {
    for (std::uint32_t i = 0; i < random_.below(3); ++i) add_input(i);
    for (std::uint32_t op = 0; op < count_; ++op) write(op);
    std::string ops;
    for (std::uint32_t op = 0; op < count_; ++op) {
      ops += (op == 0 ? "" : ",\n  ") + std::string("{\"id\": ") + std::to_string(op) + guard_of(op) +
             ", \"reads\": [" + reads(op) + "], \"writes\": [" + writes_[op] + "]}";
    }
    std::string outputs;
    for (std::uint32_t i = 0; i < random_.below(3); ++i) outputs += (i == 0 ? "" : ", ") + read_of_value();
    return "{\"schema\": \"detent.graph/2\", \"regions\": [{\"name\": \"a\", \"size\": 24}, {\"name\": \"b\", "
           "\"size\": "
           "8}],\n \"inputs\": [" +
           inputs_ + "],\n \"outputs\": [" + outputs + "],\n \"ops\": [" + ops + "],\n \"edges\": [" + edges() + "]}";
  }

 private:
  struct Range {
    std::string region;
    std::uint32_t begin, end;
  };
  struct Value {
    std::string name;
    std::vector<Range> ranges;
    std::uint32_t writer;
  };

  bool chance(std::uint32_t percent) { return random_.below(100) < percent; }

  static std::string range_text(const Range& range) {
    return "{\"region\": \"" + range.region + "\", \"offset\": " + std::to_string(range.begin) +
           ", \"size\": " + std::to_string(range.end - range.begin);
  }

  Range draw_range() {
    const bool small = chance(15);
    const std::uint32_t size = small ? 8 : 24;
    const std::uint32_t begin = random_.below(size - 1);
    return {small ? "b" : "a", begin, begin + 1 + random_.below(std::min(8U, size - begin))};
  }

  void add_input(std::uint32_t i) {
    const Range range{"a", i * 8, i * 8 + 1 + random_.below(8)};
    values_.push_back({"in" + std::to_string(i), {range}, DETENT_NONE});
    inputs_ += (inputs_.empty() ? "" : ", ") + range_text(range) + ", \"value\": \"in" + std::to_string(i) + "\"}";
  }

  void write(std::uint32_t op) {
    std::string text;
    const std::uint32_t names = chance(75) ? (chance(12) ? 2 : 1) : 0;
    for (std::uint32_t n = 0; n < names; ++n) {
      Value value{"v" + std::to_string(op) + (n == 0 ? "" : "x"), {}, op};
      for (std::uint32_t i = 0; i < 1 + random_.below(2); ++i) {
        value.ranges.push_back(draw_range());
        text += (text.empty() ? "" : ", ") + range_text(value.ranges.back()) + ", \"value\": \"" + value.name + "\"}";
      }
      values_.push_back(value);
    }
    if (chance(30)) text += (text.empty() ? "" : ", ") + range_text(draw_range()) + "}";
    writes_.push_back(text);
  }

  std::string read_of_value() {
    if (values_.empty()) return "{\"region\": \"a\", \"offset\": 0, \"size\": 1, \"value\": \"nobody\"}";
    const Value& value = values_[random_.below(static_cast<std::uint32_t>(values_.size()))];
    const Range& range = value.ranges[random_.below(static_cast<std::uint32_t>(value.ranges.size()))];
    Range part = range;
    if (chance(50)) {
      part.begin = range.begin + random_.below(range.end - range.begin);
      part.end = part.begin + 1 + random_.below(range.end - part.begin);
    }
    std::vector<std::string> names = {value.name};
    for (const Value& other : values_) {
      const bool covers = std::ranges::any_of(other.ranges, [&](const Range& r) {
        return r.region == part.region && r.begin <= part.begin && part.end <= r.end;
      });
      if (guards_ && covers && other.name != value.name && chance(60)) names.push_back(other.name);
    }
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "\"" : ", \"") + name + "\"";
    return range_text(part) + ", \"value\": " + (names.size() == 1 ? list : "[" + list + "]") + "}";
  }

  std::string reads(std::uint32_t) {
    std::string text;
    for (std::uint32_t i = 0; i < random_.below(3); ++i) {
      text += (text.empty() ? "" : ", ") + (chance(85) ? read_of_value() : range_text(draw_range()) + "}");
    }
    return text;
  }

  std::string guard_of(std::uint32_t) {
    if (!guards_ || chance(45)) return "";
    std::string list = "\"" + guard(random_.below(count_)) + "\"";
    return ", \"guard\": " + list;
  }

  std::string guard(std::uint32_t decider) {
    const bool first = chance(60);
    return "c" + std::to_string(first ? 0 : decider) + "=" + (chance(50) ? "then" : "else");
  }

  std::string edges() {
    std::vector<std::uint32_t> ids(count_);
    for (std::uint32_t i = 0; i < count_; ++i) ids[i] = i;
    if (chance(50)) {
      for (std::uint32_t i = count_; i > 1; --i) std::swap(ids[i - 1], ids[random_.below(i)]);
    }
    const std::uint32_t percent = 10 + random_.below(60);
    std::string text;
    for (std::uint32_t i = 0; i < count_; ++i) {
      for (std::uint32_t k = i + 1; k < count_; ++k) {
        if (chance(percent)) {
          text += (text.empty() ? "[" : ", [") + std::to_string(ids[i]) + ", " + std::to_string(ids[k]) + "]";
        }
      }
    }
    return text;
  }

  Random random_;
  std::uint32_t count_;
  bool guards_;
  std::vector<Value> values_;
  std::vector<std::string> writes_;
  std::string inputs_;
};

}  // namespace

std::string random_flow_graph(std::uint64_t seed, std::uint32_t most_ops, bool guards) {
  return FlowGraph(seed, most_ops, guards).text();
}

}  // namespace detent::verify::testing
