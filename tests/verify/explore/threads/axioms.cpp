#include "tests/verify/explore/threads/axioms.hpp"

#include <algorithm>
#include <array>

namespace detent::verify::explore::testing {

namespace {

constexpr std::uint32_t kWords = 8, kMost = 24;

/// A relation over events: a row of bits each.
using Relation = std::array<std::uint32_t, kMost>;

bool has(const Relation& relation, std::size_t a, std::size_t b) { return (relation[a] >> b & 1U) != 0; }
void put(Relation& relation, std::size_t a, std::size_t b) { relation[a] |= 1U << b; }
Relation either(Relation a, const Relation& b) {
  for (std::size_t i = 0; i < kMost; ++i) a[i] |= b[i];
  return a;
}
Relation closure(Relation r) {
  for (std::size_t k = 0; k < kMost; ++k) {
    for (std::size_t i = 0; i < kMost; ++i) {
      if (has(r, i, k)) r[i] |= r[k];
    }
  }
  return r;
}
bool is_acyclic(const Relation& r) {
  const Relation all = closure(r);
  for (std::size_t i = 0; i < kMost; ++i) {
    if (has(all, i, i)) return false;
  }
  return true;
}

struct Event {
  std::uint32_t thread = 0, word = 0, operand = 0;
  Act act = Act::kStore;
  Order order = Order::kRelaxed;
  bool reads = false, writes = false;
  std::uint32_t from = 0;  ///< event that it reads from
  std::uint32_t seen = 0, stored = 0;
};

class Axioms {
 public:
  explicit Axioms(const std::vector<std::vector<Action>>& scripts) : thread_count_(scripts.size()) {
    for (std::uint32_t word = 0; word < kWords; ++word)
      events_.push_back({.thread = UINT32_MAX, .word = word, .writes = true});
    for (std::uint32_t thread = 0; thread < scripts.size(); ++thread) {
      for (const Action& action : scripts[thread]) {
        Event event{.thread = thread, .word = action.object, .operand = action.value, .act = action.act};
        event.order = action.order;
        event.reads = action.act != Act::kStore;
        event.writes = action.act != Act::kLoad;
        events_.push_back(event);
      }
    }
    for (std::size_t a = 0; a < events_.size(); ++a) {
      for (std::size_t b = std::max<std::size_t>(a + 1, kWords); b < events_.size(); ++b) {
        if (a < kWords || events_[a].thread == events_[b].thread) put(program_order_, a, b);
      }
    }
  }

  std::set<std::string> outcomes() {
    choose_claims(kWords);
    return std::move(found_);
  }

 private:
  void choose_claims(std::size_t at) {
    if (at == events_.size()) return choose_reads(kWords);
    if (events_[at].act != Act::kClaim) return choose_claims(at + 1);
    for (const bool writes : {false, true}) {
      events_[at].writes = writes;
      choose_claims(at + 1);
    }
  }

  void choose_reads(std::size_t at) {
    if (at == events_.size()) {
      if (compute_values()) choose_orders(0);
      return;
    }
    if (!events_[at].reads) return choose_reads(at + 1);
    for (std::uint32_t from = 0; from < events_.size(); ++from) {
      if (from == at || !events_[from].writes || events_[from].word != events_[at].word) continue;
      events_[at].from = from;
      choose_reads(at + 1);
    }
  }

  /// False: what is read is not in the order of execution, or a claim does the other thing.
  bool compute_values() {
    reads_from_ = {};
    for (std::size_t i = kWords; i < events_.size(); ++i) {
      if (events_[i].reads) put(reads_from_, events_[i].from, i);
    }
    if (!is_acyclic(either(program_order_, reads_from_))) return false;
    for (std::size_t round = 0; round < events_.size(); ++round) {
      for (Event& event : events_) {
        event.seen = event.reads ? events_[event.from].stored : 0;
        event.stored = event.act == Act::kAdd ? event.seen + event.operand : event.operand;
      }
    }
    return std::all_of(events_.begin(), events_.end(), [](const Event& event) {
      return event.act != Act::kClaim || event.writes == (event.seen == 0);
    });
  }

  void choose_orders(std::uint32_t word) {
    if (word == kWords) return judge();
    std::vector<std::uint32_t>& order = order_[word];
    order.clear();
    for (std::uint32_t i = 0; i < events_.size(); ++i) {
      if (events_[i].writes && events_[i].word == word) order.push_back(i);
    }
    do choose_orders(word + 1);
    while (std::next_permutation(order.begin() + 1, order.end()));
  }

  [[nodiscard]] bool is_fenced(std::size_t i) const { return i >= kWords && events_[i].order == Order::kFenced; }
  [[nodiscard]] bool synchronises(std::size_t i) const { return i >= kWords && events_[i].order != Order::kRelaxed; }

  [[nodiscard]] Relation communication() const {
    Relation order = reads_from_;
    for (const std::vector<std::uint32_t>& stores : order_) {
      for (std::size_t i = 0; i < stores.size(); ++i) {
        for (std::size_t later = i + 1; later < stores.size(); ++later) {
          put(order, stores[i], stores[later]);
          for (std::size_t reader = kWords; reader < events_.size(); ++reader) {
            const bool is_before =
                events_[reader].reads && events_[reader].from == stores[i] && reader != stores[later];
            if (is_before) put(order, reader, stores[later]);
          }
        }
      }
    }
    return closure(order);
  }

  [[nodiscard]] Relation happens_before() const {
    Relation order = program_order_;
    for (std::size_t reader = kWords; reader < events_.size(); ++reader) {
      if (!events_[reader].reads || !synchronises(reader)) continue;
      for (std::size_t head = events_[reader].from;; head = events_[head].from) {  // the release sequence backwards
        if (synchronises(head)) put(order, head, reader);
        if (!events_[head].reads) break;
      }
    }
    return closure(order);
  }

  [[nodiscard]] bool is_atomic() const {
    for (const std::vector<std::uint32_t>& stores : order_) {
      for (std::size_t i = 1; i < stores.size(); ++i) {
        if (events_[stores[i]].reads && events_[stores[i]].from != stores[i - 1]) return false;
      }
    }
    return true;
  }

  void judge() {
    if (!is_atomic()) return;
    const Relation seen = communication(), before = happens_before();
    Relation seq_cst = either(program_order_, reads_from_);
    for (std::size_t a = 0; a < events_.size(); ++a) {
      if (has(seen, a, a)) return;
      for (std::size_t b = 0; b < events_.size(); ++b) {
        if (has(before, a, b) && has(seen, b, a)) return;
        if (is_fenced(a) && is_fenced(b) && has(seen, a, b)) put(seq_cst, a, b);
      }
    }
    if (is_acyclic(seq_cst)) found_.insert(outcome());
  }

  [[nodiscard]] std::string outcome() const {
    std::string text;
    for (std::uint32_t thread = 0; thread < thread_count_; ++thread) {
      for (std::size_t i = kWords; i < events_.size(); ++i) {
        const Event& event = events_[i];
        if (event.thread != thread || !event.reads) continue;
        text += std::to_string(event.act == Act::kClaim ? std::uint32_t{event.seen == 0} : event.seen) + ",";
      }
      text += ";";
    }
    for (const std::vector<std::uint32_t>& stores : order_) text += std::to_string(events_[stores.back()].stored) + " ";
    return text;
  }

  std::size_t thread_count_;
  std::vector<Event> events_;
  Relation program_order_{}, reads_from_{};
  std::array<std::vector<std::uint32_t>, kWords> order_;
  std::set<std::string> found_;
};

}  // namespace

std::set<std::string> outcomes_by_axioms(const std::vector<std::vector<Action>>& scripts) {
  return Axioms(scripts).outcomes();
}

}  // namespace detent::verify::explore::testing
